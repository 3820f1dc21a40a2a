import Type, { type TOptional, type TSchema, type TUnsafe } from "typebox";
import { IncludeOfDealers } from "../include.ts";
import { orderQuery, PageQuery } from "../page.ts";
import {
  email,
  flag,
  flagOrBit,
  type Input,
  integer,
  nullable,
  number,
  oneOf,
  requiredText,
  text,
  url,
} from "../schema.ts";
import { searchQuery } from "../search/query.ts";
import { isStorable } from "../text.ts";
import { validator } from "../validation.ts";
import { MAX_CODE, MAX_CODES } from "./codes.ts";
import {
  DEALER_FIELDS,
  type Dealer,
  type Field,
  type FieldOf,
  fieldsOf,
  type Kind,
  UNIQUENESS,
  WEEKDAYS,
} from "./fields.ts";

export type { Dealer } from "./fields.ts";

const Hours = Type.Object(
  Object.fromEntries(WEEKDAYS.map((day) => [day, Type.Optional(text(1, 100))])) as Record<
    (typeof WEEKDAYS)[number],
    Type.TOptional<ReturnType<typeof text>>
  >,
  {
    additionalProperties: false,
    fault: "must be an object with the keys monday to sunday, each a text of 1 to 100 characters",
    examples: [{ monday: "9:00-18:00", sunday: "closed" }],
  },
);

const MAX_NETWORKS = 20;
const MAX_REQUESTS = 999_999;

const SocialMedia = Type.Refine(
  Type.Record(Type.String(), url(), {
    maxProperties: MAX_NETWORKS,
    fault: `must be an object of up to ${MAX_NETWORKS} network names of 1 to 100 characters, each with an http or https address`,
    examples: [{ mastodon: "https://social.example.com/@harbor" }],
  }),
  (networks) => Object.keys(networks).every((name) => name !== "" && [...name].length <= 100 && isStorable(name)),
);

const Codes = Type.Array(requiredText(MAX_CODE), {
  maxItems: MAX_CODES,
  fault: `must be a list of up to ${MAX_CODES} texts of 1 to ${MAX_CODE} characters`,
});

type Sendable = Exclude<Kind, "id" | "moment">;
type SendableField = FieldOf<Sendable>;

/** The schema of each kind of field in a body. Fields that may be unset also accept `null`. */
const SCHEMAS: { readonly [Key in Sendable]: (field: Field<Key>) => TSchema } = {
  name: ({ kind: _, max, ...notes }) => requiredText(max, notes),
  email: () => email(),
  url: ({ kind: _, ...notes }) => nullable(url(notes)),
  text: ({ kind: _, min, max, ...notes }) => nullable(text(min, max, notes)),
  long: ({ kind: _, max, ...notes }) => nullable(text(0, max, notes)),
  degrees: ({ kind: _, max, ...notes }) => nullable(number(-max, max, notes)),
  hours: () => nullable(Hours),
  networks: () => nullable(SocialMedia),
  requests: ({ kind: _, ...notes }) => nullable(integer(1, MAX_REQUESTS, notes)),
  codes: ({ kind: _, ...notes }) => Type.Unsafe<readonly string[]>({ ...Codes, default: [], ...notes }),
  uniqueness: ({ kind: _, ...notes }) => oneOf(UNIQUENESS, { default: "warn", ...notes }),
  flag: ({ kind: _, ...notes }) => flagOrBit({ default: true, ...notes }),
};

/** The type of a field in a body. */
type Sent<Name extends SendableField> = Name extends FieldOf<"flag"> ? boolean | 0 | 1 : Dealer[Name];

const schemaOf = <Key extends Sendable>(field: Field<Key>): TSchema => SCHEMAS[field.kind](field);

/** The schema of a body in which these fields are required and all others are optional. */
const bodyWith = <Name extends SendableField>(required: readonly Name[]) =>
  Type.Object(
    Object.fromEntries(
      fieldsOf(...(Object.keys(SCHEMAS) as Sendable[])).map((name) => {
        const schema = schemaOf(DEALER_FIELDS[name]);
        return [name, required.some((one) => one === name) ? schema : Type.Optional(schema)];
      }),
    ) as {
      readonly [Key in SendableField]: Key extends Name ? TUnsafe<Sent<Key>> : TOptional<TUnsafe<Sent<Key>>>;
    },
  );

/** Body of POST /api/dealers. */
export const NewDealer = bodyWith(fieldsOf("name", "email"));

/** Body of PUT /api/dealers/:id. All fields are optional. */
export const DealerChanges = bodyWith([]);

export const DEALER_READ_ONLY = fieldsOf("id", "moment");

const initialOf = (kind: Kind): 1 | "warn" | readonly string[] | null => {
  if (kind === "flag") return 1;
  if (kind === "codes") return [];
  return kind === "uniqueness" ? "warn" : null;
};

/** The fields of a dealer with their initial values, in the order of the answer. */
export const UNSET_DEALER = Object.fromEntries(
  Object.entries<Field>(DEALER_FIELDS)
    .filter(([, { kind }]) => kind !== "id")
    .map(([name, { kind }]) => [name, initialOf(kind)]),
) as Pick<
  Dealer,
  FieldOf<"url" | "text" | "long" | "degrees" | "hours" | "networks" | "uniqueness" | "requests" | "codes" | "flag">
>;

/** The values by which lists of dealers can be sorted, and which only some callers may see. */
export const FIGURE_SORTS = [
  "vehicles",
  "age",
  "quality",
  "left_out",
  "refused_keys",
  "last_file",
  "last_change",
] as const;
/** The values by which lists of dealers can be sorted. */
const DEALER_SORTS = ["created", "updated", "name", "city", "state", ...FIGURE_SORTS] as const;
export type DealerSort = (typeof DEALER_SORTS)[number];

/** Query of GET /api/dealers. */
export const DealerQuery = Type.Object({
  state: Type.Optional(requiredText(100, { description: "The whole value. Case does not matter." })),
  city: Type.Optional(requiredText(100, { description: "The whole value. Case does not matter." })),
  active: Type.Optional(flag({ description: "Only active dealers, or only inactive ones." })),
  q: Type.Optional(searchQuery(100, "name, city, state, email, phone or id")),
  needs_help: Type.Optional(
    flag({
      description:
        "Only dealers that need help, or only others: the quality of their vehicles is below 70, channels leave vehicles out, a key is refused often, or rows of the last file failed. What the caller may not see does not count.",
    }),
  ),
  ...orderQuery(
    DEALER_SORTS,
    "The value to sort by. Records with equal values are ordered by id, those without the value come last. The last seven are figures (see `include`), `age` the mean age of the vehicles on the lot.",
  ),
  ...IncludeOfDealers,
  ...PageQuery,
});
export type DealerQuery = Input<typeof DealerQuery>;

export const newDealer = validator(NewDealer, DEALER_READ_ONLY);
export const dealerChanges = validator(DealerChanges, DEALER_READ_ONLY);

/** The fields that a list item contains only if they are set. */
export const LIST_OMITS_UNSET = ["logo_url", "description", "hours", "social_media"] as const;

/** A dealer as a list item, without the long fields that are unset (interface 2.2). */
export const listedDealer = (dealer: Dealer): Partial<Dealer> => {
  const item: { -readonly [Key in keyof Dealer]?: Dealer[Key] } = { ...dealer };
  for (const field of LIST_OMITS_UNSET) if (item[field] === null) delete item[field];
  return item;
};
