import { describe, expect, test } from "bun:test";
import { isUnidentified, withoutDoubt } from "../../../core/imports/doubtful-rows.ts";
import type { Cell } from "../../../core/imports/file/file.ts";
import { HEADING_REPEATED, NO_VEHICLE } from "../../../core/imports/values/no-vehicle.ts";
import type { RowValues } from "../../../core/imports/values/values.ts";

type File = Parameters<typeof isUnidentified>[0];
type Row = Parameters<typeof isUnidentified>[1];

const LAST = 4;
const HEADING = ["VIN", "Stock #", "Year"];
/** A file of four rows, in which the heading of the VIN is not its field's name. */
const file = (found: Partial<File["found"]> = {}): File => ({
  columns: {
    columns: [{ heading: "Chassis", field: "vin" }] as unknown as File["columns"]["columns"],
    warnings: [],
    isOwnExport: false,
  },
  found: { delimiter: ",", rows: LAST, heading: HEADING, ...found },
});
const issue = (code: string, path = "") => ({ path, code, message: "is wrong" });

describe("which vehicle a row is about is", () => {
  const row = (fields: Partial<Row> = {}): Row => ({
    ...{ row: 2, cells: ["V1", "S1", "2020"], compared: { vin: "V1", stock_number: "S1" } },
    ...{ outcome: "failed", errors: [issue("invalid", "Year")], warnings: [] },
    ...fields,
  });
  const WHOLE = ["V1", "S1", "2020"];
  const { cells: _, ...WITHOUT_CELLS } = row({ row: LAST });

  // [what the row is, the row, true if it is unknown, what the file is].
  const ROWS: readonly (readonly [what: string, row: Row, isUnknown: boolean, found?: Partial<File["found"]>])[] = [
    [
      "known of a row that was imported",
      row({ outcome: "updated", compared: { vin: null, stock_number: null } }),
      false,
    ],
    ["known of a failed row with two keys", row(), false],
    ["known of a failed row with a VIN", row({ compared: { vin: "V1", stock_number: null } }), false],
    ["known of a failed row with a stock number", row({ compared: { vin: null, stock_number: "S1" } }), false],
    ["unknown of a failed row without a key", row({ compared: { vin: null, stock_number: null } }), true],
    [
      "unknown of a failed row whose only key is wrong, which its heading says",
      row({
        compared: { vin: "V1", stock_number: null },
        errors: [issue("invalid", "Year"), issue("invalid", "Chassis")],
      }),
      true,
    ],
    [
      "known of a failed row of whose two keys one is wrong",
      row({ errors: [issue("invalid", "stock_number")] }),
      false,
    ],
    [
      "unknown of a failed row whose two keys are wrong",
      row({ errors: [issue("invalid", "stock_number"), issue("invalid", "Chassis")] }),
      true,
    ],
    ...["quote_unclosed", "file_cut_off", "too_many_cells"].map(
      (code) => [`unknown after ${code}`, row({ errors: [issue("invalid", "Year"), issue(code)] }), true] as const,
    ),
    ["known of a last row that is whole", row({ row: LAST, cells: WHOLE }), false],
    ["unknown of a last row with too few cells", row({ row: LAST, cells: WHOLE.slice(0, 2) }), true],
    ["unknown of a last row without cells", WITHOUT_CELLS, true],
    ["unknown of a last row whose last cell is empty", row({ row: LAST, cells: ["V1", "S1", null] }), true],
    ["known of a short row before the last one", row({ row: LAST - 1, cells: WHOLE.slice(0, 2) }), false],
    [
      "known of a short last row of a file in which rows do not end with their cells",
      row({ row: LAST, cells: WHOLE.slice(0, 2) }),
      false,
      { delimiter: null },
    ],
    [
      "unknown behind a row that was imported, if the file may have been cut off there",
      row({ outcome: "created", warnings: [issue("unusual_vin", "VIN"), issue("file_may_be_cut_off")] }),
      true,
    ],
    [
      "known of a row with another warning",
      row({ outcome: "created", warnings: [issue("unusual_vin", "VIN")] }),
      false,
    ],
  ];
  for (const [what, given, isUnknown, found] of ROWS)
    test(what, () => {
      expect(isUnidentified(file(found), given)).toBe(isUnknown);
    });
});

describe("a row that may be no vehicle", () => {
  const values = (fields: object, skipped: RowValues["skipped"] = NO_VEHICLE): RowValues => ({
    ...{ fields: { ...fields }, images: null, key: { vin: null, stock_number: null }, exported: null, dealerId: null },
    ...{ errors: [], warnings: [issue("unusual_vin", "VIN")] },
    ...(skipped !== undefined && { skipped }),
  });
  const cutOff: readonly Cell[] = ["1HGBH41J"];
  const read = (given: RowValues, { row = LAST, cells = cutOff, found = {} } = {}): RowValues =>
    withoutDoubt(given, { row, cells }, file(found));

  test("is one after all if the file may have ended within it: it has a year, a make or the beginning of a key", () => {
    for (const fields of [{ year: 2020 }, { make: "Honda" }]) {
      const { skipped: _, ...others } = values(fields);
      expect(read(values(fields), { cells: ["Total", "2"] })).toEqual(others);
    }
    expect(read(values({})).skipped).toBeUndefined();
    expect(read(values({}), { cells: ["Total"] }).skipped).toEqual(NO_VEHICLE);
  });

  test("is none before the last row, in a row that is whole, or if it repeats the heading", () => {
    const whole = ["1HGBH41J", null, "2020"];
    expect(read(values({ year: 2020 }), { row: LAST - 1 }).skipped).toEqual(NO_VEHICLE);
    expect(read(values({ year: 2020 }), { cells: whole }).skipped).toEqual(NO_VEHICLE);
    expect(read(values({ year: 2020 }, HEADING_REPEATED)).skipped).toEqual(HEADING_REPEATED);
  });

  test("is not asked about a vehicle: only the last one of a file that may be cut off says so", () => {
    const vehicle = { ...values({ year: 2020 }), skipped: undefined } as unknown as RowValues;
    const found = { mayBeCutOff: true } as const;
    expect(read(vehicle, { found }).warnings).toEqual([
      issue("unusual_vin", "VIN"),
      expect.objectContaining({ path: "", code: "file_may_be_cut_off" }),
    ]);
    expect(read(vehicle, { found, row: LAST - 1 })).toBe(vehicle);
    expect(read(vehicle)).toBe(vehicle);
  });
});
