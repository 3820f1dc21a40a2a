import { describe, expect, test } from "bun:test";
import { EXPORT_FORMATS } from "../../../core/export/export-file.ts";
import { type ExportedVehicle, type VehicleFormat, vehicleFile } from "../../../core/export/vehicle-file.ts";
import { columnsOf } from "../../../core/imports/headings/columns.ts";
import { UNSET_VEHICLE, type Vehicle } from "../../../core/vehicles/vehicle.ts";

const MOMENT = "2026-03-14T09:26:00.000Z";

const exported = (fields: Partial<Vehicle> = {}, images: string | null = null): ExportedVehicle => ({
  document: JSON.stringify({
    id: 7,
    dealer_id: 3,
    ...UNSET_VEHICLE,
    make: "Toyota",
    model: "Camry",
    year: 2024,
    price: 25_999.99,
    title: "2024 Toyota Camry",
    previous_price: 27_000,
    price_changed_at: MOMENT,
    listed_at: MOMENT,
    created_at: MOMENT,
    updated_at: MOMENT,
    ...fields,
  }),
  images,
});

const file = (format: VehicleFormat, wanted: { forSpreadsheet?: boolean; ofSeveralDealers?: boolean } = {}) =>
  vehicleFile({ format, forSpreadsheet: false, ofSeveralDealers: true, ...wanted });

/** Texts that a careless writer or reader would change. */
const ODD = [
  'say "so"',
  "a,b;c|d",
  "two\nlines\r\nand\rmore",
  "a\ttab",
  "  spaces at both ends  ",
  "'quoted'",
  "=1+1",
  "007",
  "1e3",
  "true",
  "null",
  "Škoda 小型車 😀",
  "\u2028",
];

describe("a file of vehicles", () => {
  for (const format of EXPORT_FORMATS)
    test(`as ${format} has the columns that an import recognizes as an export, and every field that it accepts`, () => {
      const { heading, line } = file(format);
      const names = format === "ndjson" ? Object.keys(JSON.parse(line(exported()))) : heading.trimEnd().split(/[,\t]/);
      const columns = columnsOf(names, {});
      if ("code" in columns) throw new Error(columns.message);
      expect([columns.isOwnExport, columns.warnings]).toEqual([true, []]);
      const read = columns.columns.flatMap(({ field }) => (field === null ? [] : [field as string]));
      const settable = Object.keys(JSON.parse(exported().document)).filter(
        (name) => !["id", "previous_price", "price_changed_at", "created_at", "updated_at"].includes(name),
      );
      expect(read.toSorted()).toEqual([...settable, "images"].toSorted());
    });

  test("for a dealer's caller has no column of dealers", () => {
    expect(file("csv").heading).toStartWith("id,dealer_id,make,");
    expect(file("csv", { ofSeveralDealers: false }).heading).toStartWith("id,make,");
  });

  test("as NDJSON has each text unchanged, and null for unset fields", () => {
    for (const description of ODD) {
      const written = JSON.parse(
        file("ndjson").line(exported({ description }, "https://a.example.com https://b.example.com")),
      );
      expect([written.description, written.vin, written.images, written.price]).toEqual([
        description,
        null,
        "https://a.example.com https://b.example.com",
        25_999.99,
      ]);
    }
    expect(file("ndjson").heading).toBe("");
  });

  for (const [format, separator] of [
    ["csv", ","],
    ["tsv", "\t"],
  ] as const)
    test(`as ${format} quotes the texts that would end a cell, and leaves all others unchanged`, () => {
      for (const description of ODD) {
        const mustQuote = [separator, '"', "\r", "\n"].some((mark) => description.includes(mark));
        const cell = mustQuote ? `"${description.replaceAll('"', '""')}"` : description;
        expect(file(format).line(exported({ description }))).toContain(`${separator}${cell}${separator}`);
      }
    });

  test("for a spreadsheet puts an apostrophe before anything it would calculate, in both table formats", () => {
    for (const format of ["csv", "tsv"] as const) {
      const line = file(format, { forSpreadsheet: true }).line(exported({ trim: "=1+1", engine: "2.5L I4" }));
      expect(line).toContain("'=1+1");
      expect(line).not.toContain("'2.5L");
    }
    expect(JSON.parse(file("ndjson", { forSpreadsheet: true }).line(exported({ trim: "=1+1" }))).trim).toBe("=1+1");
  });
});
