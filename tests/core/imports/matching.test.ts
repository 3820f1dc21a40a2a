import { describe, expect, test } from "bun:test";
import { Candidates } from "../../../core/imports/candidates.ts";
import { formerlyCalledIn } from "../../../core/imports/former-keys.ts";
import type { ImportIssue } from "../../../core/imports/import-issue.ts";
import { comparedKey, decideRow, isAnotherOne, type RowContext, type SentRow } from "../../../core/imports/matching.ts";
import type { Base } from "../../../core/imports/merge.ts";
import { needsConfirmation } from "../../../core/imports/missing.ts";
import { isSameValue } from "../../../core/imports/values/cell-readers.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { fakeClock } from "../../support/clock.ts";
import { MOMENT, vehicleFields } from "../../support/records.ts";

const DEALER = 1;
const vehicle = (id: number, fields: Partial<Vehicle>): Vehicle => ({ ...vehicleFields(DEALER, fields), id });

/** The dealer's vehicles, by the keys that rows can name. */
const LOT: readonly Vehicle[] = [
  vehicle(1, { vin: "VIN-A", stock_number: "stock-a" }),
  vehicle(2, { vin: "VIN-B2", stock_number: "stock-b" }),
  vehicle(3, { stock_number: "stock-c" }),
  vehicle(4, { stock_number: "ÜBERGRÖSSE" }),
  vehicle(5, { stock_number: "Twice" }),
  vehicle(6, { stock_number: "tWICE" }),
  vehicle(7, { vin: "VIN-D" }),
  vehicle(8, { vin: "VIN-E" }),
  vehicle(9, { vin: "vin-e" }),
  vehicle(10, { vin: "VIN-F", stock_number: "pair" }),
  vehicle(11, { stock_number: "pair" }),
  vehicle(12, { vin: "no VIN", stock_number: "gone", status: "sold" }),
  vehicle(13, { vin: "VIN-13", stock_number: "sold", status: "sold" }),
  vehicle(14, { vin: "VIN-14", stock_number: "again", status: "sold" }),
  vehicle(15, { vin: "VIN-15", stock_number: "again" }),
];

const NEW = { make: "Honda", model: "Civic", year: 2020, price: 9000 };

const rowOf = (vin: string | null, stock_number: string | null, more: Partial<SentRow> = {}): SentRow => ({
  key: { vin, stock_number },
  exported: null,
  fields: {},
  errors: [],
  warnings: [],
  ...more,
});

const HEADINGS: Readonly<Record<string, string>> = { year: "Year", price: "Price", make: "Make", vin: "VIN" };

const contextOf = (
  options: Partial<RowContext["options"]> = {},
  more: Partial<Omit<RowContext, "options">> = {},
): RowContext => ({
  clock: fakeClock(Date.parse(MOMENT)),
  dealerId: DEALER,
  options: { mode: "upsert", match: "auto", ...options },
  vehicles: LOT,
  soldPrices: new Map(),
  resaleDays: 14,
  nameOf: (field) => HEADINGS[field] ?? field,
  isSame: isSameValue,
  ...more,
});

const codesOf = (errors: readonly ImportIssue[]): string => errors.map(({ code }) => code).join();

/** The id of the vehicle that a row is about, `new`, or why there is none. */
const found = (row: SentRow, context: RowContext): number | string => {
  const decision = decideRow(row, context);
  if (decision.outcome === "failed") return codesOf(decision.errors);
  return decision.outcome === "created" ? "new" : decision.vehicle.id;
};

type Found = number | string;
type Options = Partial<RowContext["options"]>;
const CONFLICT = "match_conflict";

describe("the vehicle of a row", () => {
  // [VIN, stock number, options, the vehicle]
  const ROWS: readonly (readonly [vin: string | null, stock: string | null, options: Options, found: Found])[] = [
    ["VIN-A", null, {}, 1],
    ["vin-a", null, {}, 1],
    ["VIN-A", "stock-a", {}, 1],
    ["VIN-A", "nobody's", {}, 1],
    [null, "STOCK-B", {}, 2],
    [null, "übergröße", {}, 4],
    // A stock number finds a vehicle for another VIN only while it has none.
    ["NEW", "stock-c", {}, 3],
    ["NEW", "stock-b", {}, CONFLICT],
    ["VIN-A", "stock-b", {}, CONFLICT],
    ["VIN-D", "stock-c", {}, CONFLICT],
    // What stands in the place of a VIN is none.
    ["NEW", "stock-a", {}, 1],
    ["NEW", "gone", {}, 12],
    ["NEW", "sold", {}, "new"],
    // Those that are not sold are meant first.
    [null, "again", {}, 15],
    [null, "sold", {}, 13],
    ["NEW", "again", {}, CONFLICT],
    ["VIN-14", "again", {}, 14],
    ["VIN-15", "again", {}, 15],
    // A VIN that only looks different is the same, also of a sold vehicle.
    ["VIN-I5", "again", {}, 15],
    ["VIN-I3", "sold", {}, 13],
    ["NEW", "again", { match: "stock_number" }, 15],
    // Several have it.
    [null, "twice", {}, "match_ambiguous"],
    ["NEW", "twice", {}, "match_ambiguous"],
    ["VIN-E", null, {}, "match_ambiguous"],
    ["VIN-E", "stock-a", {}, "match_ambiguous"],
    ["VIN-F", "pair", {}, 10],
    ["VIN-A", "pair", {}, CONFLICT],
    // Nobody has it.
    ["NEW", null, {}, "new"],
    [null, "new", {}, "new"],
    ["NEW", "new", {}, "new"],
    [null, null, {}, "key_missing"],
    // A key that no vehicle can have finds none, and no other than the other key's.
    ["x".repeat(1000), "stock-c", {}, 3],
    ["x".repeat(1000), null, {}, "new"],
    ["VIN-A", "x".repeat(1000), {}, 1],
    // By the VIN alone.
    ["VIN-A", "stock-b", { match: "vin" }, 1],
    ["NEW", "stock-c", { match: "vin" }, "new"],
    [null, "stock-a", { match: "vin" }, "key_missing"],
    // By the stock number alone.
    ["VIN-A", "stock-b", { match: "stock_number" }, 2],
    ["VIN-B2", "stock-c", { match: "stock_number" }, 3],
    ["VIN-A", null, { match: "stock_number" }, "key_missing"],
    // Only new vehicles, or only known ones.
    ["NEW", null, { mode: "create" }, "new"],
    [null, null, { mode: "create" }, "new"],
    ["VIN-A", null, { mode: "create" }, "vehicle_exists"],
    ["VIN-A", null, { mode: "update" }, 1],
    ["NEW", null, { mode: "update" }, "vehicle_not_found"],
  ];
  for (const [vin, stock, options, expected] of ROWS)
    test(`with the VIN ${vin?.slice(0, 9)} and the stock number ${stock?.slice(0, 9)}, ${JSON.stringify(options)}: ${expected}`, () => {
      expect(found(rowOf(vin, stock, { fields: NEW }), contextOf(options))).toBe(expected);
    });

  test("is another one if make, model and year all differ, and the last file said none of them", () => {
    const [known] = LOT;
    if (known === undefined) throw new Error("the lot is empty");
    const fields = { make: "Other", model: "Others", year: 1999 };
    expect(isAnotherOne(fields, known, null)).toBe(true);
    expect(isAnotherOne(fields, known, { make: "Other" })).toBe(false);
    expect(isAnotherOne({ ...fields, year: known.year }, known, null)).toBe(false);
  });

  test("keeps its right VIN where the file has a typing error of it, and the row says so", () => {
    const right = "1M8GDM9AXKP042788";
    const vehicles = [vehicle(16, { vin: right, stock_number: "typed" })];
    const changed = (vin: string) => {
      const decision = decideRow(rowOf(vin, "typed", { fields: { vin, price: 1 } }), contextOf({}, { vehicles }));
      if (decision.outcome === "failed" || decision.outcome === "created") throw new Error(decision.outcome);
      return [decision.vehicle.id, decision.warnings.map(({ code }) => code)];
    };
    expect(changed("1M8GDM9AXKPO42788")).toEqual([16, ["vin_kept"]]);
    expect(changed(right)).toEqual([16, []]);
  });

  test("without the key that it is matched by is said to lack that key", () => {
    const messageOf = (match: RowContext["options"]["match"]) => {
      const decision = decideRow(rowOf(null, null), contextOf({ match }));
      return decision.outcome === "failed" ? decision.errors.map(({ message }) => message) : [];
    };
    expect([messageOf("auto"), messageOf("vin"), messageOf("stock_number")]).toEqual([
      ["has neither a VIN nor a stock number"],
      ["has no VIN"],
      ["has no stock number"],
    ]);
  });

  // Rows of a check, where an earlier row of another VIN creates a vehicle with the stock number:
  // [VIN, stock number, the vehicle, the vehicle without that row].
  const TAKEN: readonly (readonly [vin: string | null, stock: string | null, found: Found, otherwise: Found])[] = [
    ["NEW", "new", CONFLICT, "new"],
    ["VIN-A", "new", CONFLICT, 1],
    ["VIN-A", "stock-a", 1, 1],
    ["NEW", "stock-c", 3, 3],
    ["NEW", null, "new", "new"],
    [null, "new", "new", "new"],
    ["VIN-E", "new", "match_ambiguous", "match_ambiguous"],
    ["VIN-A", "sold", CONFLICT, 1],
    ["NEW", "sold", CONFLICT, "new"],
  ];
  for (const [vin, stock, expected, otherwise] of TAKEN)
    test(`with the VIN ${vin} and a stock number ${stock} that an earlier row creates: ${expected}`, () => {
      const row = rowOf(vin, stock, { fields: NEW });
      expect(found(row, contextOf({}, { isStockTaken: true }))).toBe(expected);
      expect(found(row, contextOf())).toBe(otherwise);
    });
});

describe("the vehicle of a row of an export", () => {
  const EXPORTED = { id: 1, createdAt: MOMENT };
  // [VIN, stock number, options, the vehicle]
  const ROWS: readonly (readonly [vin: string | null, stock: string | null, options: Options, found: Found])[] = [
    [null, null, {}, 1],
    ["VIN-A", "stock-a", {}, 1],
    ["another", "new", {}, 1],
    ["VIN-B2", null, {}, CONFLICT],
    [null, "stock-b", {}, CONFLICT],
    ["VIN-A", "stock-b", {}, CONFLICT],
    ["VIN-B2", null, { match: "vin" }, 2],
    // A sold one has given its stock number away.
    ["VIN-A", "sold", {}, 1],
  ];
  for (const [vin, stock, options, expected] of ROWS)
    test(`with the VIN ${vin} and the stock number ${stock}, ${JSON.stringify(options)}: ${expected}`, () => {
      expect(found(rowOf(vin, stock, { exported: EXPORTED, fields: {} }), contextOf(options))).toBe(expected);
    });

  test("may be a sold one whose stock number another has by now", () => {
    const row = rowOf("VIN-14", "again", { exported: { ...EXPORTED, id: 14 } });
    expect(found(row, contextOf())).toBe(14);
  });

  test("is the one with that id that was made at that moment, not one that has the id now", () => {
    const row = rowOf(null, "stock-b", { exported: { ...EXPORTED, createdAt: "2020-01-01T00:00:00.000Z" } });
    expect(found(row, contextOf())).toBe(2);
    expect(found(rowOf(null, "stock-b", { exported: { ...EXPORTED, id: 99 } }), contextOf())).toBe(2);
  });
});

describe("what a row does", () => {
  const of = (fields: SentRow["fields"], options: Options = {}, more: Partial<RowContext> = {}) =>
    decideRow(rowOf("VIN-A", null, { fields }), contextOf(options, more));

  test("is nothing if every value is the same", () => {
    expect(of({ make: "Toyota", year: 2024 }).outcome).toBe("unchanged");
  });

  test("is a change of the fields that differ, and of no others", () => {
    expect(of({ make: "Toyota", price: 5 })).toMatchObject({ outcome: "updated", update: { price: 5 } });
    expect(Object.keys((of({ make: "Toyota", price: 5 }) as { update: object }).update)).toEqual(["price"]);
  });

  test("is what the owner of a field says, if the file and people both changed it since the last file", () => {
    const base: Base = { exterior_color: "red", mileage: 10 };
    const merge = {
      baseOf: () => base,
      ownerOf: (field: string) => (field === "exterior_color" ? "hand" : "file"),
    } as const;
    const vehicles = [vehicle(1, { vin: "VIN-A", exterior_color: "blue", mileage: 20 })];
    expect(of({ exterior_color: "green", mileage: 30 }, {}, { vehicles, merge })).toMatchObject({
      update: { mileage: 30 },
      kept: [{ field: "exterior_color", file: "green", ours: "blue" }],
    });
  });

  test("makes a sold vehicle of a snapshot available again, unless the row has a status", () => {
    const vehicles = [vehicle(1, { vin: "VIN-A", status: "sold", sold_at: MOMENT })];
    expect(of({}, { mode: "snapshot" }, { vehicles })).toMatchObject({ update: { status: "available" } });
    expect(of({ status: "sold" }, { mode: "snapshot" }, { vehicles }).outcome).toBe("unchanged");
    expect(of({}, {}, { vehicles }).outcome).toBe("unchanged");
    expect(of({}, { mode: "snapshot" }).outcome).toBe("unchanged");
  });

  test("is a new vehicle with all its fields, those that the service fills in as well", () => {
    expect(decideRow(rowOf("NEW", null, { fields: NEW }), contextOf())).toMatchObject({
      outcome: "created",
      fields: { ...NEW, dealer_id: DEALER, title: "2020 Honda Civic", status: "available", created_at: MOMENT },
    });
  });

  const errorsOf = (row: SentRow): readonly (readonly [string, string])[] => {
    const decision = decideRow(row, contextOf());
    return decision.outcome === "failed" ? decision.errors.map(({ path, code }) => [path, code] as const) : [];
  };
  const UNREADABLE: ImportIssue = { path: "Year", code: "not_a_number", message: "is not a number" };

  test("fails for each wrong and each missing value, by the headings of the file", () => {
    const { year: _, ...others } = NEW;
    expect(errorsOf(rowOf("NEW", null, { fields: { ...others, price: -1 } })).toSorted()).toEqual([
      ["Price", "value_invalid"],
      ["Year", "value_missing"],
    ]);
    expect(errorsOf(rowOf("VIN-A", null, { fields: { price: -1 } }))).toEqual([["Price", "value_invalid"]]);
  });

  test("fails for a vehicle that is in doubt alone, whatever its values are", () => {
    expect(errorsOf(rowOf("VIN-A", "stock-b", { fields: { price: -1 } }))).toEqual([["", "match_conflict"]]);
  });

  test("fails for values that the vehicle cannot have as it is", () => {
    expect(errorsOf(rowOf("VIN-A", null, { fields: { sold_at: MOMENT } }))).toEqual([["sold_at", "value_invalid"]]);
  });

  test("fails for what could not be read, which is not called missing as well", () => {
    const { year: _, ...others } = NEW;
    const errors = [UNREADABLE];
    expect(errorsOf(rowOf("NEW", null, { fields: others, errors }))).toEqual([["Year", "not_a_number"]]);
    expect(errorsOf(rowOf("NEW", null, { fields: NEW, errors }))).toEqual([["Year", "not_a_number"]]);
    expect(errorsOf(rowOf("VIN-A", null, { fields: { price: 5 }, errors }))).toEqual([["Year", "not_a_number"]]);
    expect(errorsOf(rowOf(null, null, { errors }))).toEqual([
      ["Year", "not_a_number"],
      ["", "key_missing"],
    ]);
    expect(errorsOf(rowOf(null, null, { fields: { price: -1, year: 1500 } }))).toEqual([
      ["", "key_missing"],
      ["Price", "value_invalid"],
      ["Year", "value_invalid"],
    ]);
    expect(errorsOf(rowOf("NEW", null, { fields: { ...others, price: -1 }, errors }))).toEqual([
      ["Year", "not_a_number"],
      ["Price", "value_invalid"],
    ]);
  });
});

describe("keys", () => {
  test("are compared without regard to case, a VIN's in ASCII only", () => {
    expect(comparedKey({ vin: "VIN-Ä", stock_number: "GROSSE Ä" })).toEqual(
      comparedKey({ vin: "vin-Ä", stock_number: "große ä" }),
    );
    expect(comparedKey({ vin: "Ä", stock_number: null })).not.toEqual(comparedKey({ vin: "ä", stock_number: null }));
  });

  test("that no vehicle can have are none: too long, or what databases do not store", () => {
    const of = (vin: string, stock_number: string) => comparedKey({ vin, stock_number });
    expect(of("\0", "\uD800")).toEqual({ vin: null, stock_number: null });
    // A character takes up to two units.
    expect(of("x".repeat(64), "x".repeat(128))).toEqual({ vin: "x".repeat(64), stock_number: "x".repeat(128) });
    expect(of("x".repeat(65), "x".repeat(129))).toEqual({ vin: null, stock_number: null });
  });
});

describe("the vehicle that the last file called so", () => {
  const civic = { make: "Honda", model: "Civic", year: 2020, price: 1 };
  const car = (id: number, fields: Partial<Vehicle>): Vehicle => vehicle(id, { ...civic, ...fields });
  const SAID: Readonly<Record<number, Base>> = {
    1: { vin: "V1", stock_number: "S1", make: "Honda", model: "Civic", year: 2020 },
    2: { stock_number: "s2" },
    3: { stock_number: "S3" },
    4: { stock_number: "S4" },
    5: { vin: "V5", stock_number: "S5" },
    7: { vin: "V7", stock_number: "S7" },
    9: { vin: "V9", stock_number: "S9" },
    10: { stock_number: "S5" },
    12: { vin: "V12", stock_number: "S12" },
  };
  const context = contextOf(
    {},
    {
      vehicles: [
        // Their keys were corrected: 2 to 4 have exchanged their numbers in a circle.
        car(1, { vin: "W1", stock_number: "S1A" }),
        car(2, { stock_number: "S3" }),
        car(3, { stock_number: "S4" }),
        car(4, { stock_number: "S2" }),
        car(5, { vin: "V5", stock_number: "S5" }),
        car(6, { vin: "V6", stock_number: "S1" }),
        car(7, { vin: "V7", stock_number: "S7A", status: "sold" }),
        car(8, { stock_number: "S7" }),
        car(10, { stock_number: "S5A" }),
        car(9, { vin: "V9", stock_number: "S9A", status: "sold" }),
        car(12, { stock_number: "S12A" }),
      ],
      saidOf: (id) => SAID[id] ?? null,
    },
  );
  // [VIN, stock number, the vehicle]
  const ROWS: readonly (readonly [vin: string | null, stock: string | null, found: Found])[] = [
    ["v1", null, 1],
    ["V1", "S1", 1],
    ["W1", "S1", 1],
    // The number of another unsold vehicle is no correction of this one.
    ["V1", "S5", CONFLICT],
    [null, "S1", 1],
    [null, "S2", 2],
    [null, "S3", 3],
    [null, "s4", 4],
    ["NEW", "S2", 2],
    [null, "S1A", 1],
    // Of several that the last files called so, the one that still has the number.
    [null, "S5", 5],
    // Another VIN with the number is another vehicle, whoever was called so.
    ["NEW", "S1", CONFLICT],
    ["V6", "S1", 6],
    ["NEW", "S5", CONFLICT],
    // A sold one, unless another has its number by now.
    [null, "S9", 9],
    [null, "S7", 8],
    ["NEW", "S7", 8],
    ["NEW", "S9", "new"],
    ["NEW", "S12", "new"],
    ["NEW", null, "new"],
  ];
  for (const [vin, stock, expected] of ROWS)
    test(`is ${expected} for ${vin} ${stock}`, () => {
      expect(found(rowOf(vin, stock, { fields: civic }), context)).toBe(expected);
    });

  test("is not meant if make, model and year are all those of another one, unless the last file said one of them", () => {
    const ford = rowOf(null, "S9", { fields: { make: "Ford", model: "Focus", year: 2024, price: 1 } });
    const one = vehicle(9, { stock_number: "S9A", make: "Honda", model: "Civic", year: 2020 });
    const withSaid = (said: Base) => contextOf({}, { vehicles: [one], saidOf: () => said });
    expect(found(ford, withSaid({ stock_number: "S9" }))).toBe("new");
    expect(found(ford, withSaid({ stock_number: "S9", make: "Ford" }))).toBe(9);
    // What a row does not say is no difference.
    const { year: _, ...unsaid } = ford.fields;
    for (const fields of [unsaid, { ...unsaid, year: 2020 }])
      expect(found({ ...ford, fields }, withSaid({ stock_number: "S9", ...civic }))).toBe(9);
  });

  test("is found by the key that is asked for", () => {
    const by = (match: "vin" | "stock_number") =>
      found(rowOf("V1", "S2", { fields: civic }), { ...context, options: { mode: "upsert", match } });
    expect([by("vin"), by("stock_number")]).toEqual([1, 2]);
  });

  test("is found by the dealer and both keys, in the form in which keys are compared", () => {
    const ids = formerlyCalledIn([
      { vehicleId: 1, dealerId: 1, vin: "V1", stock_number: "S1" },
      { vehicleId: 2, dealerId: 1, vin: null, stock_number: "s1" },
      { vehicleId: 3, dealerId: 2, vin: "v1", stock_number: null },
    ]);
    const of = (dealer: number, vin: string | null, stock_number: string | null) => ids(dealer, { vin, stock_number });
    expect([of(1, "v1", null), of(1, null, "S1"), of(2, "V1", "S1"), of(2, null, null)]).toEqual([
      [1],
      [1, 2],
      [3],
      [],
    ]);
    expect(formerlyCalledIn([])(1, { vin: "V1", stock_number: "S1" })).toEqual([]);
  });
});

describe("the candidates for a row", () => {
  const none = { vin: null, stock_number: null };
  const candidates = new Candidates();
  candidates.add(vehicle(1, { vin: "V1", stock_number: "S1" }));
  candidates.add(vehicle(2, { vin: "V2", stock_number: "S1" }));
  candidates.add({ ...vehicle(3, { vin: "V1" }), dealer_id: 2 });
  candidates.add(vehicle(4, {}));
  candidates.add(vehicle(2, { vin: "V3", stock_number: "S1", price: 5 }));
  const idsOf = (dealer: number, key: Parameters<Candidates["of"]>[1], id: number | null = null) =>
    candidates.of(dealer, key, id === null ? [] : [id]).map((one) => one.id);

  test("have its VIN or its stock number, each once, in the form that they have by now", () => {
    expect(idsOf(1, { ...none, vin: "v1" })).toEqual([1]);
    for (const vin of ["v1", null]) expect(idsOf(1, { vin, stock_number: "s1" })).toEqual([1, 2]);
    expect(candidates.of(1, { ...none, vin: "v3" }, [])).toMatchObject([{ id: 2, price: 5 }]);
  });

  test("had its VIN or its stock number before a change", () => {
    expect(idsOf(1, { ...none, vin: "v2" })).toEqual([2]);
  });

  test("are its dealer's, also the one with its id", () => {
    expect(idsOf(2, { ...none, vin: "v1" })).toEqual([3]);
    expect([idsOf(1, none, 4), idsOf(1, none, 3), idsOf(1, none, 99), idsOf(1, none)]).toEqual([[4], [], [], []]);
  });
});

test("missing vehicles need a confirmation if they are more than three, and more than the share", () => {
  const isNeeded = (missing: number, there: number, most: number) =>
    needsConfirmation(missing, there, { max_missing_percent: most });
  expect([isNeeded(3, 0, 0), isNeeded(4, 0, 0), isNeeded(4, 36, 10), isNeeded(4, 35, 10), isNeeded(4, 0, 100)]).toEqual(
    [false, true, false, true, false],
  );
});
