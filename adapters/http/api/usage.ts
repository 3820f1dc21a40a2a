import Type from "typebox";
import { REFUSED_OUTCOMES, type Refusals } from "../../../core/keys/refusals.ts";
import { type Usage, UsageQuery } from "../../../core/keys/usage.ts";
import type { UsageCounts } from "../../../core/keys/usage-repository.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { type Route, route } from "../protocol/route.ts";
import { dateTime, type FieldsOf, nullable, recordSchema } from "./answers.ts";
import { KeyParams } from "./key-answers.ts";

const outcomes = {
  served: Type.Integer({
    minimum: 0,
    description: "Requests that were answered, including those with a mistake of the client.",
  }),
  denied: Type.Integer({ minimum: 0, description: "Requests that were refused with 403." }),
  limited: Type.Integer({ minimum: 0, description: "Requests above the key's limit, which got 429." }),
  failed: Type.Integer({ minimum: 0, description: "Requests that failed with a status of 500 or above." }),
  unauthorized: Type.Integer({
    minimum: 0,
    description: "Requests after the key or its secret had ended or was revoked.",
  }),
} satisfies FieldsOf<UsageCounts>;

/** The requests of an hour by outcome. */
export const usageHour = recordSchema("UsageHour", { hour: dateTime, ...outcomes });

const refusals = {
  outcome: oneOf(REFUSED_OUTCOMES, {
    description: "`limited`: over the key's limit. `denied`: refused with 403. `unauthorized`: the key had ended.",
  }),
  requests: Type.Integer({ minimum: 1 }),
  first_hour: dateTime,
  last_hour: dateTime,
} satisfies FieldsOf<Refusals>;

const UsageAnswer = recordSchema("ApiKeyUsage", {
  key_id: id(),
  hours: Type.Array(usageHour, { description: "Oldest first. Hours without requests are left out." }),
  last_use: nullable(
    recordSchema("LastUse", { at: dateTime, address: nullable(Type.String()), user_agent: nullable(Type.String()) }),
  ),
  refusals: Type.Array(recordSchema("Refusals", refusals), {
    description: "The refused requests of these hours by kind, the most frequent kind first.",
  }),
  recent_denials: Type.Array(
    recordSchema("Denial", {
      at: dateTime,
      status: Type.Integer(),
      code: Type.String(),
      method: Type.String(),
      route: Type.String({ examples: ["/api/vehicles/:id"] }),
      address: Type.String(),
    }),
    { description: "The latest 20 requests that were denied or unauthorized, newest first." },
  ),
});

/** The route of a key's usage. */
export const usageRoutes = (usage: Usage): Route[] => [
  route({
    operation: "key.usage",
    name: "getApiKeyUsage",
    method: "GET",
    path: "/api/keys/:id/usage",
    summary: "Read the usage of a key",
    description:
      "The number of requests by hour and outcome, the refused ones by kind, the last use, and the latest refused requests. Usage is kept for 90 days, and is complete after up to 10 seconds.",
    params: KeyParams,
    query: UsageQuery,
    answer: { status: 200, schema: UsageAnswer, description: "The key's usage" },
    errors: ["not_found"],
    answers: "record",
    of: ({ principal, params, query }) => usage.read(principal, params.id, query),
  }),
];
