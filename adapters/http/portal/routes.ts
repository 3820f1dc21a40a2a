import Type from "typebox";
import { Failure } from "../../../core/failure.ts";
import type { OverviewOfKeys } from "../../../core/keys/overview.ts";
import type { Usage } from "../../../core/keys/usage.ts";
import type { Names } from "../../../core/names/names.ts";
import { id, patterned } from "../../../core/schema.ts";
import { count, nullable, recordSchema } from "../api/answers.ts";
import { KeyAnswer } from "../api/key-answers.ts";
import { usageHour } from "../api/usage.ts";
import { ok, type Route, route } from "../protocol/route.ts";

const SparklineAnswer = recordSchema("ApiKeySparkline", {
  key_id: id(),
  hours: Type.Array(count, {
    description: "The number of requests in each of the last 24 hours, ending with the present one.",
  }),
  refused: Type.Array(count, { description: "How many of them were refused." }),
});

const OverviewAnswer = recordSchema("Overview", {
  requests: Type.Array(usageHour),
  expiring_keys: Type.Array(KeyAnswer),
  expiring_total: count,
  idle_keys: Type.Array(KeyAnswer),
  idle_total: count,
  unused_keys: Type.Array(KeyAnswer),
  unused_total: count,
  most_refused: Type.Array(KeyAnswer),
  refused_total: count,
  active_keys: count,
  vehicles: nullable(count),
  dealers: nullable(count),
});

const IDS = patterned({
  pattern: "^[1-9][0-9]{0,14}(?:,[1-9][0-9]{0,14}){0,99}$",
  max: 1600,
  fault: "must be 1 to 100 numbers of keys, separated by commas",
  examples: ["1,2,3"],
});

interface UseCases {
  readonly usage: Usage;
  readonly overview: OverviewOfKeys;
  readonly names: Names;
}

/** Routes of the portal that the API does not have. */
export const portalRoutes = ({ usage, overview, names }: UseCases): Route[] => [
  route({
    operation: "key.usage",
    name: "listApiKeySparklines",
    method: "GET",
    path: "/api/key-usage",
    summary: "Read the requests of several keys in the last 24 hours",
    query: Type.Object({ ids: IDS }),
    answer: {
      status: 200,
      schema: Type.Array(SparklineAnswer),
      description: "The requests of the keys that the caller can see",
    },
    errors: [],
    answers: "record",
    of: ({ principal, query }) => usage.sparklines(principal, query.ids.split(",").map(Number)),
  }),
  route({
    operation: "overview.read",
    name: "getOverview",
    method: "GET",
    path: "/api/overview",
    summary: "Read recent activity, and what needs attention",
    answer: { status: 200, schema: OverviewAnswer, description: "The overview" },
    errors: [],
    async handle({ principal }) {
      const answer = await overview.read(principal);
      if (answer instanceof Failure) return answer;
      // The names are added as for `include=names`.
      const expiring_keys = await names.addTo(principal, answer.expiring_keys);
      const idle_keys = await names.addTo(principal, answer.idle_keys);
      const unused_keys = await names.addTo(principal, answer.unused_keys);
      const most_refused = await names.addTo(principal, answer.most_refused);
      return ok({ ...answer, expiring_keys, idle_keys, unused_keys, most_refused });
    },
  }),
];
