import Type from "typebox";
import { CHANNEL_NAMES } from "../../../core/channels/titles.ts";
import { Failure } from "../../../core/failure.ts";
import type { ReadinessCounts } from "../../../core/readiness/count.ts";
import { type ReadinessIssue, RULES, type Rule, SEVERITIES } from "../../../core/readiness/issue.ts";
import {
  type AnsweredQuality,
  type FeedReadiness,
  QualityQuery,
  type Readiness,
  type VehicleReadiness,
} from "../../../core/readiness/readiness.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { ok, type Route, route } from "../protocol/route.ts";
import { count, type FieldsOf, nullable, recordSchema } from "./answers.ts";
import { VehicleParams } from "./vehicles.ts";

/** The fields that issues and their counts have in common. */
const RULE_FIELDS = {
  rule: oneOf(Object.keys(RULES) as Rule[], { description: "docs/channels.md has them all." }),
  severity: oneOf(SEVERITIES, { description: "An error keeps a vehicle out of feeds." }),
  field: nullable(Type.String({ description: "The field to mend; `null` if it is none." })),
  message: Type.String({ description: "What is wrong, in words for people." }),
  fix: Type.String({ description: "What to do about it." }),
};

const Issue = recordSchema("ReadinessIssue", {
  ...RULE_FIELDS,
  evidence: nullable(Type.String({ description: "The value that is meant, shortened." })),
} satisfies FieldsOf<ReadinessIssue>);

const RuleCount = recordSchema("ReadinessRule", { ...RULE_FIELDS, count } satisfies FieldsOf<
  ReadinessCounts["rules"][number]
>);

const ReadinessAnswer = recordSchema("VehicleReadiness", {
  feeds: Type.Array(
    recordSchema("FeedReadiness", {
      feed_id: id(),
      channel: oneOf(CHANNEL_NAMES),
      ready: Type.Boolean({ description: "The feed has the vehicle: there is no error." }),
      issues: Type.Array(Issue),
    } satisfies FieldsOf<FeedReadiness>),
    { description: "Each feed in reach that would have the vehicle." },
  ),
  quality: Type.Array(Issue, { description: "What the service itself finds wrong or odd; nothing of a sold vehicle." }),
} satisfies FieldsOf<VehicleReadiness>);

const QualityAnswer = recordSchema("Quality", {
  dealer_id: nullable(id({ description: "`null` for the vehicles of all dealers." })),
  vehicles: Type.Integer({ minimum: 0, description: "How many were judged: those that are not sold." }),
  score: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: "The mean over the vehicles of 100 less 25 for each error and 10 for each warning, none below 0.",
    }),
  ),
  rules: Type.Array(RuleCount, { description: "By how many vehicles break them, errors first." }),
} satisfies FieldsOf<AnsweredQuality>);

/** Routes of readiness and quality (interface 6.1). */
export const readinessRoutes = (readiness: Readiness): Route[] => [
  route({
    operation: "vehicle.readiness",
    name: "getVehicleReadiness",
    method: "GET",
    path: "/api/vehicles/:id/readiness",
    summary: "Tell what is wrong with a vehicle's listing",
    description:
      "What keeps the vehicle out of feeds, and what makes its listing worse, in words that a dealer understands. Other vehicles of the same dealer are compared with it.",
    params: VehicleParams,
    answer: { status: 200, schema: ReadinessAnswer, description: "What is wrong, and what to do" },
    errors: ["not_found", "not_your_dealer"],
    async handle({ principal, params }) {
      const found = await readiness.vehicle(principal, params.id);
      return found instanceof Failure ? found : ok(found);
    },
  }),
  route({
    operation: "vehicle.quality",
    name: "getQuality",
    method: "GET",
    path: "/api/quality",
    summary: "Rate the listings of vehicles",
    description:
      "How good the listings of all vehicles that are not sold are by the service's own rules. Each is compared with those of its own dealer. A bound key's dealer replaces `dealer_id`.",
    query: QualityQuery,
    answer: { status: 200, schema: QualityAnswer, description: "The score, and the rules that vehicles break" },
    errors: [],
    async handle({ principal, query }) {
      const quality = await readiness.quality(principal, query);
      return quality instanceof Failure ? quality : ok(quality);
    },
  }),
];
