import { describe, expect, test } from "bun:test";
import { Candidates } from "../../../core/imports/candidates.ts";
import {
  aboutRow,
  decideAbout,
  idsOf,
  type LoadedBatch,
  type ReadRow,
  undecided,
  withoutDealer,
} from "../../../core/imports/row-decision.ts";
import { decidedRow, planOf, type ReadForPlan } from "../../../core/imports/row-plan.ts";
import { SeenRows } from "../../../core/imports/seen-rows.ts";
import { isSameValue } from "../../../core/imports/values/cell-readers.ts";
import type { RowValues } from "../../../core/imports/values/values.ts";
import { NO_DUPLICATES } from "../../../core/vehicles/duplicates.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { fakeClock } from "../../support/clock.ts";
import { MOMENT, vehicleFields } from "../../support/records.ts";
import { superAdminKey } from "../callers.ts";

const values = (fields: Partial<RowValues> = {}): RowValues => ({
  fields: {},
  images: null,
  key: { vin: "1HGCM82633A004352", stock_number: "B 7" },
  exported: null,
  dealerId: 1,
  errors: [],
  warnings: [],
  ...fields,
});
const row = (fields: Partial<RowValues> = {}, more: Partial<ReadRow> = {}): ReadRow => ({
  values: values(fields),
  dealerId: 1,
  ...more,
});
const nameOf = (field: string): string => `their ${field}`;
const undecidedOf = (one: ReadRow) => undecided(one, aboutRow(one, { match: "auto" }), nameOf);

describe("a row is called", () => {
  const both = { vin: "V1", stock_number: "S1" };
  test.each([
    ["by its VIN", "auto", both, "V1"],
    ["by its stock number, if it has no VIN", "auto", { ...both, vin: null }, "S1"],
    ["by its stock number, if that finds its vehicle", "stock_number", both, "S1"],
    ["by its VIN even then, if it has no stock number", "stock_number", { ...both, stock_number: null }, "V1"],
    ["nothing, if it has neither", "auto", { vin: null, stock_number: null }, null],
    [
      "by the beginning of a long key, without half a character",
      "auto",
      { ...both, vin: `${"x".repeat(99)}🚗` },
      `${"x".repeat(99)}\uFFFD`,
    ],
  ] as const)("%s", (_, match, key, shown) => {
    expect(aboutRow(row({ key }), { match }).key).toBe(shown);
  });
});

describe("nothing is decided about a row", () => {
  const skipped = { path: "", code: "no_vehicle", message: "is no vehicle" };
  const problem = { code: "quote_unclosed", message: "has a quote without its end" } as NonNullable<ReadRow["problem"]>;

  test("that is no vehicle: it is skipped, without a key", () => {
    expect(undecidedOf(row({ skipped, warnings: [{ path: "vin", code: "a", message: "b" }] }))).toMatchObject({
      outcome: "skipped",
      key: null,
      compared: { vin: null, stock_number: null },
      warnings: [skipped],
      errors: [],
    });
  });

  test("that is unreadable as a whole, whether or not it looks like a vehicle", () => {
    for (const fields of [{}, { skipped }])
      expect(undecidedOf(row(fields, { problem }))).toMatchObject({ outcome: "failed", errors: [problem] });
  });

  test("that names no dealer, or one by a code that nobody has, unless its dealer was reported already", () => {
    const without = { dealerId: null };
    const path = "their dealer_id";
    expect(undecidedOf(row({}, without))?.errors).toMatchObject([{ path, code: "dealer_missing" }]);
    const coded = undecidedOf(row({ dealerCode: "N1" }, without));
    expect(coded?.errors).toMatchObject([{ path, code: "dealer_unknown", message: expect.stringContaining("N1") }]);
    const said = { path, code: "value_invalid", message: "is no id" };
    const other = { path: "their price", code: "value_invalid", message: "is no price" };
    expect(undecidedOf(row({ errors: [other, said] }, without))?.errors).toEqual([other, said]);
    expect(undecidedOf(row({ errors: [other] }, without))?.errors).toMatchObject([other, { code: "dealer_missing" }]);
    const one = row({ errors: [other] });
    const fault = { path, code: "dealer_unknown", message: "dealer 1 does not exist" };
    expect(withoutDealer(aboutRow(one, { match: "auto" }), one.values, fault).errors).toEqual([other, fault]);
  });

  test("while everything is decided about any other", () => {
    expect(undecidedOf(row())).toBeNull();
  });
});

test("a row finds the vehicle that was exported to it, and those that the last file called so", () => {
  const exported = { id: 8, createdAt: "2026-01-01T00:00:00.000Z" };
  const merging = {
    source: "uploads",
    isOn: true,
    ownerOf: () => "file" as const,
    formerlyCalled: (dealer: number, key: { readonly vin: string | null }) =>
      key.vin === null ? [] : [dealer * 10 + 3],
  };
  expect(idsOf(values(), 1, null)).toEqual([]);
  expect(idsOf(values({ exported }), 1, null)).toEqual([8]);
  expect(idsOf(values({ exported }), 1, merging)).toEqual([8, 13]);
  expect(idsOf(values(), 1, merging)).toEqual([13]);
});

describe("about a vehicle that is there,", () => {
  const stored: Vehicle = {
    ...vehicleFields(1, { vin: "1HGCM82633A004352", stock_number: "B 7", price: 8500 }),
    id: 7,
  };
  const candidates = new Candidates();
  candidates.add(stored);
  const merging = { source: "uploads", ownerOf: () => "hand" as const, formerlyCalled: () => [] };
  const batchWith = (fields: Partial<LoadedBatch> = {}): LoadedBatch => ({
    by: superAdminKey(),
    seen: new SeenRows(),
    options: { mode: "upsert", match: "auto", images: "keep" },
    isCheck: false,
    resaleDays: 14,
    isLenient: true,
    nameOf,
    isSame: isSameValue,
    candidates,
    images: new Map(),
    photoOf: (_, address) => address,
    soldPrices: new Map(),
    bases: new Map([[7, { price: 9000 }]]),
    newBases: [],
    dealers: new Set([1]),
    ...fields,
  });
  const decide = (fields: Partial<LoadedBatch>, sent: Partial<RowValues> = { fields: { price: 9000 } }) => {
    const one = row({ key: { vin: stored.vin, stock_number: stored.stock_number }, ...sent });
    const about = { ...aboutRow(one, { match: "auto" }), dealerId: 1 };
    return decideAbout(one, about, { batch: batchWith(fields), clock: fakeClock(Date.parse(MOMENT)) }).decision;
  };

  test("a price that a person corrected stays, while the file says of it what its last one said", () => {
    expect(decide({ merging: { ...merging, isOn: true } })).toMatchObject({ outcome: "unchanged", vehicle: { id: 7 } });
    for (const fields of [{ merging: { ...merging, isOn: false } }, {}])
      expect(decide(fields)).toMatchObject({ outcome: "updated", update: { price: 9000 } });
    const withoutLast = { merging: { ...merging, isOn: true }, bases: new Map() };
    expect(decide(withoutLast)).toMatchObject({ outcome: "updated" });
  });

  test("a bad cell costs its field in a file, and the whole item in a batch", () => {
    const bad = { fields: { price: -1 } };
    expect(decide({ isLenient: true }, bad)).toMatchObject({ outcome: "unchanged" });
    expect(decide({ isLenient: false }, bad)).toMatchObject({ outcome: "failed", errors: [{ path: nameOf("price") }] });
  });

  test("a second row of a file fails, unless this service wrote the file", () => {
    const seen = new SeenRows();
    const key = { vin: "1hgcm82633a004352", stock_number: "b 7" };
    seen.add({ dealer_id: 1, ...key, vehicle_id: null, outcome: "unchanged" });
    const duplicate = { outcome: "failed", errors: [{ code: "duplicate_in_file" }] };
    expect(decide({ seen })).toMatchObject(duplicate);
    const exported = { id: 7, createdAt: stored.created_at };
    expect(decide({ seen }, { exported })).toMatchObject({ outcome: "unchanged" });
    seen.add({ dealer_id: 1, vin: null, stock_number: null, vehicle_id: 7, outcome: "unchanged" });
    expect(decide({ seen }, { exported })).toMatchObject(duplicate);
  });

  test("a stock number that finds another make, model and year finds nothing", () => {
    const key = { vin: null, stock_number: stored.stock_number };
    const fields = { make: "Kia", model: "Rio", year: stored.year - 9 };
    expect(decide({}, { key, fields })).toMatchObject({ outcome: "failed", errors: [{ code: "match_implausible" }] });
    expect(decide({}, { key, fields: { ...fields, model: stored.model } })).toMatchObject({ outcome: "updated" });
  });

  test("a duplicate that its dealer refuses fails the row; a photo of another dealer fails an item, and leaves the images in a file", () => {
    const rules = { max: 3, issuesOf: () => [] };
    const foreign = { path: nameOf("images"), code: "value_invalid" };
    const decided = (fields: Partial<LoadedBatch>, read: Partial<ReadForPlan>) => {
      const key = { vin: stored.vin, stock_number: stored.stock_number };
      const one = row({ key, fields: { price: 9000 }, images: ["https://a.example.com/1.jpg"] });
      const batch = batchWith({ ...fields, options: { mode: "upsert", match: "auto", images: "replace" } });
      const plan = planOf(one, batch, { clock: fakeClock(Date.parse(MOMENT)), rules });
      if ("outcome" in plan) throw new Error(`the row is ${plan.outcome} by itself`);
      const all = { duplicates: NO_DUPLICATES, namesForeignPhoto: false, ...read };
      return decidedRow(plan, all, { batch, rules });
    };
    expect(decided({}, {})).toMatchObject({ result: { outcome: "updated", errors: [] }, wanted: { length: 1 } });
    const refused = { code: "duplicate_vehicle", path: nameOf("vin") };
    expect(decided({}, { duplicates: { vin: [8], stock_number: [] } })).toMatchObject({
      result: { outcome: "failed", errors: [refused] },
    });
    const named = { namesForeignPhoto: true };
    expect(decided({ isLenient: false }, named)).toMatchObject({ result: { outcome: "failed", errors: [foreign] } });
    expect(decided({}, named)).toMatchObject({ result: { outcome: "updated", warnings: [foreign] }, wanted: null });
  });
});
