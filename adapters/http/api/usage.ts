import { Failure } from "../../../core/failure.ts";
import { type Usage, UsageQuery } from "../../../core/keys/usage.ts";
import { ok, type Route, route } from "../protocol/route.ts";
import { UsageAnswer } from "./answers.ts";
import { ByKey } from "./paths.ts";

/** The route of a key's usage. */
export const usageRoutes = (usage: Usage): Route[] => [
  route({
    operation: "key.usage",
    name: "getApiKeyUsage",
    method: "GET",
    path: "/api/keys/:id/usage",
    summary: "Read what a key was used for",
    description:
      "Requests by hour and by what became of them, the last use, and the latest refusals. Kept for 90 days; counted by every instance and added up within 10 seconds.",
    params: ByKey,
    query: UsageQuery,
    answer: { status: 200, schema: UsageAnswer, description: "The key's usage" },
    errors: ["not_found"],
    async handle({ principal, params, query }) {
      const answer = await usage.read(principal, params.id, query);
      return answer instanceof Failure ? answer : ok(answer);
    },
  }),
];
