import Type from "typebox";
import type { AuditEntry } from "../audit/audit-entry.ts";
import { type FeedSettings, MILEAGE_UNITS } from "../channels/channel.ts";
import { SEVERITIES } from "../channels/issue.ts";
import { linkTemplateFault } from "../channels/link-template.ts";
import { CHANNEL_NAMES, type ChannelName } from "../channels/titles.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import { flagOrBit, type Input, id, integer, isOn, nullable, oneOf, patterned, requiredText, text } from "../schema.ts";
import { validator } from "../validation.ts";
import {
  FILTER_FAULT,
  filterQueryIn,
  type VehicleFilter,
  VehicleFilterBody,
  vehicleFilterOf,
} from "../vehicles/vehicle-filter.ts";

const MAX_DEALERS = 200;
const MAX_STORE_CODE = 100;
const DEFAULT_MAX_DROP_PERCENT = 50;
const MAX_TEMPLATE = 2048;

/** The fields of a feed that callers set. */
export interface FeedFields extends FeedSettings {
  readonly name: string;
  readonly channel: ChannelName;
  /** The dealers whose vehicles the feed has; `null` for all dealers. */
  readonly dealer_ids: readonly number[] | null;
  readonly max_drop_percent: number;
  readonly active: boolean;
}

/** Why a feed is held: at that time it would have had `rows` rows, after `before` rows at the last fetch. */
export interface Held {
  readonly at: Timestamp;
  readonly rows: number;
  readonly before: number;
}

/**
 * The reasons why a feed is not served: it is switched off, it is held, or the person responsible for it may no longer
 * read its vehicles. Channels get a 503 then, and keep their copy.
 */
export const STOP_REASONS = ["off", "held", "not_readable"] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** One request for a feed's file. */
export interface FeedFetch {
  readonly at: Timestamp;
  readonly address: string;
  readonly agent: string | null;
  readonly status: number;
  /** `null` if the rows were not counted. */
  readonly rows: number | null;
  readonly left_out: number | null;
}

/** A feed as the service answers it. The token is not among its fields. */
export interface Feed extends FeedFields {
  readonly id: number;
  readonly held: Held | null;
  /** `null` if the feed is served. */
  readonly stopped: StopReason | null;
  /** The end of the time in which the address from before the last rotation still works. */
  readonly grace_until: Timestamp | null;
  /** The latest 20 fetches, newest first. */
  readonly fetches: readonly FeedFetch[];
  /** The person responsible for the feed. It is served only while they may read its vehicles. */
  readonly by: AuditEntry["actor"];
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

const CURRENCY = patterned({
  pattern: "^[A-Z]{3}$",
  max: 3,
  fault: "must be a currency of ISO 4217, such as USD",
  description: "The currency of the prices (ISO 4217). Default: the currency of the installation.",
  examples: ["USD"],
});
const COUNTRY = patterned({
  pattern: "^[A-Z]{2}$",
  max: 2,
  fault: "must be a country of ISO 3166, such as US",
  description: "The country of the dealers (ISO 3166).",
  examples: ["US"],
});

const optional = {
  dealer_ids: nullable(
    Type.Array(id(), {
      minItems: 1,
      maxItems: MAX_DEALERS,
      uniqueItems: true,
      fault: `must be a list of 1 to ${MAX_DEALERS} different numbers of dealers, or null`,
      description:
        "The ids of the dealers whose vehicles the feed contains. `null` means all dealers that the caller can access. For a bound key, it is replaced by the key's dealer.",
      examples: [[1]],
    }),
  ),
  filters: nullable(VehicleFilterBody),
  link_template: nullable(
    Type.String({
      maxLength: MAX_TEMPLATE,
      fault: `must be text of up to ${MAX_TEMPLATE} characters`,
      description: "The address of a vehicle's page. Names of vehicle fields in braces are replaced by their values.",
      examples: ["https://www.example.com/cars/{stock_number}"],
    }),
  ),
  currency: Type.Optional(CURRENCY),
  country: Type.Optional(COUNTRY),
  store_codes: nullable(
    Type.Record(
      Type.String({ pattern: "^[1-9][0-9]{0,15}$" }),
      Type.String({ minLength: 1, maxLength: MAX_STORE_CODE }),
      {
        additionalProperties: false,
        fault: `must be an object of store codes of 1 to ${MAX_STORE_CODE} characters by the numbers of dealers`,
        description: "The channel's store code of each dealer, by the dealer's id.",
        examples: [{ "1": "HARBOR-1" }],
      },
    ),
  ),
  mileage_unit: Type.Optional(
    oneOf(MILEAGE_UNITS, {
      description: "The unit of the vehicles' mileages. Default: the distance unit of the installation.",
    }),
  ),
  price_type: nullable(
    patterned({
      pattern: "^[a-z][a-z_]{0,59}$",
      max: 60,
      fault: "must be a price type of Google's vehicle ads, such as all_in_price",
      description:
        "What the prices include, as Google's vehicle ads call it: `dealer_price`, `all_in_price` (Canada), `drive_away_price`, `estimated_drive_away_price`, `excluding_government_charges_price` (Australia). `null` for nothing.",
      examples: ["all_in_price"],
    }),
  ),
  max_drop_percent: Type.Optional(
    integer(0, 100, {
      default: DEFAULT_MAX_DROP_PERCENT,
      description: "If the number of rows falls by more than this percentage since the last fetch, the feed is held.",
    }),
  ),
  active: Type.Optional(
    flagOrBit({ description: "If false, the feed is not served, and the channel keeps its last copy." }),
  ),
};

const NAME = requiredText(100, { description: "The name of the feed.", examples: ["Google"] });
const CHANNEL = oneOf(CHANNEL_NAMES, {
  description: "The channel that fetches the feed. It determines the columns and the rules.",
});

/** Body of POST /api/feeds. */
export const NewFeed = Type.Object({ name: NAME, channel: CHANNEL, ...optional });
export type NewFeed = Input<typeof NewFeed>;

/** Body of PUT /api/feeds/:id. Every field is optional. */
export const FeedChanges = Type.Object({
  name: Type.Optional(NAME),
  channel: Type.Optional(CHANNEL),
  ...optional,
});
export type FeedChanges = Input<typeof FeedChanges>;

export const FEED_READ_ONLY = [
  "id",
  "url",
  "held",
  "stopped",
  "grace_until",
  "fetches",
  "by",
  "created_at",
  "updated_at",
] as const;

const MAX_GRACE_SECONDS = 30 * 86_400;

/** Body of POST /api/feeds/:id/rotate. The body may be missing. */
export const FeedRotation = Type.Object({
  grace_seconds: Type.Optional(
    integer(0, MAX_GRACE_SECONDS, {
      default: 0,
      description: "How long the previous address continues to work, in seconds.",
    }),
  ),
});

const cursor = Type.Optional(text(1, 500, { description: "`meta.next_cursor` of the previous page." }));
const limit = (usual: number) =>
  Type.Optional(integer(1, 1000, { default: usual, description: "Maximum number of results." }));

/** Query of GET /api/feeds. */
export const FeedQuery = Type.Object({ limit: limit(100), cursor });
export type FeedQuery = Input<typeof FeedQuery>;

/** Query of GET /api/feeds/:id/preview. */
export const PreviewQuery = Type.Object({ limit: limit(10) });
export type PreviewQuery = Input<typeof PreviewQuery>;

/** Query of GET /api/feeds/:id/readiness/vehicles. */
export const FindingsQuery = Type.Object({
  rule: Type.Optional(
    patterned({
      pattern: "^[a-z_]{1,50}$",
      max: 50,
      fault: "must be the name of a rule, such as price_zero",
      description: "Only vehicles that break this rule.",
      examples: ["price_zero"],
    }),
  ),
  severity: Type.Optional(oneOf(SEVERITIES, { description: "Only vehicles with an error, or with a warning." })),
  field: Type.Optional(
    patterned({
      pattern: "^[a-z_]{1,50}$",
      max: 50,
      fault: "must be the name of a field, such as vin",
      description: "Only vehicles with a problem in this field.",
      examples: ["vin"],
    }),
  ),
  limit: limit(100),
  cursor,
});
export type FindingsQuery = Input<typeof FindingsQuery>;

type Fields = Readonly<Record<string, unknown>>;

/** Issues that the schema of a single field cannot express. */
const issuesOf =
  (clock: Pick<Clock, "now" | "parse">) =>
  ({ link_template, filters }: Fields): Issue[] => {
    const fault = typeof link_template === "string" ? linkTemplateFault(link_template) : null;
    const read = typeof filters === "object" && filters !== null ? feedFilterOf(filters, clock) : null;
    return [
      ...(fault === null ? [] : [{ path: "link_template", message: fault }]),
      ...(read instanceof Failure && read.cause.kind === "invalid"
        ? read.cause.issues.map(({ path, message }) => ({ path: `filters.${path}`, message }))
        : []),
    ];
  };

/** The filters as any object: `issuesOf` looks at each of them. */
const anyFilters = {
  filters: nullable(Type.Unsafe<Input<typeof VehicleFilterBody>>(Type.Object({}, { fault: FILTER_FAULT }))),
};

const newFeed = validator(Type.Object({ ...NewFeed.properties, ...anyFilters }), FEED_READ_ONLY);
const feedChanges = validator(Type.Object({ ...FeedChanges.properties, ...anyFilters }), FEED_READ_ONLY);
export const feedRotation = validator(FeedRotation);

/** Parses a body of POST. Returns a failure if it is invalid. */
export const newFeedIn = (input: unknown, clock: Pick<Clock, "now" | "parse">): Outcome<NewFeed> =>
  newFeed.parse(input, issuesOf(clock));

/** Parses a body of PUT. Returns a failure if it is invalid. */
export const feedChangesIn = (input: unknown, clock: Pick<Clock, "now" | "parse">): Outcome<FeedChanges> =>
  feedChanges.parse(input, issuesOf(clock));

/**
 * The filter for the vehicles of a feed. Unless the feed's filters name a status, only vehicles that are for sale
 * match.
 */
export const feedFilterOf = (filters: object, clock: Pick<Clock, "now" | "parse">): Outcome<VehicleFilter> => {
  const query = filterQueryIn(filters);
  return query instanceof Failure ? query : { status: ["available", "pending"], ...vehicleFilterOf(query, clock) };
};

/**
 * True if the matches can change although no vehicle changes: because time passes, or because the search index changes.
 */
export const isVolatile = ({ as_of, q }: VehicleFilter): boolean => as_of !== undefined || q !== undefined;

/** The installation's defaults for new feeds. */
export type FeedDefaults = Pick<FeedFields, "currency" | "mileage_unit">;

/** The fields of a feed after a change. Fields that were not sent keep their values, or get the defaults. */
export const fieldsAfter = (
  before: FeedFields | (FeedDefaults & Pick<FeedFields, "name" | "channel">),
  { filters, store_codes, active, ...sent }: FeedChanges,
): FeedFields => ({
  dealer_ids: null,
  filters: {},
  link_template: null,
  country: "US",
  store_codes: {},
  price_type: null,
  max_drop_percent: DEFAULT_MAX_DROP_PERCENT,
  active: true,
  ...before,
  ...sent,
  ...(filters !== undefined && { filters: filters ?? {} }),
  ...(store_codes !== undefined && { store_codes: store_codes ?? {} }),
  ...(active !== undefined && { active: isOn(active) }),
});
