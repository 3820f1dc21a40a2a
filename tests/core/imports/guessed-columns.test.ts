import { describe, expect, test } from "bun:test";
import { contentOf } from "../../../core/imports/file/content-survey.ts";
import { columnsOf, type ImportColumns, type OwnColumns } from "../../../core/imports/headings/columns.ts";
import { found } from "./reading.ts";

const VINS = ["1G4AH59H45G118341", "1J9RP1A36A1644345", "1HGBH41JXMN109186"];

/** The columns of a CSV file with this heading and these columns of cells. */
const columnsIn = (columns: Readonly<Record<string, readonly string[]>>, own: OwnColumns = {}): ImportColumns => {
  const names = Object.keys(columns);
  const count = Math.max(...Object.values(columns).map(({ length }) => length));
  const rows = Array.from({ length: count }, (_, row) => names.map((name) => columns[name]?.[row] ?? "").join(";"));
  // Headings that say nothing are written as the empty ones that they stand for.
  const heading = names.map((name) => name.replace(/^empty.*/, "")).join(";");
  const layout = found(`${[heading, ...rows].join("\n")}\n`, { format: "csv", delimiter: ";" });
  const read = columnsOf(layout.heading, own, layout.contents);
  if ("code" in read) throw new Error(`${read.code}: ${read.message}`);
  return read;
};
const fieldsIn = (...given: Parameters<typeof columnsIn>) =>
  columnsIn(...given).columns.map(({ field, guessed = false }) => (guessed ? `${field}?` : field));

const KNOWN = { Stock: ["A1", "A2", "A3"], Make: ["Kia", "Kia", "Kia"], Model: ["Rio", "Rio", "Rio"] };
const photos = (name: string) => [1, 2, 3].map((row) => `https://cdn.example.com/${name}-${row}.jpg`);

describe("a column whose heading is not known", () => {
  test("is taken for the VINs or photos that its cells are, which the answer and a warning say", () => {
    const { columns, warnings } = columnsIn({ ...KNOWN, Ident: VINS, Shots: photos("front"), Lot: ["1", "2", "3"] });
    expect(columns.slice(3)).toEqual([
      { heading: "Ident", field: "vin", guessed: true },
      { heading: "Shots", field: "images", guessed: true },
      { heading: "Lot", field: null },
    ]);
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([
      ["Ident", "heading_guessed"],
      ["Shots", "heading_guessed"],
      ["Lot", "heading_unknown"],
    ]);
  });

  test("is also taken for years, prices and mileages, where its heading says nothing", () => {
    const cells = { year: ["2019", "2020", "2021"], price: ["$9,995", "$ 12,000", "$8,500.00"] };
    const distances = ["45,000 mi", "12 000 km", "7k mi"].map((cell) => cell.replace("k mi", "000 mi"));
    expect(
      fieldsIn({ ...KNOWN, empty: cells.year, "Column 5": cells.price, "Unnamed: 6": distances }).slice(3),
    ).toEqual(["year?", "price?", "mileage?"]);
    // What a dealer paid has a heading, and no unit or sign: it is never the price.
    const costs = { "Floor plan": cells.price, Built: cells.year, empty: ["9995", "12000", "8500"] };
    expect(fieldsIn({ ...KNOWN, ...costs }).slice(3)).toEqual([null, null, null]);
  });

  test("never takes the place of a heading that is known, of what the caller says, or of another that looks alike", () => {
    expect(fieldsIn({ ...KNOWN, VIN: ["", "", ""], Ident: VINS }).slice(3)).toEqual(["vin", null]);
    expect(fieldsIn({ ...KNOWN, Ident: VINS }, { Ident: null }).slice(3)).toEqual([null]);
    expect(fieldsIn({ ...KNOWN, Ident: VINS }, { Ident: "trim" }).slice(3)).toEqual(["trim"]);
    expect(fieldsIn({ ...KNOWN, Ident: VINS, Other: VINS.toReversed() }).slice(3)).toEqual([null, null]);
    expect(fieldsIn({ ...KNOWN, Shots: photos("a"), More: photos("b") }).slice(3)).toEqual(["images?", "images?"]);
  });

  test("stays unknown if a tenth of its cells look otherwise, or the same picture is in every row", () => {
    expect(fieldsIn({ ...KNOWN, Ident: [...VINS.slice(1), "sold"] }).slice(3)).toEqual([null]);
    const logo = Array.from({ length: 3 }, () => "https://cdn.example.com/logo.png");
    expect(fieldsIn({ ...KNOWN, Badge: logo }).slice(3)).toEqual([null]);
  });

  test("makes no file readable that has no heading: its first row looks like the others", () => {
    const [first = "", ...others] = VINS;
    expect(() => columnsIn({ [first]: others, Kia: ["Kia", "Kia"] })).toThrow("import_file_unreadable");
    expect(() => columnsIn({ Ident: VINS, Foo: ["1", "2", "3"] })).toThrow("import_file_unreadable");
  });

  test("is found by the keys of JSON, too, in the first 100 rows alone", () => {
    const rows = (before: number, content: string) =>
      Array.from({ length: 120 }, (_, row) =>
        JSON.stringify({ stock: `A${row}`, ident: row < before ? "-" : content }),
      );
    const fieldOf = (lines: readonly string[]) => found(lines.join("\n"), { format: "ndjson" }).contents?.[1];
    expect(fieldOf([...VINS.map((ident) => JSON.stringify({ stock: ident, ident }))])).toBe("vin");
    expect(fieldOf(rows(110, "2020"))).toBeNull();
    expect(fieldOf(rows(0, "2020").with(110, '{"stock":"A","ident":"x"}'))).toBe("year");
  });
});

test("a long cell looks like nothing, whatever it begins with", () => {
  expect(contentOf(`$${"1".repeat(100_000)}`)).toBeNull();
  expect(contentOf(`https://${"a".repeat(100_000)}.jpg`)).toBeNull();
});
