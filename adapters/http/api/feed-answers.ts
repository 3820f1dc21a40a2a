import Type from "typebox";
import { type Feed, type FeedFetch, type Held, NewFeed, STOP_REASONS } from "../../../core/feeds/feed.ts";
import type { FeedFinding } from "../../../core/feeds/inspections.ts";
import type { ReadinessCounts } from "../../../core/readiness/count.ts";
import { type ReadinessIssue, SEVERITIES } from "../../../core/readiness/issue.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { answerFields, count, dateTime, type FieldsOf, nullable, recordSchema, timestamps } from "./answers.ts";
import { actorAnswer } from "./audit.ts";

const FIELDS = {
  id: id(),
  ...answerFields(NewFeed),
  active: Type.Boolean(),
  held: nullable(
    recordSchema("FeedHeld", {
      at: dateTime,
      rows: count,
      before: Type.Integer({ minimum: 0, description: "How many rows it had when it was fetched before." }),
    } satisfies FieldsOf<Held>),
  ),
  stopped: nullable(
    oneOf(STOP_REASONS, {
      description:
        "Why it is not served now: it is off, held, or whoever answers for it may no longer read its vehicles.",
    }),
  ),
  grace_until: nullable(dateTime),
  fetches: Type.Array(
    recordSchema("FeedFetch", {
      at: dateTime,
      address: Type.String(),
      agent: nullable(Type.String()),
      status: Type.Integer(),
      rows: nullable(count),
      left_out: nullable(Type.Integer({ minimum: 0, description: "How many vehicles its rules kept out." })),
    } satisfies FieldsOf<FeedFetch>),
    { description: "The latest 20, newest first." },
  ),
  by: actorAnswer,
  ...timestamps,
} satisfies FieldsOf<Feed>;

/** A feed, without its address. */
export const FeedAnswer = recordSchema("Feed", FIELDS);
/** A feed with its address. */
export const ShownFeedAnswer = recordSchema("ShownFeed", {
  ...FIELDS,
  url: Type.String({ description: "Where the channel fetches it. Shown only here: it has the token." }),
});

const RULE_FIELDS = {
  rule: Type.String(),
  severity: oneOf(SEVERITIES, { description: "An error leaves the vehicle out." }),
  field: nullable(Type.String({ description: "A field of the vehicle, or a setting of the feed." })),
  message: Type.String({ description: "What is wrong, for people." }),
  fix: Type.String({ description: "What to do about it." }),
};

/** The number of a feed's vehicles that are ready, and what the others lack. */
export const FeedReadinessAnswer = recordSchema("ReadinessOfFeed", {
  ready: count,
  blocked: count,
  warned: Type.Integer({ minimum: 0, description: "Those that are ready, but could be better." }),
  rules: Type.Array(
    recordSchema("FeedRule", { ...RULE_FIELDS, count } satisfies FieldsOf<ReadinessCounts["rules"][number]>),
  ),
} satisfies FieldsOf<ReadinessCounts>);

const text = nullable(Type.String());
/** A vehicle of a feed, with everything that it lacks. */
export const FeedFindingAnswer = recordSchema("FeedFinding", {
  vehicle_id: id(),
  dealer_id: id(),
  year: Type.Integer(),
  make: Type.String(),
  model: Type.String(),
  trim: text,
  vin: text,
  stock_number: text,
  ready: Type.Boolean(),
  issues: Type.Array(recordSchema("FeedIssue", { ...RULE_FIELDS, evidence: text } satisfies FieldsOf<ReadinessIssue>)),
} satisfies FieldsOf<FeedFinding>);

/** The first rows of a feed. */
export const FeedPreviewAnswer = Type.Object(
  {
    data: Type.Array(Type.Object({}, { description: "A row, by the channel's headings." })),
    meta: Type.Object(
      { looked_at: count, left_out: count },
      {
        additionalProperties: false,
        description: "How many vehicles were looked at, and how many of them are left out.",
      },
    ),
  },
  { title: "FeedPreview" },
);
