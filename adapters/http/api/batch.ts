import Type from "typebox";
import {
  BATCH_OUTCOMES,
  type BatchAnswer,
  type Batches,
  BatchRequest,
  type BatchResult,
  MAX_ITEMS,
} from "../../../core/imports/batch.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { type Route, route } from "../protocol/route.ts";
import { CHANGE_ID, count, type FieldsOf, nullable, recordSchema } from "./answers.ts";

/** The maximum number of fields in an item. No valid body has as many. */
const MAX_FIELDS = 40;

const issues = (description: string) =>
  Type.Array(recordSchema("BatchIssue", { path: Type.String(), code: Type.String(), message: Type.String() }), {
    description,
  });

const Answer = recordSchema("BatchResults", {
  results: Type.Array(
    recordSchema("BatchResult", {
      index: count,
      outcome: oneOf(BATCH_OUTCOMES),
      vehicle_id: nullable(id()),
      errors: issues("Why it failed, with paths such as `items[3].price`."),
      warnings: issues("What is odd with it."),
    } satisfies FieldsOf<BatchResult>),
  ),
  counts: recordSchema("BatchCounts", {
    created: count,
    updated: count,
    unchanged: count,
    failed: count,
    skipped: count,
  } satisfies FieldsOf<BatchAnswer["counts"]>),
  change_id: nullable(CHANGE_ID),
} satisfies FieldsOf<BatchAnswer>);

/** The route that creates and changes several vehicles (interface 6.1). */
export const batchRoutes = (batches: Batches): Route[] => [
  route({
    operation: "vehicle.batch",
    name: "writeVehicles",
    method: "POST",
    path: "/api/vehicles/batch",
    summary: `Create or change up to ${MAX_ITEMS} vehicles`,
    description:
      "The vehicles of items are found by VIN or stock number, as in an import. If an item has no vehicle yet, it is created. Each item succeeds or fails independently; 100 items are one transaction. An item that changes nothing is `unchanged`.",
    body: {
      name: "VehicleBatch",
      schema: BatchRequest,
      readOnly: [],
      maxMembers: MAX_ITEMS * MAX_FIELDS,
      example: {
        items: [{ dealer_id: 1, stock_number: "A1043", make: "Honda", model: "Accord", year: 2003, price: 4500 }],
      },
    },
    answer: { status: 200, schema: Answer, description: "The result for each item" },
    errors: ["storage_quota", "storage_full"],
    answers: "record",
    of: ({ principal, body, mayGoOn }) => batches.write(principal, { input: body, mayGoOn }),
  }),
];
