import { describe, expect, test } from "bun:test";
import { fixOf } from "../../../core/readiness/quality-fix.ts";
import { swappedDateOf } from "../../../core/readiness/swapped-date.ts";
import { feedVehicle } from "../channels/invented.ts";

const CREATED = "2026-11-20T09:00:00.000Z";
const { vehicle: GOOD, images } = feedVehicle();
const judged = { ...GOOD, images, imageCount: images.length, created_at: CREATED, status: "available" as const };

describe("a listed date", () => {
  // [listed, what it is the other way round; `undefined` if it is not suspected]
  for (const [listed, right] of [
    ["2026-11-20T00:00:00.000Z", undefined],
    ["2025-10-17T00:00:00.000Z", undefined],
    ["2025-05-12T00:00:00.000Z", "2025-12-05T00:00:00.000Z"],
    ["2027-01-11T00:00:00.000Z", null],
    ["2026-12-10T00:00:00.000Z", "2026-10-12T00:00:00.000Z"],
    ["2026-12-12T00:00:00.000Z", undefined],
    ["2026-12-13T00:00:00.000Z", undefined],
    ["2020-03-04T00:00:00.000Z", null],
    [null, undefined],
  ] as const)
    test(`of ${listed} for a record of ${CREATED} is ${right === undefined ? "not suspected" : (right ?? "suspected, and nothing better is known")}`, () => {
      expect(swappedDateOf({ listed_at: listed, created_at: CREATED })?.right).toBe(right as string);
    });
});

test("a listed date of the moment of its record, or 400 days before it, is usual", () => {
  const created_at = "2026-12-10T09:00:00.000Z";
  const of = (listed_at: string) => swappedDateOf({ listed_at, created_at });
  expect([of(created_at), of("2025-11-05T09:00:00.000Z")]).toEqual([null, null]);
  expect([of("2026-12-10T09:00:00.001Z"), of("2025-11-05T08:59:59.999Z")]).toEqual([
    { right: "2026-10-12T09:00:00.001Z" },
    { right: null },
  ]);
});

test("only what breaks a rule is mended, and only if it is known how", () => {
  expect(fixOf("vin_placeholder", { ...judged, vin: "TBD" })).toEqual({ vin: null });
  expect(fixOf("vin_placeholder", judged)).toEqual({});
  expect(fixOf("vin_placeholder", { ...judged, vin: null })).toEqual({});
  expect(fixOf("vin_placeholder", { ...judged, vin: "TBD", status: "sold" })).toEqual({});
  const swapped = { ...judged, isOfImport: true, listed_at: "2026-12-10T00:00:00.000Z" };
  expect(fixOf("dates_swapped", swapped)).toEqual({ listed_at: "2026-10-12T00:00:00.000Z" });
  expect(fixOf("dates_swapped", { ...swapped, isOfImport: false })).toEqual({});
  expect(fixOf("dates_swapped", { ...swapped, listed_at: "2020-03-04T00:00:00.000Z" })).toEqual({});
});
