import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { inflated } from "../../../adapters/workbooks/inflate.ts";
import { sheetText } from "../../../core/imports/workbook/sheet-text.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { type TestCell, type TestWorkbook, workbookFiles, workbookOf, zipOf } from "../../support/workbooks.ts";
import { readSheet, refusalOf } from "./workbook.ts";

const HEAD = ["VIN", "Stock", "Make", "Model", "Year", "Price"];

const stock = (rows: readonly (readonly TestCell[] | null)[], more: Partial<TestWorkbook> = {}): TestWorkbook => ({
  sheets: [{ rows: [HEAD, ...rows] }],
  ...more,
});

const FORMATS = [
  "dd/mm/yyyy",
  "mmm yy",
  'yyyy"-"mm"-"dd hh:mm:ss',
  "0.00%",
  "[$€-407] #,##0.00",
  "00000",
  '#,##0" miles"',
  "General",
  "h:mm",
  "[Red]d. mmmm yyyy;@",
  "\\d0",
];
const styled = (format: string, value: string): TestCell => ({
  xml: `<c s="${FORMATS.indexOf(format) + 1}"><v>${value}</v></c>`,
});
const cell = (xml: string): TestCell => ({ xml });

/** Values of cells, and what they are read as. */
const VALUES: readonly (readonly [name: string, cell: TestCell, read: unknown])[] = [
  ["a text with zeros before it", "00123", "00123"],
  ["a shared text", cell('<c t="s"><v>1</v></c>'), "00077"],
  ["a shared text that is not there", cell('<c t="s"><v>9</v></c>'), null],
  [
    "a text in several runs, without how it is pronounced",
    cell('<c t="inlineStr"><is><r><t>Al</t></r><r><t xml:space="preserve">fa </t></r><rPh><t>x</t></rPh></is></c>'),
    "Alfa ",
  ],
  [
    "a text with references and escapes",
    cell('<c t="inlineStr"><is><t>5 &lt; 6 &amp;_x000D_&#228;_x0000_</t></is></c>'),
    "5 < 6 &\rä",
  ],
  ["a text that looks like an escape", cell('<c t="inlineStr"><is><t>_x005F_x0041_</t></is></c>'), "_x0041_"],
  ["a text of marked data", cell('<c t="inlineStr"><is><t><![CDATA[a & <b>]]></t></is></c>'), "a & <b>"],
  ["a whole number", 2024, 2024],
  ["a number with the digits that somebody entered", cell("<c><v>25999.989999999998</v></c>"), 25999.99],
  ["a number whose last digits are lost", cell("<c><v>1.2345678901234568E+16</v></c>"), "1.23456789012346E+16"],
  ["yes", true, true],
  ["no", false, false],
  ["an error", cell('<c t="e"><v>#N/A</v></c>'), null],
  ["a formula's stored number", cell("<c><f>A1*2</f><v>42</v></c>"), 42],
  ["a formula's stored text", cell('<c t="str"><f>A1&amp;B1</f><v>A &amp; B</v></c>'), "A & B"],
  ["a formula without a value", cell("<c><f>A1*2</f></c>"), null],
  ["a formula that reads another workbook", cell("<c><f>[1]Prices!A1</f><v>9000</v></c>"), 9000],
  ["a day", styled("dd/mm/yyyy", "46311"), "2026-10-16"],
  ["a day with a time", styled("dd/mm/yyyy", "46311.5"), "2026-10-16T12:00:00.000Z"],
  ["a month", styled("mmm yy", "46296"), "2026-10-01"],
  ["a moment", styled('yyyy"-"mm"-"dd hh:mm:ss', "46311.572916666664"), "2026-10-16T13:45:00.000Z"],
  ["a day with a colour and a language", styled("[Red]d. mmmm yyyy;@", "46311"), "2026-10-16"],
  ["the first of March 1900", styled("dd/mm/yyyy", "61"), "1900-03-01"],
  ["the first of January 1900", styled("dd/mm/yyyy", "1"), "1900-01-01"],
  ["a date that no calendar has", styled("dd/mm/yyyy", "-5"), -5],
  ["a date written as text", cell('<c t="d"><v>2026-10-16T00:00:00</v></c>'), "2026-10-16"],
  ["a percentage", styled("0.00%", "0.25"), 0.25],
  ["an amount of money", styled("[$€-407] #,##0.00", "9995"), 9995],
  ["a number that is shown with zeros before it", styled("00000", "77"), "00077"],
  ["a distance", styled('#,##0" miles"', "12000"), 12000],
  ["a number in no special format", styled("General", "12"), 12],
  ["a time of the day", styled("h:mm", "0.5"), 0.5],
  ["a number behind a letter", styled("\\d0", "3"), 3],
];

describe("a workbook", () => {
  for (const [name, value, read] of VALUES)
    test(`has ${name}, read as ${JSON.stringify(read)}`, async () => {
      const row: readonly TestCell[] = ["1HGCM82633A004352", value];
      const { rows } = await readSheet(workbookOf(stock([row], { formats: FORMATS, texts: ["00123", "00077"] })));
      expect(rows[0]?.cells.Stock as unknown).toBe(read);
    });

  test("whose days are counted from 1904 has the same dates", async () => {
    const { rows } = await readSheet(
      workbookOf(stock([["V1", styled("dd/mm/yyyy", "44849")]], { formats: FORMATS, is1904: true })),
    );
    expect(rows[0]?.cells.Stock).toBe("2026-10-16");
  });

  test("gives each row the line of its row in the sheet, and skips what is empty and what stands above", async () => {
    const { rows, facts } = await readSheet(
      workbookOf({
        sheets: [
          {
            name: "Lot",
            rows: [
              ["Stock of Main Street"],
              null,
              [null, ...HEAD],
              null,
              [null, "V1", "1\n2"],
              ["", " "],
              [null, "V2"],
            ],
          },
        ],
      }),
    );
    expect(rows.map(({ line, cells }) => [line, cells.VIN, cells.Stock, cells.Price])).toEqual([
      [5, "V1", "1\n2", null],
      [7, "V2", null, null],
    ]);
    expect(facts).toMatchObject({ sheet: "Lot", above: { rows: 1, text: "Stock of Main Street" }, warnings: [] });
  });

  const two = (more: Partial<TestWorkbook["sheets"][number]> = {}): Uint8Array =>
    workbookOf({
      sheets: [
        { name: "Notes", rows: [["Hello"]] },
        { name: "New", rows: [HEAD, ["V1"]], ...more },
        { name: "Used", rows: [HEAD, ["V2"]] },
      ],
    });

  test("is read from the first visible sheet with a heading, which is said if there are others", async () => {
    const { rows, facts } = await readSheet(two());
    expect([rows[0]?.cells.VIN, facts.sheet, facts.sheets]).toEqual(["V1", "New", ["Notes", "New", "Used"]]);
    expect(facts.warnings).toMatchObject([{ code: "sheet_chosen", message: expect.stringContaining('not "Used"') }]);
    const visible = await readSheet(two({ state: "hidden" }));
    expect([visible.rows[0]?.cells.VIN, visible.facts.warnings]).toEqual(["V2", []]);
    expect((await readSheet(two({ state: "hidden" }), { sheet: " new " })).rows[0]?.cells.VIN).toBe("V1");
    expect(await refusalOf(two(), { sheet: "Old" })).toBe(
      'sheet_unknown: must be a sheet of the workbook, which has "Notes", "New", "Used"',
    );
  });

  test("has its heading where the sender says, or in its first row", async () => {
    const file = workbookOf({
      sheets: [
        {
          rows: [
            ["Id", "What"],
            ["VIN", "Make"],
            ["V1", "Kia"],
          ],
        },
      ],
    });
    expect((await readSheet(file)).rows.map(({ cells }) => cells.Id)).toEqual(["VIN", "V1"]);
    expect((await readSheet(file, { headingRow: 2 })).rows.map(({ cells }) => cells.VIN)).toEqual(["V1"]);
    expect(await refusalOf(file, { headingRow: 9 })).toContain("unreadable: No row of the sheet is row 9");
    const own = await readSheet(
      workbookOf({ sheets: [{ rows: [["A", "B"]] }, { rows: [["a note"], ["Auto", "Id", "Marke"], ["x"]] }] }),
      { own: { Auto: "model", Id: "vin", Marke: "make" } },
    );
    expect(own.facts.sheet).toBe("Sheet2");
  });

  test("names two columns of one heading apart", async () => {
    const { rows } = await readSheet(
      workbookOf({ sheets: [{ rows: [[...HEAD, "Photo", "Photo"], [..."abcdefgh"]] }] }),
    );
    expect(rows[0]?.cells).toMatchObject({ Photo: "g", "Photo (2)": "h" });
  });

  test("says which rows are hidden, and reads them", async () => {
    const { rows, facts } = await readSheet(
      workbookOf({ sheets: [{ rows: [HEAD, ["V1"], ["V2"], [""]], hiddenRows: [3, 4] }] }),
    );
    expect(rows.length).toBe(2);
    expect(facts.warnings).toMatchObject([{ code: "rows_hidden", message: expect.stringMatching(/^1 row .*row 3/) }]);
  });

  test("says which cells have no heading, which formulas no value and which numbers no last digits, and fails no row over them", async () => {
    const { rows, facts } = await readSheet(
      workbookOf(stock([["V1", cell("<c><f>1+1</f></c>"), "Kia", 1e15, 2020, 5, null, "sold?"]])),
    );
    expect(rows[0]?.cells).toMatchObject({ VIN: "V1", Stock: null, Price: 5 });
    expect(facts.warnings.map(({ code, message }) => [code, /[A-Z]\d+/.exec(message)?.[0]])).toEqual([
      ["cells_without_heading", "H2"],
      ["formula_without_value", "B2"],
      ["digits_lost", "D2"],
    ]);
  });

  test("gives merged cells the value of their first: each row of one column, and the first of several columns", async () => {
    const { rows, facts } = await readSheet(
      workbookOf({
        sheets: [
          {
            rows: [
              ["Lot", "x", "x"],
              HEAD,
              ["V1", "1", "Kia", "Rio", 2020, 5],
              ["V2", "2", "stale", "Ceed", 2021, 6],
              ["V3", "3", null, "Stinger", 2022, 7],
              [null, null, "stale"],
              ["V4", "4", "Ford"],
              ["V5", "5"],
              ["A note over the whole table", "stale"],
            ],
            merges: ["A1:F1", "C3:C6", "C7:D8", "A9:F9"],
          },
        ],
      }),
    );
    expect(rows.map(({ line, cells }) => [line, cells.VIN, cells.Stock, cells.Make, cells.Model])).toEqual([
      [3, "V1", "1", "Kia", "Rio"],
      [4, "V2", "2", "Kia", "Ceed"],
      [5, "V3", "3", "Kia", "Stinger"],
      [7, "V4", "4", "Ford", null],
      [8, "V5", "5", null, null],
      [9, "A note over the whole table", null, null, null],
    ]);
    expect(facts.warnings).toMatchObject([{ code: "cells_merged", message: expect.stringMatching(/^in 2 rows.*C4/) }]);
  });

  test("repeats no heading that is merged with the cell below it", async () => {
    const sheet = { rows: [HEAD, [null, null, null, null, null, "in dollars"], ["V1"]], merges: ["A1:A2"] };
    const { rows } = await readSheet(workbookOf({ sheets: [sheet] }));
    expect(rows.map(({ cells }) => [cells.VIN, cells.Price])).toEqual([
      [null, "in dollars"],
      ["V1", null],
    ]);
  });

  test("shares texts between cells, without how they are pronounced", async () => {
    const textsXml =
      "<sst><si><r><t>Al</t></r><r><t>fa</t></r><rPh><t>x</t></rPh></si><si/><si><t>B &amp; C</t></si></sst>";
    const shared = (place: number): TestCell => cell(`<c t="s"><v>${place}</v></c>`);
    const { rows } = await readSheet(workbookOf(stock([[shared(0), shared(1), shared(2)]], { textsXml })));
    expect(rows[0]?.cells).toMatchObject({ VIN: "Alfa", Stock: null, Make: "B & C" });
  });

  test("is read whatever its XML looks like: names with prefixes, other quotes, comments, no places of cells", async () => {
    const files = workbookFiles({ sheets: [{}] }).map((file) =>
      file.name.startsWith("xl/worksheets")
        ? {
            ...file,
            content: `\uFEFF<x:worksheet xmlns:x="urn:x"><!-- > " --><x:sheetData ><x:row\n r = '1'>${HEAD.map(
              (text) => `<x:c t='inlineStr'><x:is><x:t>${text}</x:t></x:is></x:c>`,
            ).join(
              "",
            )}</x:row><x:row a=">"><x:c t="str"><x:v>V1</x:v></x:c><x:c/><x:c t="str"><x:v>K</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
          }
        : file,
    );
    const { rows } = await readSheet(
      zipOf(files.map((file) => ({ ...file, name: file.name.toUpperCase().replaceAll("/", "\\") }))),
    );
    expect(rows).toMatchObject([{ line: 2, cells: { VIN: "V1", Stock: null, Make: "K" } }]);
  });

  test("has the same rows however it is packed, with any texts", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.oneof(fc.string({ unit: anyCharacter }), fc.integer(), fc.boolean()), { maxLength: 6 })),
        fc.boolean(),
        async (values, isStored) => {
          // Signs that XML does not have are written in another way, which its writers know.
          const rows = values.map((row) =>
            row.map((value) => (typeof value === "string" ? `t${value.replaceAll(/[^ -\uD7FF]|_/g, "")}` : value)),
          );
          const read = await readSheet(workbookOf(stock(rows, { isStored })));
          const expected = rows.flatMap((row, index) =>
            row.length === 0 ? [] : [[index + 2, HEAD.map((_, place) => row[place] ?? null)]],
          );
          expect(read.rows.map(({ line, cells }) => [line, HEAD.map((name) => cells[name] ?? null)])).toEqual(expected);
        },
      ),
      { numRuns: 30 },
    ));
});

const withFile = (name: string, content: string | Uint8Array): Uint8Array =>
  zipOf(workbookFiles(stock([["V1"]])).map((file) => (file.name === name ? { name, content } : file)));
const SHEET = "xl/worksheets/sheet1.xml";
const sheet = (rows: string): Uint8Array => withFile(SHEET, `<worksheet><sheetData>${rows}</sheetData></worksheet>`);
const heading = `<row>${HEAD.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join("")}</row>`;
const saying = (name: string, says: object): Uint8Array =>
  zipOf(workbookFiles(stock([["V1"]])).map((file) => (file.name === name ? { ...file, says } : file)));
const MEBIBYTE = 1024 * 1024;

/** Workbooks that could fill the memory, keep a thread busy, or make it read what is not in them. */
const HOSTILE: readonly (readonly [name: string, file: () => Uint8Array, refusal: string])[] = [
  [
    "a sheet that says it is larger than any that is read",
    () => saying(SHEET, { bytes: 300 * MEBIBYTE }),
    "too_large: The workbook is too large: the sheet",
  ],
  [
    "a sheet that is larger than it says",
    () => saying(SHEET, { bytes: 20 }),
    "unreadable: The workbook is broken: the sheet",
  ],
  [
    "a sheet that is not what its checksum says",
    () => saying(SHEET, { checksum: 1 }),
    "unreadable: The workbook is broken: the sheet",
  ],
  ["a part that is encrypted", () => saying(SHEET, { flags: 1 }), "unreadable: The workbook is encrypted"],
  [
    "texts that say they take more than 64 MiB",
    () => saying("xl/sharedStrings.xml", { bytes: 65 * MEBIBYTE }),
    "too_large: The workbook is too large: the list of texts",
  ],
  [
    "more than two million empty texts",
    () => withFile("xl/sharedStrings.xml", `<sst>${"<si/>".repeat(2_000_001)}</sst>`),
    "too_large: The workbook has more than 2000000 texts",
  ],
  [
    "entities that stand for long texts",
    () => withFile(SHEET, '<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet/>'),
    "unreadable: The workbook is broken: the sheet",
  ],
  [
    "a reference to an entity that it does not have",
    () => sheet(`${heading}<row><c t="str"><v>&a;</v></c></row>`),
    "unreadable: The workbook is broken: it has references",
  ],
  [
    "one row of many empty cells",
    () => sheet(`<row>${"<c/>".repeat(1_000_000)}</row>`),
    "unreadable: The workbook has no sheet with a row",
  ],
  ["a text of more than 1 MiB", () => sheet(`<row><c t="str"><v>${"x".repeat(2 * MEBIBYTE)}`), "too_large: "],
  ["a tag of more than 1 MiB", () => sheet(`<row ${"x".repeat(2 * MEBIBYTE)}`), "too_large: "],
  [
    "an error of many pieces of text",
    () => sheet(`${heading}<row><c t="e"><v>${"<![CDATA[xxxxxxxxxxxxxxxx]]>".repeat(20_000)}</v></c></row>`),
    "too_large: Row 2 of the sheet",
  ],
  [
    "cells that share one long text",
    () =>
      workbookOf({
        texts: ["x".repeat(200_000)],
        sheets: [{ xml: `${heading}<row>${'<c t="s"><v>0</v></c>'.repeat(2)}</row>` }],
      }),
    "too_large: Row 2 of the sheet",
  ],
  [
    "rows that go back",
    () => sheet('<row r="5"/><row r="4"/>'),
    "unreadable: The workbook is broken: row 4 of the sheet is not behind row 5",
  ],
  [
    "a row beyond all sheets",
    () => sheet('<row r="1048577"/>'),
    "unreadable: The workbook is broken: row 1048577 of the sheet is beyond",
  ],
  [
    "a row without a number beyond all sheets",
    () => sheet('<row r="1048576"/><row/>'),
    "unreadable: The workbook is broken: row 1048577 of the sheet is beyond",
  ],
  [
    "more columns than are read",
    () => workbookOf({ sheets: [{ rows: [Array.from({ length: 201 }, (_, n) => `Column ${n}`)] }] }),
    "too_large: The workbook has more than 200 columns",
  ],
  [
    "a heading of more than 200 characters",
    () => workbookOf({ sheets: [{ rows: [["x".repeat(201)]] }] }),
    "too_large: The workbook has a heading",
  ],
  [
    "a sheet outside the workbook",
    () => workbookOf({ ...stock([["V1"]]), sheetTarget: "https://a.example/sheet.xml", targetMode: "External" }),
    "unreadable: The workbook is broken: it has no sheet",
  ],
  [
    "a sheet in a folder above the workbook",
    () => workbookOf({ ...stock([["V1"]]), sheetTarget: "../../../etc/passwd" }),
    "unreadable: The workbook is broken: the sheet",
  ],
  [
    "more than 200 sheets",
    () => workbookOf({ sheets: Array.from({ length: 201 }, () => ({})) }),
    "too_large: The workbook has more than 200 sheets",
  ],
  [
    "too many parts",
    () => zipOf(Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}`, content: "" }))),
    "too_large: The workbook has more than 10000 parts",
  ],
  [
    "two parts of one name",
    () => workbookOf({ ...stock([["V1"]]), more: [{ name: "XL/Workbook.xml", content: "" }] }),
    "unreadable: The workbook is broken: two of its parts",
  ],
  [
    "merged cells without end",
    () => workbookOf({ sheets: [{ rows: [HEAD], merges: Array.from({ length: 100_001 }, () => "A1:B2") }] }),
    "too_large: The sheet has more than 100000 merged cells",
  ],
  ["no row", () => workbookOf({ sheets: [{}] }), "unreadable: The workbook has no sheet with a row"],
  [
    "text that is not UTF-8",
    () => withFile(SHEET, new Uint8Array([60, 255, 254])),
    "unreadable: The workbook is broken: the sheet",
  ],
  [
    "nothing of a workbook",
    () => zipOf([{ name: "readme.txt", content: "hello" }]),
    "unreadable: The file is an archive and no workbook",
  ],
  [
    "an OpenDocument spreadsheet in it",
    () => zipOf([{ name: "content.xml", content: "" }]),
    "unsupported: The file is an OpenDocument",
  ],
  ["no end", () => workbookOf(stock([["V1"]])).subarray(0, 600), "unreadable: The workbook is broken: it is not whole"],
];

describe("a workbook is refused that has", () => {
  for (const [name, file, refusal] of HOSTILE)
    test(name, async () => expect(await refusalOf(file())).toStartWith(refusal));

  test("a part that unpacks to more than it says, before much of it is unpacked", async () => {
    const bomb = zipOf(
      workbookFiles(stock([["V1"]])).map((file) =>
        file.name === SHEET ? { ...file, content: " ".repeat(20 * MEBIBYTE), says: { bytes: 1000 } } : file,
      ),
    );
    let unpacked = 0;
    const counting = async function* (packed: Uint8Array): AsyncGenerator<Uint8Array> {
      for await (const chunk of inflated(packed)) {
        unpacked += chunk.length;
        yield chunk;
      }
    };
    const reading = sheetText(bomb, counting, { own: {} });
    await expect(reading.next()).rejects.toThrow("is larger than the workbook says");
    expect(unpacked).toBeLessThan(MEBIBYTE);
  });

  test("any damage, with a clear reason", () => {
    const whole = workbookOf(stock([["V1", "1", "Kia"]]));
    return fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const damaged = whole.slice();
        damaged[at] = byte;
        expect(await refusalOf(damaged)).toMatch(/^(?:read$|unreadable: |too_large: |unsupported: )/);
      }),
      { numRuns: 60 },
    );
  });

  test("but a million empty rows below its table are none", async () => {
    const empty = Array.from({ length: 1_000_000 }, (_, n) => `<row r="${n + 3}"/>`).join("");
    const { rows } = await readSheet(sheet(`${heading}<row r="2"><c t="str"><v>V1</v></c></row>${empty}`));
    expect(rows.map(({ line, cells }) => [line, cells.VIN])).toEqual([[2, "V1"]]);
  });
});
