import { describe, expect, test } from "bun:test";
import { charactersOf, MAX_FAILED_CELLS, withKeptCells } from "../../../core/imports/failed-cells.ts";
import type { StoredRow } from "../../../core/imports/import-repository.ts";

const failed = (text: string): StoredRow => ({
  ...{ place: 1, line: 2, row: 1, key: null, dealerId: null, vehicle_id: null, outcome: "failed" },
  ...{ compared: { vin: null, stock_number: null }, changes: {}, warnings: [] },
  errors: [{ path: "VIN", code: "value_invalid", message: "is wrong" }],
  cells: [text, 5, null],
});

describe("the cells of failed rows", () => {
  const third = "x".repeat(MAX_FAILED_CELLS / 3);

  test("are kept until they take 16 MiB; a row that does not fit has its errors and says so, and shorter ones still fit", () => {
    const rows = [third, third, third, "short"].map(failed);
    const { rows: bounded, keptCells } = withKeptCells(rows, 0);
    expect(bounded.map(({ cells }) => cells?.[0]?.toString().length ?? 0)).toEqual([third.length, third.length, 0, 5]);
    expect(bounded[2]?.errors.map(({ code }) => code)).toEqual(["value_invalid", "cells_not_kept"]);
    expect(keptCells).toBeGreaterThan(2 * third.length);
    expect(keptCells).toBeLessThan(MAX_FAILED_CELLS);
  });

  test("of earlier batches count, and many empty cells take room, too", () => {
    expect(withKeptCells([failed(third)], MAX_FAILED_CELLS - 5).rows[0]?.cells).toEqual([]);
    expect(withKeptCells([failed("")], MAX_FAILED_CELLS - 5).rows[0]?.cells).toEqual([]);
  });

  test("fill the room to its last character, and an empty one counts three", () => {
    const characters = "text".length + "5".length + 3 * 3;
    expect(charactersOf(["text", 5, null])).toBe(characters);
    const rest = MAX_FAILED_CELLS - characters;
    expect(withKeptCells([failed("text")], rest)).toEqual({ rows: [failed("text")], keptCells: MAX_FAILED_CELLS });
    expect(withKeptCells([failed("text")], rest + 1).rows[0]?.cells).toEqual([]);
  });

  test("of rows that did not fail are none", () => {
    const { cells: _, ...good } = failed("");
    expect(withKeptCells([good], 7)).toEqual({ rows: [good], keptCells: 7 });
  });
});
