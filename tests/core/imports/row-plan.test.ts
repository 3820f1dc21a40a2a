import { describe, expect, test } from "bun:test";
import { Candidates } from "../../../core/imports/candidates.ts";
import type { LoadedBatch, ReadRow } from "../../../core/imports/row-decision.ts";
import { comparedOf, decidedRow, newPhotosOf, planOf, type RowPlan } from "../../../core/imports/row-plan.ts";
import { SeenRows } from "../../../core/imports/seen-rows.ts";
import { isSameValue } from "../../../core/imports/values/cell-readers.ts";
import type { RowValues } from "../../../core/imports/values/values.ts";
import { NO_DUPLICATES } from "../../../core/vehicles/duplicates.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { fakeClock } from "../../support/clock.ts";
import { MOMENT, vehicleFields } from "../../support/records.ts";
import { superAdminKey } from "../callers.ts";

const PHOTO = `photo:${"a".repeat(32)}/${"b".repeat(32)}/public`;
const [FIRST, SECOND, BAD] = [
  "https://a.example.com/1.jpg",
  "https://a.example.com/2.jpg",
  "https://a.example.com/bad",
];

const KEY = { vin: "1HGCM82633A004352", stock_number: "B 7" };
const STORED: Vehicle = { ...vehicleFields(1, { ...KEY, price: 8500 }), id: 7 };
const NEW = { make: "Honda", model: "Civic", year: 2020, price: 9000 };
const NEW_KEY = { vin: "2HGCM82633A004353", stock_number: "N 1" };

const RULES = {
  max: 2,
  issuesOf: (address: string) => (address === BAD ? [{ path: "", message: "is bad" }] : []),
};

interface Given {
  readonly sent?: Partial<RowValues>;
  readonly batch?: Partial<LoadedBatch>;
  readonly stored?: Partial<Vehicle>;
  readonly rules?: object;
}

const batchWith = ({ batch = {}, stored = {} }: Given): LoadedBatch => {
  const candidates = new Candidates();
  candidates.add({ ...STORED, ...stored });
  return {
    by: superAdminKey(),
    seen: new SeenRows(),
    options: { mode: "upsert", match: "auto", images: "replace" },
    isCheck: false,
    resaleDays: 14,
    isLenient: true,
    nameOf: (field) => `their ${field}`,
    isSame: isSameValue,
    candidates,
    images: new Map([[7, [{ id: 70, address: FIRST, isPrimary: true }]]]),
    photoOf: (_, address) => address,
    soldPrices: new Map(),
    bases: new Map(),
    newBases: [],
    dealers: new Set([1]),
    ...batch,
  };
};

const planned = (given: Given): ReturnType<typeof planOf> => {
  const row: ReadRow = {
    values: {
      fields: {},
      images: null,
      key: KEY,
      exported: null,
      dealerId: 1,
      errors: [],
      warnings: [],
      ...given.sent,
    },
    dealerId: 1,
  };
  const context = { clock: fakeClock(Date.parse(MOMENT)), rules: { ...RULES, ...given.rules } };
  return planOf(row, batchWith(given), context);
};
const planFor = (given: Given): RowPlan => {
  const plan = planned(given);
  if ("outcome" in plan) throw new Error(`the row is ${plan.outcome} by itself`);
  return plan;
};
const resultOf = (given: Given) =>
  decidedRow(
    planFor(given),
    { duplicates: NO_DUPLICATES, namesForeignPhoto: false },
    { batch: batchWith(given), rules: { ...RULES, ...given.rules } },
  );
const OF_NEW = { key: NEW_KEY, fields: { ...NEW, ...NEW_KEY } };

test("a row fails by itself if it names no vehicle of a dealer, or values that no vehicle can have", () => {
  expect(planned({ batch: { dealers: new Set() } })).toMatchObject({
    outcome: "failed",
    errors: [{ path: "their dealer_id", code: "dealer_unknown" }],
  });
  const failed = { sent: { fields: { price: -1 } }, batch: { isLenient: false } };
  expect(planned(failed)).toMatchObject({ outcome: "failed", errors: [{ path: "their price" }] });
});

describe("a row of a vehicle that is there", () => {
  test("changes the fields that differ, from what they are", () => {
    const { result } = resultOf({ sent: { fields: { price: 9000, mileage: 10 } }, stored: { mileage: null } });
    expect(result).toMatchObject({
      outcome: "updated",
      vehicle_id: 7,
      wasThere: true,
      changes: { price: [8500, 9000], mileage: [null, 10] },
    });
    expect(Object.keys(result.changes)).toEqual(["price", "mileage"]);
    expect(resultOf({})).toMatchObject({ result: { outcome: "unchanged", changes: {} }, wanted: null });
    expect(resultOf({ stored: { status: "sold", sold_at: MOMENT } }).result.wasThere).toBe(false);
  });

  test("changes its images, and is changed by that", () => {
    expect(resultOf({ sent: { images: [FIRST, SECOND] } })).toMatchObject({
      result: { outcome: "updated", changes: { images: [[FIRST], [FIRST, SECOND]] }, elsewhere: [FIRST, SECOND] },
      wanted: [FIRST, SECOND],
    });
    expect(resultOf({ sent: { images: [FIRST] } })).toMatchObject({
      result: { outcome: "unchanged", changes: {}, elsewhere: [FIRST] },
      wanted: null,
    });
    expect(resultOf({ sent: { images: [FIRST] }, batch: { isCheck: true } }).result.elsewhere).toBeUndefined();
  });

  test("keeps its images, with a warning, if one is no image or they are too many", () => {
    for (const [images, code, elsewhere] of [
      [[SECOND, BAD], "value_invalid", []],
      [[FIRST, SECOND, `${SECOND}?3`], "too_many_images", [FIRST]],
    ] as const) {
      const given = { sent: { images } };
      expect(resultOf(given)).toMatchObject({
        result: { outcome: "unchanged", warnings: [{ path: "their images", code }], elsewhere },
        wanted: null,
      });
      const item = resultOf({ ...given, batch: { isLenient: false } });
      expect(item).toMatchObject({ result: { outcome: "failed", errors: [{ path: "their images", code }] } });
    }
    expect(resultOf({ sent: { fields: { price: 1 } }, batch: { isLenient: false } }).result.outcome).toBe("updated");
  });

  test("says which photos of the service its vehicle gets, in the form in which they are stored", () => {
    const plan = planFor({
      sent: { images: [FIRST, "photo", SECOND] },
      rules: { storedForm: (address: string) => (address === "photo" ? PHOTO : null) },
    });
    expect([plan.sent.images, newPhotosOf(plan)]).toEqual([[FIRST, PHOTO, SECOND], [PHOTO]]);
    const images = new Map([[7, [{ id: 70, address: PHOTO, isPrimary: true }]]]);
    expect(newPhotosOf(planFor({ sent: { images: [PHOTO, SECOND] }, batch: { images } }))).toEqual([]);
    const both = resultOf({ sent: { images: [PHOTO, SECOND] }, batch: { images } });
    expect(both.result.elsewhere).toEqual([SECOND]);
    expect(newPhotosOf(planFor({}))).toEqual([]);
  });

  test("says for the next file what its own file says of images, and nothing of them if that has none", () => {
    const plan = planFor({
      sent: { images: [FIRST, SECOND] },
      batch: { photoOf: (_, address) => (address === FIRST ? PHOTO : address) },
    });
    expect([plan.sent.images, plan.images.said.images]).toEqual([
      [PHOTO, SECOND],
      [FIRST, SECOND],
    ]);
    expect(planFor({}).images.said).toEqual({});
  });

  test("keeps a VIN of which the file's is a typing error, with a warning", () => {
    const key = { vin: "1M8GDM9AXKPO42788", stock_number: "B 7" };
    const { result } = resultOf({ sent: { key, fields: key }, stored: { vin: "1M8GDM9AXKP042788" } });
    expect(result).toMatchObject({ vehicle_id: 7, warnings: [{ path: "their vin", code: "vin_kept" }] });
  });

  test("changes a sale from what is known of it, and does not name what becomes of one that ends", () => {
    const stored = { status: "sold", sold_at: MOMENT } as const;
    const priced = resultOf({ sent: { fields: { sold_price: 8000 } }, stored });
    expect(priced.result.changes).toEqual({ sold_price: [null, 8000] });
    const back = resultOf({ sent: { fields: { status: "available", undo_sale: true } }, stored });
    expect(Object.keys(back.result.changes)).toEqual(["status"]);
  });

  test("leaves images alone that people changed since the last file said the same", () => {
    const merging = { source: "uploads", isOn: true, ownerOf: () => "hand" as const, formerlyCalled: () => [] };
    const bases = new Map([[7, { images: [SECOND] }]]);
    const wantedOf = (isOn: boolean) =>
      resultOf({ sent: { images: [SECOND] }, batch: { merging: { ...merging, isOn }, bases } }).wanted;
    expect([wantedOf(true), wantedOf(false)]).toEqual([null, [SECOND]]);
    const { kept } = resultOf({ sent: { images: [SECOND] }, batch: { merging, bases } }).result;
    expect(kept).toEqual([{ field: "images", file: [SECOND], ours: [FIRST] }]);
  });
});

test("a row of a new vehicle sets what it says", () => {
  const { result } = resultOf({ sent: { ...OF_NEW, images: [FIRST] } });
  expect(result).toMatchObject({ outcome: "created", vehicle_id: null, wasThere: false, kept: [] });
  expect(result.changes).toEqual({
    ...Object.fromEntries(Object.entries(OF_NEW.fields).map(([field, value]) => [field, [null, value]])),
    images: [[], [FIRST]],
  });
});

test("a row of a new vehicle does not set what it clears", () => {
  const fields = { ...OF_NEW.fields, mileage: null };
  expect(Object.keys(resultOf({ sent: { ...OF_NEW, fields } }).result.changes)).toEqual(Object.keys(OF_NEW.fields));
});

test("a check knows the stock numbers that earlier rows would give, which other rows find as vehicles", () => {
  const outcomeOf = (isCheck: boolean, stock_number: string) => {
    const seen = new SeenRows();
    seen.add({ dealer_id: 1, vin: "other", stock_number, vehicle_id: null, outcome: "created" });
    return planned({ sent: OF_NEW, batch: { isCheck, seen } });
  };
  expect(outcomeOf(true, "n 1")).toMatchObject({ outcome: "failed", errors: [{ code: "match_conflict" }] });
  expect(outcomeOf(true, "n 2")).toMatchObject({ decision: { outcome: "created" } });
  expect(outcomeOf(false, "n 1")).toMatchObject({ decision: { outcome: "created" } });
});

describe("where a dealer refuses duplicates", () => {
  const refusesDuplicates = true;
  const comparedIn = (given: Given, refuses = refusesDuplicates) =>
    comparedOf(planFor(given), { refusesDuplicates: refuses } as Parameters<typeof comparedOf>[1]);

  test("a new vehicle is compared by both keys, if it has any", () => {
    expect(comparedIn({ sent: OF_NEW })).toEqual({ vehicle: { ...NEW_KEY, dealer_id: 1 }, except: null });
    const withoutVin = { key: { ...NEW_KEY, vin: null }, fields: { ...NEW, stock_number: "N 1" } };
    expect(comparedIn({ sent: withoutVin })).toMatchObject({ vehicle: { vin: null, stock_number: "N 1" } });
    const without = { key: { vin: null, stock_number: null }, fields: NEW };
    const options = { mode: "create", match: "auto", images: "replace" } as const;
    expect(comparedIn({ sent: without, batch: { options } })).toBeNull();
    expect(comparedIn({ sent: OF_NEW }, false)).toBeNull();
  });

  test("one that is there is compared with all others by the keys that change", () => {
    const stored = { stock_number: null };
    expect(comparedIn({ stored, sent: { fields: { stock_number: "B 7" } } })).toEqual({
      vehicle: { vin: null, stock_number: "B 7", dealer_id: 1 },
      except: 7,
    });
    expect(comparedIn({ stored })).toBeNull();
  });
});
