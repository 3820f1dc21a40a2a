import Type from "typebox";
import { type ReadinessIssue, SEVERITIES } from "../../../core/channels/issue.ts";
import { type Feed, type FeedFetch, type Held, NewFeed, STOP_REASONS } from "../../../core/feeds/feed.ts";
import type { FeedFinding } from "../../../core/feeds/inspections.ts";
import type { ReadinessCounts } from "../../../core/readiness/count.ts";
import { id, oneOf } from "../../../core/schema.ts";
import {
  answerFields,
  count,
  dateTime,
  type FieldsOf,
  nullable,
  recordSchema,
  shownBefore,
  timestamps,
} from "./answers.ts";
import { actorAnswer } from "./audit.ts";

const FIELDS = {
  id: id(),
  ...answerFields(NewFeed),
  active: Type.Boolean(),
  held: nullable(
    recordSchema("FeedHeld", {
      at: dateTime,
      rows: count,
      before: Type.Integer({ minimum: 0, description: "The number of rows at the previous fetch." }),
    } satisfies FieldsOf<Held>),
  ),
  stopped: nullable(
    oneOf(STOP_REASONS, {
      description:
        "Why the feed is not served: it is switched off or held, or the person responsible for it may no longer read its vehicles.",
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
      left_out: nullable(Type.Integer({ minimum: 0, description: "The number of vehicles that the rules left out." })),
    } satisfies FieldsOf<FeedFetch>),
    { description: "The latest 20 fetches, newest first." },
  ),
  by: actorAnswer,
  ...timestamps,
} satisfies FieldsOf<Feed>;

/** A feed, without its address. */
export const FeedAnswer = recordSchema("Feed", FIELDS);
/** A feed with its address. */
export const ShownFeedAnswer = recordSchema("ShownFeed", {
  ...FIELDS,
  url: nullable(
    Type.String({
      description:
        "The address from which the channel fetches the feed. It contains the token and is shown only in this answer.",
    }),
  ),
  ...shownBefore,
});

const RULE_FIELDS = {
  rule: Type.String(),
  severity: oneOf(SEVERITIES, { description: "Vehicles with an error are left out." }),
  field: nullable(Type.String({ description: "A field of the vehicle, or a setting of the feed." })),
  message: Type.String({ description: "A message for people about what is wrong." }),
  fix: Type.String({ description: "How to correct it." }),
};

/** The number of a feed's vehicles that are ready, and what the others lack. */
export const FeedReadinessAnswer = recordSchema("ReadinessOfFeed", {
  ready: count,
  blocked: count,
  warned: Type.Integer({ minimum: 0, description: "Vehicles that are ready but have warnings." }),
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
  image_url: nullable(Type.String({ description: "The address of its first image. `null` if it has none." })),
  issues: Type.Array(recordSchema("FeedIssue", { ...RULE_FIELDS, evidence: text } satisfies FieldsOf<ReadinessIssue>)),
} satisfies FieldsOf<FeedFinding>);

/** The first rows of a feed. */
export const FeedPreviewAnswer = Type.Object(
  {
    data: Type.Array(Type.Object({}, { description: "The cells of a row by the channel's headings." })),
    meta: Type.Object(
      { looked_at: count, left_out: count },
      {
        additionalProperties: false,
        description: "The number of vehicles that were examined, and how many of them are left out.",
      },
    ),
  },
  { title: "FeedPreview" },
);
