import { Failure } from "../../core/failure.ts";
import { type Usage, UsageQuery } from "../../core/keys/usage.ts";
import { UsageAnswer } from "./answers.ts";
import { ById } from "./paths.ts";
import { ok, type Route, route } from "./route.ts";

/** The route of what a key was used for. */
export const usageRoutes = (usage: Usage): Route[] => [
  route({
    operation: "key.usage",
    method: "GET",
    path: "/api/keys/:id/usage",
    summary: "Read what a key was used for",
    description:
      "Requests by hour and by what became of them, the last use, and the latest refusals. Kept for 90 days; counted by every instance and added up within 10 seconds.",
    params: ById,
    query: UsageQuery,
    answer: { status: 200, schema: UsageAnswer, description: "The key's usage" },
    async handle({ principal, params, query }) {
      const answer = await usage.read(principal, params.id, query);
      return answer instanceof Failure ? answer : ok(answer);
    },
  }),
];
