import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { assignColumns, withChosenColumn } from "../../adapters/portal/imports/columns.ts";
import { type FirstRows, firstRowsOf, NO_ROWS, type ParseOptions } from "../../adapters/portal/imports/first-rows.ts";
import type { FileFormat } from "../../core/imports/file/file.ts";
import { found, rowsOf } from "../core/imports/reading.ts";
import { workbookOf } from "../support/workbooks.ts";

const SAMPLES = join(import.meta.dir, "../samples/imports");
const MANY = 3_000;

const readFirst = async (bytes: Uint8Array<ArrayBuffer> | string, name: string): Promise<FirstRows> => {
  const firstRows = await firstRowsOf(new File([bytes], name));
  if (typeof firstRows === "string") throw new Error(firstRows);
  return firstRows;
};

/** The first rows as the service reads them. */
const readWhole = (bytes: Uint8Array, format: FileFormat): FirstRows => {
  const layout = found(bytes, { format });
  const rows = rowsOf(bytes, layout).filter(({ problem }) => problem === null);
  const { heading, charset, delimiter, contents } = layout;
  const shown = rows.slice(0, 5).map(({ cells }) => cells);
  const looks = contents === undefined ? {} : { contents };
  return { heading, rows: shown, ...looks, charset, delimiter, sheet: null, sheets: [] };
};

const formatOf = (name: string): FileFormat => {
  const end = name.split(".").at(-1) ?? "";
  return end === "txt" ? "csv" : (end as FileFormat);
};

const utf16 = (text: string): Uint8Array<ArrayBuffer> => Buffer.from(`\ufeff${text}`, "utf16le");
const LINES = Array.from({ length: MANY }, (_, place) => `Škoda ${place},2020,"long, and\nodd é"`).join("\n");
const OBJECTS = Array.from({ length: MANY }, (_, place) => ({ make: `Škoda ${place}`, year: 2020, comments: "é" }));

/** Files of which the portal reads only the beginning. */
const LONG: readonly (readonly [name: string, bytes: Uint8Array<ArrayBuffer>])[] = [
  ["long.csv", Buffer.from(`Make,Year,Comments\n${LINES}`)],
  [
    "long-of-one-byte-letters.csv",
    Buffer.from(`Make;Year;Comments\n${"Citroën;2020;été\n".repeat(MANY * 3)}`, "latin1"),
  ],
  ["long-in-two-bytes.txt", utf16(`Make\tYear\tComments\n${"Citroën\t2020\tété\n".repeat(MANY * 2)}`)],
  ["long.ndjson", Buffer.from(OBJECTS.map((one) => JSON.stringify(one)).join("\n"))],
  ["long-on-one-line.json", Buffer.from(JSON.stringify(OBJECTS))],
  [
    "long.xml",
    Buffer.from(`<lot>${OBJECTS.map(({ make }) => `<car><make>${make}</make><year>2020</year></car>`).join("")}</lot>`),
  ],
];

describe("the portal's preview of a file", () => {
  const samples = [...new Bun.Glob("*.{csv,txt,tsv,ndjson,json,xml}").scanSync(SAMPLES)]
    .filter((name) => !name.endsWith(".expected.json"))
    .sort();

  for (const name of samples)
    test(`shows what the service reads in ${name}`, async () => {
      const bytes = await Bun.file(join(SAMPLES, name)).bytes();
      expect(await readFirst(bytes, name)).toEqual(readWhole(bytes, formatOf(name)));
    });

  for (const [name, bytes] of LONG)
    test(`shows what the service reads in ${name}, plain and compressed, without reading its end`, async () => {
      expect(bytes.length).toBeGreaterThan(80_000);
      const whole = readWhole(bytes, formatOf(name));
      expect(whole.rows.length).toBe(5);
      expect(await readFirst(bytes, name)).toEqual(whole);
      expect(await readFirst(gzipSync(bytes), `${name}.gz`)).toEqual(whole);
    });

  test("says why a file cannot be imported and what to do, but only if that is certain", async () => {
    const said = async (bytes: Uint8Array<ArrayBuffer> | string, name: string) => firstRowsOf(new File([bytes], name));
    expect(await said(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0]), "lot.xlsx")).toContain("is broken");
    expect(await said("VIN,Make\n1,Ford\n", "lot.xlsx")).toContain("no workbook");
    expect(await said(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), "lot.xls")).toContain(
      "save it as .xlsx",
    );
    expect(await said("", "lot.csv")).toContain("no heading");
    expect(await said("VIN,Make\n", "lot.csv")).toBe("The file has no row.");
    expect(await said(gzipSync("VIN,Make\n1,Ford\n").subarray(0, 12), "lot.csv.gz")).toContain("cannot be read");
    // The rest of the file may complete its first row.
    expect(await said(`Make,Comments\nFord,"${"long ".repeat(20_000)}"\n`, "lot.csv")).toEqual(NO_ROWS);
  });

  test("follows the chosen line of the heading", async () => {
    const text = "Lot of Harbor Motors\nVIN,Make,Model,Price\nChassis,Brand,Type,Cost\nA1,Kia,Rio,9000\n";
    const read = (heading_row: string) =>
      firstRowsOf(new File([text], "lot.csv"), { charset: "", delimiter: "", sheet: "", heading_row });
    expect(await read("")).toMatchObject({ heading: ["VIN", "Make", "Model", "Price"] });
    expect(await read(" 3 ")).toMatchObject({
      heading: ["Chassis", "Brand", "Type", "Cost"],
      rows: [["A1", "Kia", "Rio", "9000"]],
    });
    // What is no line is refused by the service; meanwhile it is found.
    for (const typed of ["0", "x", "2.5"]) expect(await read(typed)).toEqual(await read(""));
  });

  test("follows the chosen charset and delimiter, unless the file declares another charset", async () => {
    const read = async (bytes: Uint8Array<ArrayBuffer> | string, written: Omit<ParseOptions, "sheet">) =>
      firstRowsOf(new File([bytes], "lot.csv"), { ...written, sheet: "" });
    const bytes = Buffer.from("Make;Model;Year|Notes\nLada;N\xbd;2020|old\n", "latin1");
    expect(await read(bytes, { charset: "", delimiter: "" })).toMatchObject({
      heading: ["Make", "Model", "Year|Notes"],
      rows: [["Lada", "N½", "2020|old"]],
      charset: "windows-1252",
      delimiter: ";",
    });
    expect(await read(bytes, { charset: "iso-8859-15", delimiter: "|" })).toMatchObject({
      heading: ["Make;Model;Year", "Notes"],
      rows: [["Lada;Nœ;2020", "old"]],
      charset: "iso-8859-15",
      delimiter: "|",
    });
    const marked = { charset: "windows-1252", delimiter: "" } as const;
    expect(await read("\ufeffMake,Year\nŠkoda,2020\n", marked)).toMatchObject({
      rows: [["Škoda", "2020"]],
      charset: "utf-8",
    });
  });
});

describe("the portal's preview of a workbook", () => {
  const HEAD = ["VIN", "Make", "Date in stock"];
  const book = workbookOf({
    formats: ["dd.mm.yyyy"],
    sheets: [
      { name: "Read me", rows: [["Hello"]] },
      { name: "New", rows: [["Lot"], HEAD, ...Array.from({ length: 9 }, (_, n) => [`A${n}`, "Kia", true])] },
      { name: "Used", rows: [HEAD, ["B1", "Ford", { xml: '<c s="1"><v>46311</v></c>' }]] },
    ],
  });
  const read = (bytes: Uint8Array<ArrayBuffer>, sheet: string) =>
    firstRowsOf(new File([bytes], "lot.xlsx"), { charset: "", delimiter: "", sheet });

  test("shows the first rows of the sheet that the service reads, and the names of all sheets", async () => {
    const found = { heading: HEAD, charset: null, delimiter: null, sheets: ["Read me", "New", "Used"] };
    const rows = Array.from({ length: 5 }, (_, n) => [`A${n}`, "Kia", "true"]);
    expect(await read(book, "")).toEqual({ ...found, sheet: "New", rows });
    expect(await read(gzipSync(book), "")).toEqual({ ...found, sheet: "New", rows });
    expect(await read(book, "Used")).toEqual({ ...found, sheet: "Used", rows: [["B1", "Ford", "2026-10-16"]] });
  });

  test("says why it cannot be read", async () => {
    expect(await read(book.slice(0, 900), "")).toContain("The workbook is broken");
    expect(await read(book, "Old")).toContain("must be a sheet of the workbook");
  });
});

describe("the fields of a file's columns", () => {
  const heading = ["VIN", "Price", "Lot Price", "Views", "Photos"];

  test("are those that the service recognizes, but the user's choices come first", () => {
    expect(assignColumns({ heading }, {})).toMatchObject({
      fields: ["vin", "price", null, null, "images"],
      fault: null,
    });
    expect(assignColumns({ heading }, { "Lot Price": "price", VIN: null }).fields).toEqual([
      null,
      null,
      "price",
      null,
      "images",
    ]);
  });

  test("never repeat after a choice, except images", () => {
    const once = withChosenColumn({ heading }, {}, { at: 2, field: "price" });
    expect(assignColumns({ heading }, once)).toMatchObject({
      fields: ["vin", null, "price", null, "images"],
      fault: null,
    });
    const back = withChosenColumn({ heading }, once, { at: 1, field: "price" });
    expect(assignColumns({ heading }, back)).toMatchObject({
      fields: ["vin", "price", null, null, "images"],
      fault: null,
    });
    const images = withChosenColumn({ heading }, back, { at: 3, field: "images" });
    expect(assignColumns({ heading }, images).fields).toEqual(["vin", "price", null, "images", "images"]);
    // Numbered photos and lists of them are known, and all of them are read.
    expect(assignColumns({ heading: ["Photo 2", "Photo1", "Photos"] }, {}).fields).toEqual([
      "images",
      "images",
      "images",
    ]);
  });

  test("are refused with a reason if two are the same, or if no column has one", () => {
    expect(assignColumns({ heading: ["VIN", "Stock", "Stock #"] }, {}).fault).toContain("stock number");
    expect(assignColumns({ heading: ["Foo", "Bar"] }, {}).fault).toContain("No column is known");
    const mended = withChosenColumn({ heading: ["VIN", "Stock", "Stock #"] }, {}, { at: 2, field: "stock_number" });
    expect(assignColumns({ heading: ["VIN", "Stock", "Stock #"] }, mended)).toMatchObject({
      fields: ["vin", null, "stock_number"],
      fault: null,
    });
  });
});
