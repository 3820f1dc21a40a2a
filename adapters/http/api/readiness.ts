import Type from "typebox";
import { type ReadinessIssue, RULES, type Rule, SEVERITIES } from "../../../core/channels/issue.ts";
import { CHANNEL_NAMES } from "../../../core/channels/titles.ts";
import type { ReadinessCounts } from "../../../core/readiness/count.ts";
import {
  type AnsweredQuality,
  type FeedReadiness,
  QualityQuery,
  type Readiness,
  type VehicleReadiness,
} from "../../../core/readiness/readiness.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { type Route, route } from "../protocol/route.ts";
import { count, type FieldsOf, nullable, recordSchema } from "./answers.ts";
import { VehicleParams } from "./vehicles.ts";

/** The fields that issues and their counts have in common. */
const RULE_FIELDS = {
  rule: oneOf(Object.keys(RULES) as Rule[], {
    description: "The rule that is broken. docs/channels.md lists all rules.",
  }),
  severity: oneOf(SEVERITIES, { description: "An error keeps the vehicle out of feeds." }),
  field: nullable(Type.String({ description: "The field to correct. `null` if there is no such field." })),
  message: Type.String({ description: "A message for people about what is wrong." }),
  fix: Type.String({ description: "How to correct it." }),
};

const Issue = recordSchema("ReadinessIssue", {
  ...RULE_FIELDS,
  evidence: nullable(Type.String({ description: "The value with the problem, shortened." })),
} satisfies FieldsOf<ReadinessIssue>);

const RuleCount = recordSchema("ReadinessRule", { ...RULE_FIELDS, count } satisfies FieldsOf<
  ReadinessCounts["rules"][number]
>);

const ReadinessAnswer = recordSchema("VehicleReadiness", {
  feeds: Type.Array(
    recordSchema("FeedReadiness", {
      feed_id: id(),
      channel: oneOf(CHANNEL_NAMES),
      ready: Type.Boolean({ description: "True if the feed contains the vehicle, because there is no error." }),
      issues: Type.Array(Issue),
    } satisfies FieldsOf<FeedReadiness>),
    { description: "The feeds that would contain the vehicle, as far as the caller can access them." },
  ),
  quality: Type.Array(Issue, { description: "Problems by the service's own rules. Sold vehicles have none." }),
} satisfies FieldsOf<VehicleReadiness>);

const QualityAnswer = recordSchema("Quality", {
  dealer_id: nullable(id({ description: "`null` for the vehicles of all dealers." })),
  vehicles: Type.Integer({
    minimum: 0,
    description: "The number of vehicles that were rated, which are those that are not sold.",
  }),
  score: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        "The average score of the vehicles. A vehicle has 100, minus 25 for each error and 10 for each warning, but at least 0.",
    }),
  ),
  rules: Type.Array(RuleCount, {
    description: "The rules that vehicles break: errors first, then by the number of vehicles.",
  }),
} satisfies FieldsOf<AnsweredQuality>);

/** Routes of readiness and quality (interface 6.1). */
export const readinessRoutes = (readiness: Readiness): Route[] => [
  route({
    operation: "vehicle.readiness",
    name: "getVehicleReadiness",
    method: "GET",
    path: "/api/vehicles/:id/readiness",
    summary: "Check the listing of a vehicle",
    description:
      "Says what keeps the vehicle out of feeds and what makes its listing worse, in words for dealers. The vehicle is compared with other vehicles of the same dealer.",
    params: VehicleParams,
    answer: { status: 200, schema: ReadinessAnswer, description: "The problems, and how to correct them" },
    errors: ["not_found", "not_your_dealer"],
    answers: "record",
    of: ({ principal, params }) => readiness.vehicle(principal, params.id),
  }),
  route({
    operation: "vehicle.quality",
    name: "getQuality",
    method: "GET",
    path: "/api/quality",
    summary: "Rate the listings of vehicles",
    description:
      "Rates the listings of all vehicles that are not sold by the service's own rules. Each vehicle is compared with the others of its dealer. For a bound key, `dealer_id` is replaced by the key's dealer.",
    query: QualityQuery,
    answer: { status: 200, schema: QualityAnswer, description: "The score, and the rules that vehicles break" },
    errors: [],
    answers: "record",
    of: ({ principal, query }) => readiness.quality(principal, query),
  }),
];
