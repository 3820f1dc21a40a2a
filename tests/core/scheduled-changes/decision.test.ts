import { describe, expect, test } from "bun:test";
import { decisionFor, endStateOf } from "../../../core/scheduled-changes/decision.ts";
import { cancelRefusal } from "../../../core/scheduled-changes/scheduled-changes.ts";
import { JsonRecord } from "../../../core/stored-json.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { vehicleFields } from "../../support/records.ts";

const VERSION = "2026-11-20T09:11:00.000Z";
const RULES = { now: "2026-11-27T16:00:00.000Z", resaleDays: 30 };

const stored = (fields: Partial<Vehicle> = {}): JsonRecord<Vehicle> => {
  const vehicle = { ...vehicleFields(1), price: 20_000, updated_at: VERSION, ...fields };
  return new JsonRecord<Vehicle>(7, vehicle.updated_at, JSON.stringify({ id: 7, ...vehicle }));
};
const decide = (present: JsonRecord<Vehicle> | null, changes: Parameters<typeof decisionFor>[2]["changes"]) =>
  decisionFor(present, { id: 7, version: VERSION }, { ...RULES, changes });

describe("a scheduled change of a vehicle", () => {
  test("is made if the vehicle is as it was when it was scheduled", () => {
    expect(decide(stored(), { price: 18_000 })).toMatchObject({ update: { price: 18_000 }, unique: [] });
    expect(decide(stored(), { price: { percent: -10 } })).toMatchObject({ update: { price: 18_000 } });
    expect(decide(stored(), { price: { add: -500 }, status: "pending" })).toMatchObject({
      update: { price: 19_500, status: "pending" },
    });
  });

  test("sets what differs, and nothing that was not asked for", () => {
    const decided = decide(stored(), { status: "pending" });
    expect("update" in decided && Object.keys(decided.update).includes("price")).toBe(false);
    expect(decide(stored(), { price: 20_000, status: "pending" })).toMatchObject({ update: { status: "pending" } });
  });

  test("is dropped if the vehicle changed meanwhile, or is gone", () => {
    const changed = stored({ updated_at: "2026-11-20T09:11:00.001Z" });
    expect(decide(changed, { price: 1 })).toMatchObject({ id: 7, outcome: "dropped", reason: "changed" });
    expect(decide(null, { price: 1 })).toMatchObject({ id: 7, outcome: "dropped", reason: "gone" });
  });

  test("is dropped if the vehicle cannot have the values", () => {
    const decided = decide(stored({ price: 100 }), { price: { add: -500 } });
    expect(decided).toMatchObject({ outcome: "dropped", reason: "refused" });
    expect(decided).toHaveProperty("message", "price would be -400; it must be from 0 to 100000000");
  });

  test("leaves a vehicle alone that has the values already", () => {
    expect(decide(stored(), { price: 20_000 })).toMatchObject({ outcome: "unchanged", reason: null });
  });

  test("is compared with others if the vehicle is unsold again", () => {
    const sold = stored({ status: "sold", sold_at: VERSION, vin: "1HGBH41JXMN109186", stock_number: null });
    expect(decide(sold, { status: "available" })).toMatchObject({ unique: ["vin"] });
  });
});

test("a scheduled change is done if any vehicle is as it was to be, and dropped if none is", () => {
  expect(endStateOf({ updated: 1, unchanged: 0, dropped: 9 })).toBe("done");
  expect(endStateOf({ updated: 0, unchanged: 1, dropped: 9 })).toBe("done");
  expect(endStateOf({ updated: 0, unchanged: 0, dropped: 9 })).toBe("dropped");
});

test("a scheduled change is cancelled until it begins", () => {
  expect(cancelRefusal("scheduled")).toBeNull();
  for (const state of ["running", "done", "dropped", "cancelled"] as const)
    expect(cancelRefusal(state)?.cause.kind).toBe("schedule-state");
});
