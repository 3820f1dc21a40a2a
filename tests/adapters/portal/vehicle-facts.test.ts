import { expect, test } from "bun:test";
import { FLAGS, LOT_FIELDS, labelOf, SHORT_FIELDS } from "../../../adapters/portal/vehicles/vehicle-draft.ts";
import { factsOf } from "../../../adapters/portal/vehicles/vehicle-facts.tsx";
import { VEHICLE_FIELDS, type Vehicle } from "../../../core/vehicles/fields.ts";

/** Fields that the facts call by another word. */
const OTHER_LABELS: Readonly<Record<string, string>> = { listed_at: "Listed", sold_at: "Sold" };

test("the facts of a vehicle have every field that can be sent; its title and long texts stand elsewhere", () => {
  const vehicle = Object.fromEntries(Object.keys(VEHICLE_FIELDS).map((field) => [field, "1"])) as unknown as Vehicle;
  const labels = factsOf({ ...vehicle, stage: "in_prep" }).map(([label]) => label);
  const fields = [...SHORT_FIELDS, ...FLAGS, ...LOT_FIELDS].filter((field) => field !== "title");
  expect(fields.length).toBeGreaterThan(20);
  expect(fields.filter((field) => !labels.includes(OTHER_LABELS[field] ?? labelOf(field)))).toEqual([]);
});
