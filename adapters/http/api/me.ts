import Type from "typebox";
import { PermissionPairs } from "../../../core/access/permission-pairs.ts";
import { ASSOCIATIONS } from "../../../core/access/principal.ts";
import { type Me, PRINTED_DEALER_FIELDS, type ReadMe } from "../../../core/keys/me.ts";
import { APP_TYPES } from "../../../core/permissions.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { type Route, route } from "../protocol/route.ts";
import { count, dateTime, type FieldsOf, nullable, recordSchema } from "./answers.ts";
import { DealerAnswer } from "./dealers.ts";

const MeAnswer = recordSchema("Me", {
  key: Type.Object(
    {
      id: id(),
      name: Type.String(),
      app_type: oneOf(APP_TYPES),
      association: oneOf(ASSOCIATIONS),
      expires_at: nullable(dateTime),
      public: Type.Boolean({ description: "True for a key that pages may show to everybody." }),
      allowed_networks: nullable(Type.Array(Type.String())),
    } satisfies FieldsOf<Me["key"]>,
    { additionalProperties: false },
  ),
  dealer: nullable(
    Type.Pick(DealerAnswer, PRINTED_DEALER_FIELDS, { title: "DealerOfKey", additionalProperties: false }),
  ),
  bound_dealer_id: nullable(id()),
  permissions: PermissionPairs,
  limits: Type.Object(
    {
      per_minute: Type.Integer({ minimum: 1, description: "The requests a minute of the tightest limit." }),
      remaining: count,
      reset_seconds: count,
    } satisfies FieldsOf<Me["limits"]>,
    { additionalProperties: false, description: "The same as in the header `RateLimit` of this answer." },
  ),
  address: Type.String({ description: "The address that the request came from, as the service sees it." }),
} satisfies FieldsOf<Me>);

/** The route by which a key asks about itself (interface 6.4). People who sign in to the portal have no key. */
export const meRoutes = (me: ReadMe): Route[] => [
  route({
    operation: "key.me",
    name: "getMe",
    method: "GET",
    path: "/api/me",
    summary: "Read the key that asks",
    description:
      "Allowed for every key. The answer has the key without its secret, its dealer as a website prints it, its permissions, and what is left of its limit. The request counts for the limit.",
    answer: { status: 200, schema: MeAnswer, description: "The key, and its dealer if it is bound to one" },
    errors: [],
    answers: "record",
    of: ({ principal, arrival }) => me(principal, arrival),
  }),
];
