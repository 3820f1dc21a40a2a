import Type, { type Static } from "typebox";
import type { Timestamp } from "../clock.ts";
import type { Credentials } from "../egress/credentials.ts";
import { Failure, invalid, type Outcome } from "../failure.ts";
import { ImportListQuery, type ImportOptions, ImportQuery, optionsOf, ownColumnsIn } from "../imports/import.ts";
import type { ImportIssue } from "../imports/import-issue.ts";
import type { Issue } from "../issues.ts";
import { flag, type Input, id, nullable, patterned, requiredText, text, url } from "../schema.ts";
import type { FieldOwners } from "../settings/field-owners.ts";
import { fieldOwnersSchema } from "../settings/field-owners-schema.ts";
import { type Validator, validator } from "../validation.ts";

const { dealer_id: _dealer, columns: _columns, values: _values, ...OTHERS } = ImportQuery.properties;

/** The options of the imports that a source makes. They are those of an import's query, but `columns` is an object. */
const SourceOptions = Type.Object(
  {
    ...OTHERS,
    columns: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
        description:
          "The field for each heading that the service does not know, or `null` for a column that is not read.",
        fault: "must be an object of headings, each with null, images or a field of vehicles",
        examples: [{ "Their price": "price", Notes: null }],
      }),
    ),
  },
  {
    title: "ImportSourceOptions",
    additionalProperties: false,
    description: "The options of the imports, as in the query of `POST /api/imports`.",
  },
);
export type SourceOptions = Static<typeof SourceOptions>;
const options = validator(SourceOptions);

const MAX_CREDENTIAL = 500;

const Basic = Type.Object(
  {
    type: Type.Literal("basic"),
    user: patterned({ pattern: "^[^:\\x00-\\x1f\\x7f]*$", max: MAX_CREDENTIAL, fault: "must have no colon" }),
    password: patterned({
      pattern: "^[^\\x00-\\x1f\\x7f]*$",
      max: MAX_CREDENTIAL,
      fault: "must have no control characters",
    }),
  },
  { additionalProperties: false, title: "BasicCredentials" },
);

const Header = Type.Object(
  {
    type: Type.Literal("header"),
    name: patterned({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$", max: 100, fault: "must be the name of a header" }),
    value: patterned({
      pattern: "^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$",
      max: 2000,
      fault: "must be visible ASCII",
    }),
  },
  { additionalProperties: false, title: "HeaderCredentials" },
);

/** Credentials as they are answered. A change may send them back. */
const ShownBasic = Type.Pick(Basic, ["type", "user"], { additionalProperties: false });
const ShownHeader = Type.Pick(Header, ["type", "name"], { additionalProperties: false });

const AUTH_FAULT = 'must be {"type": "basic", "user", "password"} or {"type": "header", "name", "value"}';

/** Headers that the HTTP client sets itself, or that change the meaning of a request. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set(
  "accept-encoding connection content-encoding content-length expect host if-none-match keep-alive proxy-authorization proxy-connection range te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

const FIELDS = {
  name: requiredText(200, { description: "The name of the source.", examples: ["Nightly file of the DMS"] }),
  url: url({
    description: "The address of the file. It must be https, or may be http in networks that `EGRESS_ALLOW` lists.",
    examples: ["https://files.example.com/lot.csv"],
  }),
  schedule: text(9, 200, {
    description:
      "When the file is fetched, in cron format: minute, hour, day of the month, month, day of the week. Fetches must be at least 15 minutes apart.",
    examples: ["30 2 * * *"],
  }),
  timezone: text(1, 100, {
    description: "The time zone of the schedule (IANA).",
    default: "UTC",
    examples: ["America/Los_Angeles"],
  }),
  auth: Type.Unsafe<Credentials>(
    Type.Union([Basic, Header], {
      description: "Credentials that are sent to the host of the address only. They are never answered.",
      fault: AUTH_FAULT,
    }),
  ),
  options: SourceOptions,
  field_owners: fieldOwnersSchema(
    "Who decides about a field when the file and a person have both changed it since the last file: `file` or `hand`. Fields without an entry have the owner that the settings say.",
  ),
  active: flag({ description: "If false, the file is not fetched on the schedule.", default: true }),
};

/** Body of POST /api/import-sources. */
export const NewSource = Type.Object({
  name: FIELDS.name,
  dealer_id: Type.Optional(
    id({ description: "The dealer of the vehicles in the file. For a bound key, it is replaced by the key's dealer." }),
  ),
  url: FIELDS.url,
  schedule: FIELDS.schedule,
  timezone: Type.Optional(FIELDS.timezone),
  auth: nullable(FIELDS.auth),
  options: Type.Optional(FIELDS.options),
  field_owners: Type.Optional(FIELDS.field_owners),
  active: Type.Optional(FIELDS.active),
});
export type NewSource = Input<typeof NewSource>;

/** Body of PUT /api/import-sources/:id. */
export const SourceChanges = Type.Object({
  name: Type.Optional(FIELDS.name),
  url: Type.Optional(FIELDS.url),
  schedule: Type.Optional(FIELDS.schedule),
  timezone: Type.Optional(FIELDS.timezone),
  auth: nullable(
    Type.Unsafe<Credentials | ShownCredentials>(
      Type.Union([Basic, Header, ShownBasic, ShownHeader], {
        description:
          "Credentials that are sent to the host of the address only. If they are sent as they were answered, without the secret, they stay unchanged.",
        fault: AUTH_FAULT,
      }),
    ),
  ),
  options: Type.Optional(FIELDS.options),
  field_owners: Type.Optional(FIELDS.field_owners),
  active: Type.Optional(FIELDS.active),
});
export type SourceChanges = Input<typeof SourceChanges>;

/** Fields of answers that are ignored in request bodies. */
export const SOURCE_READ_ONLY = ["id", "next_run_at", "failing_since", "runs", "created_at", "updated_at"] as const;

/** Query of GET /api/import-sources. */
export const SourceListQuery = Type.Object({
  dealer_id: Type.Optional(
    id({ description: "Only sources of this dealer. For a bound key, it is replaced by the key's dealer." }),
  ),
  limit: ImportListQuery.properties.limit,
  cursor: ImportListQuery.properties.cursor,
});
export type SourceListQuery = Input<typeof SourceListQuery>;

/** The result of fetching a source once. */
export interface SourceRun {
  readonly at: Timestamp;
  /** The import that was made from the file; `null` if there is none. */
  readonly import_id: number | null;
  /** The status of the HTTP response; `null` if there was no response. */
  readonly status: number | null;
  /** The size of the file as it was sent; `null` if no file was received. */
  readonly bytes: number | null;
  /** What went wrong; `null` if nothing did. */
  readonly problem: string | null;
  /** What the import of the file assumed or left undone; empty if it did not, or has not ended. */
  readonly warnings: readonly ImportIssue[];
}

/** The number of runs that are kept for each source. */
export const MAX_RUNS = 20;

/** Credentials without their secret. */
export type ShownCredentials =
  | { readonly type: "basic"; readonly user: string }
  | { readonly type: "header"; readonly name: string };

/** Credentials as they are answered. */
export const withoutSecret = (auth: Credentials | ShownCredentials): ShownCredentials =>
  auth.type === "basic" ? { type: "basic", user: auth.user } : { type: "header", name: auth.name };

const hasSecret = (auth: Credentials | ShownCredentials): auth is Credentials => "password" in auth || "value" in auth;

/**
 * What a change does to the stored credentials: it sets new ones, removes them (`null`), or keeps them (`undefined`).
 */
export const changedAuth = (
  sent: SourceChanges["auth"],
  stored: ShownCredentials | null,
): Outcome<Credentials | null | undefined> => {
  if (sent === undefined || sent === null || hasSecret(sent)) return sent;
  const isStored = stored !== null && JSON.stringify(withoutSecret(stored)) === JSON.stringify(withoutSecret(sent));
  return isStored ? undefined : invalid({ path: "auth", message: "must have its secret, as it is not the stored one" });
};

/** A source as it is answered. */
export interface Source {
  readonly id: number;
  readonly name: string;
  readonly dealer_id: number;
  readonly url: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly auth: ShownCredentials | null;
  /** The options, with defaults for those that were not sent. */
  readonly options: ImportOptions & Pick<SourceOptions, "charset" | "delimiter" | "mapping">;
  readonly field_owners: FieldOwners;
  readonly active: boolean;
  /** The time of the next fetch by its schedule. */
  readonly next_run_at: Timestamp | null;
  /** The time of the first of its consecutive failures; `null` if the last run was a success. */
  readonly failing_since: Timestamp | null;
  /** The last runs, newest first. */
  readonly runs: readonly SourceRun[];
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

/** The options of a source as the query of an import. */
export const queryOf = ({ columns, ...others }: SourceOptions, dealerId: number): ImportQuery => ({
  ...others,
  dealer_id: dealerId,
  ...(columns !== undefined && { columns: JSON.stringify(columns) }),
});

/** The options of a source as they are answered. Returns a failure if `columns` is invalid. */
export const answeredOptions = (sent: SourceOptions): Outcome<Source["options"]> => {
  const own = ownColumnsIn(JSON.stringify(sent.columns ?? {}));
  if (own instanceof Failure) return own;
  const { charset, delimiter, mapping } = sent;
  return {
    ...optionsOf(queryOf(sent, 1), own),
    ...(charset !== undefined && { charset }),
    ...(delimiter !== undefined && { delimiter }),
    ...(mapping !== undefined && { mapping }),
  };
};

const USER_IN_ADDRESS = /^[^:]+:\/\/[^/?#]*@/;

const issuesUnder = (field: string, failure: Outcome<unknown>): readonly Issue[] =>
  failure instanceof Failure && failure.cause.kind === "invalid"
    ? failure.cause.issues.map(({ path, message }) => ({ path: path === "" ? field : `${field}.${path}`, message }))
    : [];

/** Issues of a body that the schemas of its single fields cannot express. */
export const issuesOf = (fields: Readonly<Record<string, unknown>>): readonly Issue[] => {
  const { url: address, auth, options: sent } = fields as Partial<NewSource>;
  const wanted = sent === undefined ? {} : options.parse(sent);
  return [
    ...(address !== undefined && USER_IN_ADDRESS.test(address)
      ? [{ path: "url", message: "must have no user or password in it; send them as auth" }]
      : []),
    ...(auth?.type === "header" && RESERVED_HEADERS.has(auth.name.toLowerCase())
      ? [{ path: "auth.name", message: "is a header that the service writes itself" }]
      : []),
    ...issuesUnder("options", wanted instanceof Failure ? wanted : answeredOptions(wanted)),
  ];
};

/** The options as any object: `issuesOf` looks at each of them. */
const anyOptions = {
  options: Type.Optional(Type.Unsafe<SourceOptions>(Type.Object({}, { fault: "must be an object" }))),
};

export const newSource: Validator<NewSource> = validator(
  Type.Object({ ...NewSource.properties, ...anyOptions }),
  SOURCE_READ_ONLY,
);
export const sourceChanges: Validator<SourceChanges> = validator(
  Type.Object({ ...SourceChanges.properties, ...anyOptions }),
  [...SOURCE_READ_ONLY, "dealer_id"],
);

/** The scheme, host and port of an address. */
export const originOf = (address: string): string => (/^[^:]+:\/\/[^/?#\\]*/.exec(address)?.[0] ?? "").toLowerCase();
