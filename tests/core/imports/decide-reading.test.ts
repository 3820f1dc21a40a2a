import { describe, expect, test } from "bun:test";
import { type Assumptions, decideReading } from "../../../core/imports/decide-reading.ts";
import type { ScannedFile } from "../../../core/imports/file/file.ts";
import { columnsOf, type ImportColumns } from "../../../core/imports/headings/columns.ts";

const ASSUMED: Assumptions = {
  ...{ dateOrder: "auto", units: "convert", currency: "check", mayCreate: true },
  settings: { date_order: "mdy", distance_unit: "mi", currency: "USD" },
};
/** The columns that every new vehicle needs. */
const NEEDED = ["Make", "Model", "Year", "Price"] as const;

const columns = (heading: readonly string[]): ImportColumns => {
  const read = columnsOf(heading, {});
  if ("code" in read) throw new Error(read.message);
  return read;
};

interface Read extends Partial<Assumptions> {
  readonly heading?: readonly string[];
  readonly dates?: ScannedFile["dates"];
  readonly above?: ScannedFile["above"];
}

/** How a file is read. */
const decide = ({ heading = NEEDED, dates, above, ...assumed }: Read = {}): ImportColumns =>
  decideReading(
    {
      ...{ format: "csv", charset: "utf-8", delimiter: ",", heading, rowPath: null, rows: 1, bytes: 1 },
      ...(dates !== undefined && { dates }),
      ...(above !== undefined && { above }),
    },
    columns(heading),
    { ...ASSUMED, ...assumed },
  );

/** What is warned of: where, and of what kind. */
const warned = (read: Read): string[] => decide(read).warnings.map(({ path, code }) => `${path}: ${code}`);

describe("dates", () => {
  const heading = [...NEEDED, "Listed at", "Trim", "Sold at"];
  const unclear = { order: null, unclear: "03/04/2026" };
  const orders = (read: Read): unknown => decide({ heading, ...read }).decided?.dateOrders;
  const found = (listed: object | null, sold: object | null): ScannedFile["dates"] => [
    ...NEEDED.map(() => null),
    ...([listed, null, sold] as NonNullable<ScannedFile["dates"]>),
  ];

  test("are read as the cells of their column say, else as those of the others do, else as the settings do", () => {
    const dmy = { order: "dmy", unclear: null };
    expect(orders({ dates: found(unclear, dmy) })).toEqual({ 4: "dmy", 6: "dmy" });
    expect(orders({ dates: found(null, dmy) })).toEqual({ 4: "dmy", 6: "dmy" });
    expect(orders({ dates: found({ order: "mdy", unclear: null }, dmy) })).toEqual({ 4: "mdy", 6: "dmy" });
    expect(orders({ dates: found(unclear, unclear) })).toEqual({ 4: "mdy", 6: "mdy" });
    expect(orders({})).toEqual({ 4: "mdy", 6: "mdy" });
    expect(orders({ dateOrder: "mdy", dates: found(dmy, dmy) })).toEqual({ 4: "mdy", 6: "mdy" });
    expect(orders({ heading: [...NEEDED, "Remark"] })).toEqual({});
  });

  test("that can be read in two ways are told of once, by the first column, unless the file or the sender decides", () => {
    const told = decide({ heading, dates: found(unclear, { ...unclear, unclear: "05/06/2026" }) }).warnings;
    expect(told).toMatchObject([{ path: "Listed at", code: "date_order_assumed" }]);
    expect(told[0]?.message).toStartWith(
      "can be read in two ways, such as 03/04/2026, and no cell decides; the month first is assumed",
    );
    expect(warned({ heading, dates: found(null, unclear) })).toEqual(["Sold at: date_order_assumed"]);
    expect(warned({ heading, dates: found(unclear, { order: "dmy", unclear: null }) })).toEqual([]);
    expect(warned({ heading, dates: found(unclear, unclear), dateOrder: "mdy" })).toEqual([]);
    expect(warned({ heading, dates: found(null, null) })).toEqual([]);
  });
});

test("lines above the heading are told of, with their number and the first", () => {
  const messages = (rows: number): string[] =>
    decide({ above: { rows, text: "Lot list" } }).warnings.map(({ message }) => message);
  const rest = 'skipped, beginning with "Lot list"; heading_row says which row is the heading';
  expect(messages(1)).toEqual([`1 line above the heading is ${rest}`]);
  expect(messages(2)).toEqual([`2 lines above the heading are ${rest}`]);
  expect([messages(0), warned({})]).toEqual([[], []]);
});

describe("columns that every new vehicle needs", () => {
  const heading = ["VIN", "Marque de la voiture", "Model", "Year", "Price"];

  test("are told of with the unknown headings that look like them, if rows may make vehicles", () => {
    const { warnings } = decide({ heading });
    expect(warnings.map(({ code }) => code)).toEqual(["columns_missing", "heading_unknown"]);
    expect(warnings[0]?.message).toContain('make may be "Marque de la voiture"');
    expect(warned({ heading, mayCreate: false })).toEqual(["Marque de la voiture: heading_unknown"]);
  });

  test("are not missed in a file that the service wrote", () => {
    expect(warned({ heading: ["id", "created_at", "vin", "price"] })).toEqual([]);
  });
});

test("distances and prices are compared with the settings, unless the sender says otherwise", () => {
  expect(decide().decided).toMatchObject({ distanceUnit: "mi", currency: "USD" });
  expect(decide({ units: "keep", currency: "ignore" }).decided).toMatchObject({ distanceUnit: null, currency: null });
});
