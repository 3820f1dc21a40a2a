import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  cellsOf,
  changesOf,
  clipboardText,
  type Edits,
  editCount,
  filledDown,
  pastedInto,
  rangeBetween,
  SHEET_FIELDS,
  textsIn,
  withBlock,
} from "../../../adapters/portal/sheet/cells.ts";
import type { Vehicle } from "../../../core/vehicles/fields.ts";

const NONE: Edits = new Map();
const vehicle = (id: number, fields: Partial<Vehicle>): Vehicle =>
  ({ id, mileage: null, trim: null, ...fields }) as Vehicle;
const LOT = [
  vehicle(1, { stock_number: "A1", price: 20_000, mileage: 0 }),
  vehicle(2, { stock_number: "A2", price: 21_000 }),
  vehicle(3, { stock_number: "A3", price: 22_000.5 }),
];
const STOCK = SHEET_FIELDS.indexOf("stock_number");
const PRICE = SHEET_FIELDS.indexOf("price");

describe("a sheet of vehicles", () => {
  test("keeps only what differs from the vehicles, and nothing beyond its end", () => {
    const texts = [
      ["A2", "19000", "x"],
      ["B3", " 22000.5 "],
      ["gone", "gone"],
    ];
    const edits = withBlock(NONE, LOT, { at: { row: 1, column: STOCK }, texts });
    expect([...edits]).toEqual([
      [2, { price: "19000", mileage: "x" }],
      [3, { stock_number: "B3" }],
    ]);
    expect(editCount(edits)).toBe(3);
    const back = withBlock(edits, LOT, { at: { row: 1, column: STOCK }, texts: [["A2", "21000", ""], ["A3"]] });
    expect(editCount(back)).toBe(0);
    const last = SHEET_FIELDS.length - 1;
    expect(editCount(withBlock(NONE, LOT, { at: { row: 0, column: last }, texts: [["V", "beyond"]] }))).toBe(1);
  });

  test("is filled down, and with one pasted cell, over the range that is selected in any direction", () => {
    const range = rangeBetween({ row: 2, column: PRICE }, { row: 0, column: STOCK });
    expect(range).toEqual({ from: { row: 0, column: STOCK }, to: { row: 2, column: PRICE } });
    const filled = filledDown(textsIn(range, LOT, NONE));
    expect(filled).toEqual([
      ["A1", "20000"],
      ["A1", "20000"],
      ["A1", "20000"],
    ]);
    expect(pastedInto(range, [["x"]])).toEqual([
      ["x", "x"],
      ["x", "x"],
      ["x", "x"],
    ]);
    expect(pastedInto(range, [["x", "y"]])).toEqual([["x", "y"]]);
  });

  test("sends numbers as numbers, empty cells as none, and what is no number as it was typed", () => {
    expect(changesOf({ price: "19,500.50", mileage: "", doors: "many", trim: "", stock_number: "7" })).toEqual({
      price: 19_500.5,
      mileage: null,
      doors: "many",
      trim: null,
      stock_number: "7",
    });
  });

  test("reads what spreadsheets copy", () => {
    expect(cellsOf('a\tb\r\n"x\ty"\t"say ""hi""\nthere"\r\n')).toEqual([
      ["a", "b"],
      ["x\ty", 'say "hi"\nthere'],
    ]);
    expect(cellsOf("12")).toEqual([["12"]]);
    expect(cellsOf('5" wheels\t1')).toEqual([['5" wheels', "1"]]);
  });

  test("gives back what it copied, whatever is in its cells", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', "\t", "\n", "é", " ") });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 4 }), (texts) => {
        expect(cellsOf(clipboardText(texts))).toEqual(texts);
      }),
    );
  });
});
