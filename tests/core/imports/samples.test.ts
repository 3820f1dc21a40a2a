import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FileFormat } from "../../../core/imports/file/file.ts";
import { columnsOf } from "../../../core/imports/headings/columns.ts";
import { valuesReader } from "../../../core/imports/values/values.ts";
import { found, rowsOf } from "./reading.ts";

const FOLDER = join(import.meta.dir, "../../samples/imports");
const FORMATS: Readonly<Record<string, FileFormat>> = {
  csv: "csv",
  txt: "csv",
  tsv: "tsv",
  ndjson: "ndjson",
  json: "json",
  xml: "xml",
};

/** What a sample says, as its file of expectations has it. */
const read = (name: string, format: FileFormat) => {
  const file = readFileSync(join(FOLDER, name));
  const layout = found(file, { format });
  const columns = columnsOf(layout.heading, {});
  if ("code" in columns) throw new Error(columns.message);
  const valuesOf = valuesReader(columns, { decimal: "auto", empty: "keep", dealer_by: "code" });
  return {
    charset: layout.charset,
    delimiter: layout.delimiter,
    columns: Object.fromEntries(
      columns.columns.flatMap(({ heading, field }) => (field === null ? [] : [[heading, field]])),
    ),
    warnings: columns.warnings.map(({ path, code }) => `${path}: ${code}`),
    rows: rowsOf(file, layout).map(({ line, cells, problem }) => {
      const { fields, images, dealerCode, errors, warnings } = valuesOf(cells);
      return {
        line,
        ...(problem && { problem: problem.code }),
        ...(dealerCode !== undefined && { dealer: dealerCode }),
        fields,
        ...(images && { images }),
        ...(errors.length > 0 && { errors: errors.map(({ path, code }) => `${path}: ${code}`) }),
        ...(warnings.length > 0 && { warnings: warnings.map(({ path, code }) => `${path}: ${code}`) }),
      };
    }),
  };
};

describe("a sample of a common file of the trade", () => {
  const names = [...new Bun.Glob("*.{csv,txt,tsv,ndjson,json,xml}").scanSync(FOLDER)].filter(
    (name) => !name.endsWith(".expected.json"),
  );

  test("exists for each format", () => {
    expect(new Set(names.map((name) => FORMATS[name.split(".").at(-1) ?? ""])).size).toBe(5);
  });

  for (const name of names.sort())
    test(`${name} states the expected result`, () => {
      const expected: unknown = JSON.parse(readFileSync(join(FOLDER, `${name}.expected.json`), "utf8"));
      expect(read(name, FORMATS[name.split(".").at(-1) ?? ""] ?? "csv")).toEqual(expected as ReturnType<typeof read>);
    });
});
