import Type from "typebox";
import type { Timestamp } from "../clock.ts";
import { orderQuery, PageQuery } from "../page.ts";
import { email, flag, flagOrBit, type Input, nullable, requiredText, text, url } from "../schema.ts";
import { searchQuery } from "../search/query.ts";
import { isStorable } from "../text.ts";
import { validator } from "../validation.ts";

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

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

const SocialMedia = Type.Refine(
  Type.Record(Type.String(), url(), {
    maxProperties: MAX_NETWORKS,
    fault: `must be an object of up to ${MAX_NETWORKS} network names of 1 to 100 characters, each with an http or https address`,
    examples: [{ mastodon: "https://social.example.com/@harbor" }],
  }),
  (networks) => Object.keys(networks).every((name) => name !== "" && [...name].length <= 100 && isStorable(name)),
);

/** A dealer as answered (interface 2.2). */
export interface Dealer {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly phone: string;
  readonly email: string;
  readonly website: string | null;
  readonly logo_url: string | null;
  readonly description: string | null;
  readonly hours: Input<typeof Hours> | null;
  readonly social_media: Readonly<Record<string, string>> | null;
  readonly active: 0 | 1;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

const required = {
  name: requiredText(100, { examples: ["Harbor Motors"] }),
  address: requiredText(200, { examples: ["12 Quay Street"] }),
  city: requiredText(100, { examples: ["Portland"] }),
  state: requiredText(100, { examples: ["OR"] }),
  zip: requiredText(100, { examples: ["97201"] }),
  phone: requiredText(100, { examples: ["503-555-0142"] }),
  email: email(),
};

const optional = {
  website: nullable(url({ examples: ["https://harbor.example.com"] })),
  logo_url: nullable(url({ examples: ["https://harbor.example.com/logo.png"] })),
  description: nullable(text(0, 20_000)),
  hours: nullable(Hours),
  social_media: nullable(SocialMedia),
  active: Type.Optional(flagOrBit({ default: true, description: "Answered as 0 or 1." })),
};

/** Body of POST /api/dealers. */
export const NewDealer = Type.Object({ ...required, ...optional });

/** Body of PUT /api/dealers/:id: any of the fields. */
export const DealerChanges = Type.Object({ ...Type.Partial(Type.Object(required)).properties, ...optional });

export const DEALER_READ_ONLY = ["id", "created_at", "updated_at"] as const;

/** What lists of dealers can be sorted by. */
const DEALER_SORTS = ["created", "updated", "name", "city", "state"] as const;
export type DealerSort = (typeof DEALER_SORTS)[number];

/** Query of GET /api/dealers. */
export const DealerQuery = Type.Object({
  state: Type.Optional(requiredText(100, { description: "Whole value, without regard to case." })),
  city: Type.Optional(requiredText(100, { description: "Whole value, without regard to case." })),
  active: Type.Optional(flag({ description: "Only active dealers, or only inactive ones." })),
  q: Type.Optional(searchQuery(100, "name, city, state, email, phone or id")),
  ...orderQuery(DEALER_SORTS),
  ...PageQuery,
});
export type DealerQuery = Input<typeof DealerQuery>;

export const newDealer = validator(NewDealer, DEALER_READ_ONLY);
export const dealerChanges = validator(DealerChanges, DEALER_READ_ONLY);

/** Fields that a list item leaves out if they are unset. */
export const LIST_OMITS_UNSET = ["logo_url", "description", "hours", "social_media"] as const;

/** A dealer as a list item: long fields are left out if they are unset (interface 2.2). */
export const listedDealer = (dealer: Dealer): Partial<Dealer> => {
  const item: { -readonly [Key in keyof Dealer]?: Dealer[Key] } = { ...dealer };
  for (const field of LIST_OMITS_UNSET) if (item[field] === null) delete item[field];
  return item;
};
