import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { packedSheet } from "../../../adapters/http/protocol/packed-sheet.ts";
import { VEHICLE_FORMATS, type VehicleFormat, vehicleFile } from "../../../core/export/vehicle-file.ts";
import { columnsOf } from "../../../core/imports/headings/columns.ts";
import { isSameValue } from "../../../core/imports/values/cell-readers.ts";
import { valuesReader } from "../../../core/imports/values/values.ts";
import { fieldsOf, STAGES, STATUSES, VEHICLE_FIELDS, type VehicleField } from "../../../core/vehicles/fields.ts";
import { inGate } from "../../support/depth.ts";
import { found, rowsOf } from "../imports/reading.ts";
import { textOfSheet } from "../imports/workbook.ts";

/** Pieces of texts that a careless writer or reader would change. */
const PIECES = [
  ...['"', '""', ",", ";", "\t", "|", "\n", "\r", "\r\n", " ", "  ", "'", "=", "+", "-", "@", "\\", "{", "[", "sep=;"],
  ...[
    "007",
    "1e3",
    "1.234,50",
    "true",
    "null",
    "a",
    "Škoda",
    "小型車",
    "😀",
    "é",
    "\u00A0",
    "\uFEFF",
    "\u2028",
    "\u0085",
  ],
];
const odd = fc.array(fc.constantFrom(...PIECES), { maxLength: 12, size: "max" }).map((pieces) => pieces.join(""));
const text = fc.option(odd);
const moment = fc.option(fc.constant("2026-03-14T09:26:00.000Z"));
const whole = fc.option(fc.integer({ min: 1, max: 200 }));

const hundredths = (most: number) => fc.nat(most).map((number) => number / 100);

/** Values of fields, as they are stored. */
const STORED: Readonly<Record<string, fc.Arbitrary<string | number | null>>> = {
  ...Object.fromEntries(fieldsOf("name", "text", "long").map((name) => [name, text])),
  ...Object.fromEntries(
    fieldsOf("code").map((name) => [name, fc.option(fc.constantFrom("4T1G11AK5LU123456", "007", "1E3", "1-", "a-1"))]),
  ),
  ...Object.fromEntries(
    fieldsOf("stage").map((name) => [name, fc.option(fc.constantFrom(...Object.values(STAGES).flat()))]),
  ),
  ...Object.fromEntries(fieldsOf("date", "past-moment").map((name) => [name, moment])),
  ...Object.fromEntries(fieldsOf("whole").map((name) => [name, whole])),
  ...Object.fromEntries(fieldsOf("decimal").map((name) => [name, fc.option(hundredths(100_000))])),
  ...Object.fromEntries(fieldsOf("money").map((name) => [name, fc.option(hundredths(10_000_000_000))])),
  ...Object.fromEntries(fieldsOf("day").map((name) => [name, fc.option(fc.constantFrom("2021-03-01", "1999-12-31"))])),
  ...Object.fromEntries(fieldsOf("year").map((name) => [name, fc.integer({ min: 1886, max: 2028 })])),
  ...Object.fromEntries(fieldsOf("price", "past-price").map((name) => [name, hundredths(10_000_000_000)])),
  ...Object.fromEntries(fieldsOf("id", "dealer").map((name) => [name, fc.integer({ min: 1 })])),
  ...Object.fromEntries(fieldsOf("flag").map((name) => [name, fc.constantFrom(0, 1)])),
  ...Object.fromEntries(fieldsOf("moment").map((name) => [name, fc.constant("2026-03-14T09:26:00.000Z")])),
  status: fc.constantFrom(...STATUSES),
};

const vehicle = fc.record(
  Object.fromEntries(Object.keys(VEHICLE_FIELDS).map((name) => [name, STORED[name] ?? fc.constant(null)])) as Record<
    VehicleField,
    fc.Arbitrary<string | number | null>
  >,
);
const images = fc.option(
  fc.constantFrom("https://a.example.com/1.jpg", 'https://a.example.com/1;2,3|4.jpg https://b.example.com/?q="x"'),
);
const exported = fc.tuple(vehicle, images);

/** The fields that an import sets, apart from the dealer. */
const SETTABLE = fieldsOf(
  ...(["name", "year", "price", "status", "flag", "date", "stage", "text", "code", "long", "whole"] as const),
  ...(["decimal", "money", "day"] as const),
);

/** What no cell can say: it stays as it is. */
const isBlank = (value: unknown): boolean => value === null || (typeof value === "string" && value.trim() === "");

/** The table that an import stores of a file: of a workbook, that is its sheet. */
const arrived = async (file: string, format: VehicleFormat) => {
  if (format !== "xlsx") return { file, format };
  const pieces = packedSheet("vehicles")(
    (async function* () {
      yield Buffer.from(file.slice(0, 700));
      yield Buffer.from(file.slice(700));
    })(),
  );
  const { text } = await textOfSheet(Buffer.concat(await Array.fromAsync(pieces)));
  return { file: text, format: "ndjson" } as const;
};

describe("an export", () => {
  for (const format of VEHICLE_FORMATS)
    test(`as ${format} is read by an import as no change, whatever the texts`, async () => {
      expect(Object.keys(STORED).toSorted()).toEqual(Object.keys(VEHICLE_FIELDS).toSorted());
      await fc.assert(
        fc.asyncProperty(
          fc.array(exported, { minLength: 1, maxLength: 5 }),
          fc.boolean(),
          fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 }),
          async (vehicles, ofSeveralDealers, sizes) => {
            const { heading, line, end = "" } = vehicleFile({ format, forSpreadsheet: false, ofSeveralDealers });
            const lines = vehicles.map(([fields, urls]) => line({ document: JSON.stringify(fields), images: urls }));
            const { file, format: stored } = await arrived(heading + lines.join("") + end, format);
            const layout = found(file, { format: stored }, sizes);
            const rows = rowsOf(file, layout, sizes);
            const columns = columnsOf(layout.heading, {});
            if ("code" in columns) throw new Error(columns.message);
            expect([columns.isOwnExport, columns.warnings]).toEqual([true, []]);
            const values = valuesReader(columns, { decimal: "auto", empty: "keep" });
            expect([layout.charset, layout.rows, rows.length]).toEqual(["utf-8", vehicles.length, vehicles.length]);
            for (const [place, { cells, problem }] of rows.entries()) {
              const [fields, urls] = vehicles[place] ?? [];
              const written: Readonly<Record<string, unknown>> = { ...fields, images: urls };
              const read = Object.fromEntries(layout.heading.map((name, column) => [name, String(cells[column])]));
              expect(problem).toBeNull();
              expect(read).toEqual(
                Object.fromEntries(layout.heading.map((name) => [name, String(written[name] ?? "")])),
              );
              const { fields: said, images, dealerId, errors } = values(cells);
              expect(errors).toEqual([]);
              for (const [name, value] of Object.entries(said))
                expect([name, isSameValue(name, written[name], value)]).toEqual([name, true]);
              const silent = SETTABLE.filter((name) => !(name in said) && !isBlank(written[name]));
              expect(silent).toEqual([]);
              expect(images?.join(" ") ?? null).toBe(urls ?? null);
              expect(dealerId === (ofSeveralDealers || format === "ndjson" ? fields?.dealer_id : null)).toBe(true);
            }
          },
        ),
        { numRuns: inGate(60, 300) },
      );
    });
});
