import Type from "typebox";
import { BULK_OUTCOMES, type Bulk } from "../../../core/bulk/bulk.ts";
import { BulkChange, requestsRemoval } from "../../../core/bulk/bulk-change.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { type Route, route } from "../protocol/route.ts";
import { CHANGE_ID, count, nullable, recordSchema } from "./answers.ts";

const BulkAnswer = recordSchema("BulkResults", {
  dry_run: Type.Boolean(),
  total: count,
  change_id: nullable(CHANGE_ID),
  results: Type.Array(
    recordSchema("BulkResult", {
      id: id(),
      outcome: oneOf(BULK_OUTCOMES),
      issues: Type.Array(recordSchema("BulkIssue", { path: Type.String(), message: Type.String() }), {
        description: "The reasons of a failure. Empty for other outcomes.",
      }),
    }),
  ),
});

/** The route that changes many vehicles (interface 6.1). */
export const bulkRoutes = (bulk: Bulk): Route[] => [
  route({
    operation: "vehicle.bulk",
    name: "changeVehicles",
    method: "POST",
    path: "/api/vehicles/bulk",
    summary: "Change or remove up to 1000 vehicles",
    description:
      "Each vehicle succeeds or fails independently. Changes need `vehicles:write`, removals need `vehicles:delete`, and a filter also needs `vehicles:read`. Vehicles that the key cannot access are `not_found`.",
    body: {
      name: "BulkChange",
      schema: BulkChange,
      readOnly: [],
      example: { ids: [1, 2], changes: { price: { percent: -3 } } },
    },
    answer: { status: 200, schema: BulkAnswer, description: "The result for each vehicle" },
    alsoNeeds: (body) => (requestsRemoval(body) ? "vehicle.delete" : "vehicle.update"),
    errors: ["permission_missing", "confirmation_stale", "search_not_ready", "storage_quota", "storage_full"],
    answers: "record",
    of: ({ principal, body, mayGoOn }) => bulk.change(principal, { input: body, mayGoOn }),
  }),
];
