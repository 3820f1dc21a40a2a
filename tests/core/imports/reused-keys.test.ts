import { describe, expect, test } from "bun:test";
import { decideRow, type RowContext } from "../../../core/imports/matching.ts";
import { isSameValue } from "../../../core/imports/values/cell-readers.ts";
import { areTakenForEachOther } from "../../../core/imports/vin-typos.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { fakeClock } from "../../support/clock.ts";
import { MOMENT, vehicleFields } from "../../support/records.ts";

const DEALER = 1;
const RIGHT = "1HGBH41JXMN109186";
const TYPO = "1HGBH41JXMN1O9186";
const OTHER = "1J9RP1A36A1644345";

const vehicle = (id: number, fields: Partial<Vehicle>): Vehicle => ({ ...vehicleFields(DEALER, fields), id });
const sold = { status: "sold" as const, sold_at: MOMENT };
const NEW = { make: "Ford", model: "F-150", year: 2026, price: 61_000 };

/** What a row with these keys does to these vehicles. */
const decide = (
  [vin, stock_number]: readonly [string | null, string | null],
  vehicles: readonly Vehicle[],
  options: Partial<RowContext["options"]> = {},
) =>
  decideRow(
    {
      key: { vin, stock_number },
      exported: null,
      fields: { ...NEW, ...(vin !== null && { vin }), ...(stock_number !== null && { stock_number }) },
      errors: [],
      warnings: [],
    },
    {
      clock: fakeClock(Date.parse(MOMENT)),
      dealerId: DEALER,
      options: { mode: "upsert", match: "auto", ...options },
      vehicles,
      soldPrices: new Map(),
      resaleDays: 14,
      nameOf: (field) => field,
      isSame: isSameValue,
    },
  );

type Case = readonly [
  what: string,
  keys: readonly [string | null, string | null],
  lot: readonly Vehicle[],
  found: string | number,
];

const CASES: readonly Case[] = [
  [
    "of a sold vehicle with another VIN is free",
    [OTHER, "1001"],
    [vehicle(1, { vin: RIGHT, stock_number: "1001", ...sold })],
    "new",
  ],
  [
    "of an unsold vehicle with another VIN is not",
    [OTHER, "1001"],
    [vehicle(1, { vin: RIGHT, stock_number: "1001" })],
    "match_conflict",
  ],
  ["of a sold vehicle without a VIN finds it", [OTHER, "1001"], [vehicle(1, { stock_number: "1001", ...sold })], 1],
  [
    "of a sold vehicle finds it for a row without a VIN",
    [null, "1001"],
    [vehicle(1, { vin: RIGHT, stock_number: "1001", ...sold })],
    1,
  ],
  [
    "of a sold and an unsold vehicle means the unsold one",
    [null, "1001"],
    [vehicle(1, { vin: RIGHT, stock_number: "1001", ...sold }), vehicle(2, { vin: OTHER, stock_number: "1001" })],
    2,
  ],
  [
    "of several sold vehicles of other VINs is free",
    [OTHER, "1001"],
    [
      vehicle(1, { vin: RIGHT, stock_number: "1001", ...sold }),
      vehicle(2, { vin: "2HGBH41JXMN109186", stock_number: "1001", ...sold }),
    ],
    "new",
  ],
  [
    "of a sold vehicle is no conflict for a vehicle with the row's VIN",
    [OTHER, "1001"],
    [vehicle(1, { vin: RIGHT, stock_number: "1001", ...sold }), vehicle(2, { vin: OTHER, stock_number: "77" })],
    2,
  ],
  [
    "of an unsold vehicle is one",
    [OTHER, "1001"],
    [vehicle(1, { vin: RIGHT, stock_number: "1001" }), vehicle(2, { vin: OTHER, stock_number: "77" })],
    "match_conflict",
  ],
  [
    "of a sold vehicle finds it if the VIN is only misspelt",
    [RIGHT, "1001"],
    [vehicle(1, { vin: TYPO, stock_number: "1001", ...sold })],
    1,
  ],
];

describe("a stock number", () => {
  for (const [what, keys, lot, expected] of CASES)
    test(what, () => {
      const decision = decide(keys, lot);
      const found =
        decision.outcome === "failed"
          ? decision.errors.map(({ code }) => code).join()
          : decision.outcome === "created"
            ? "new"
            : decision.vehicle.id;
      expect(found).toBe(expected);
    });

  test("in conflict says which vehicle it is and how to go on", () => {
    const decision = decide([OTHER, "1001"], [vehicle(7, { vin: RIGHT, stock_number: "1001" })]);
    const [error] = decision.outcome === "failed" ? decision.errors : [];
    expect(error?.message).toContain("vehicle 7");
    expect(error?.message).toContain("match=stock_number");
  });
});

describe("a VIN", () => {
  // [the record's, the file's, which one the vehicle has then]
  const MISSPELT: readonly (readonly [stored: string, sent: string, then: string])[] = [
    [TYPO, RIGHT, RIGHT],
    ["IHGBH4IJXMN109186", RIGHT, RIGHT],
    ["1HGBH41JXMN1Q9186", RIGHT, RIGHT],
    ["1HGBH41JX-MN109186", RIGHT, RIGHT],
    [RIGHT, TYPO, RIGHT],
    [RIGHT, "1HGBH41JX MN109186", RIGHT],
    [RIGHT, "1hgbh41jxmni09186", RIGHT],
  ];
  for (const [stored, sent, then] of MISSPELT)
    test(`${stored} of the vehicle and ${sent} of the row, which its stock number finds, are ${then}`, () => {
      const decision = decide([sent, "2001"], [vehicle(1, { vin: stored, stock_number: "2001" })]);
      if (decision.outcome !== "updated") throw new Error(JSON.stringify(decision));
      expect(decision.update.vin ?? stored).toBe(then);
      expect(decision.update.price).toBe(NEW.price);
      expect(decision.warnings.map(({ path, code }) => [path, code])).toEqual(
        stored === then ? [["vin", "vin_kept"]] : [],
      );
    });

  test("is kept with match=stock_number, too, if the row's is a typing error of it, and replaced if it is another", () => {
    const lot = [vehicle(1, { vin: RIGHT, stock_number: "2001" })];
    const update = (vin: string) => {
      const decision = decide([vin, "2001"], lot, { match: "stock_number" });
      return decision.outcome === "updated" ? decision.update.vin : decision.outcome;
    };
    expect([update(TYPO), update(OTHER)]).toEqual([undefined, OTHER]);
  });

  test("is another if anything else differs, or if the text is too long to be one", () => {
    expect(areTakenForEachOther(RIGHT, RIGHT.replace("9186", "9187"))).toBe(false);
    expect(areTakenForEachOther(" ".repeat(100) + RIGHT, RIGHT)).toBe(false);
  });
});
