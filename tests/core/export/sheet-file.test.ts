import { describe, expect, test } from "bun:test";
import { MAX_CELL_LENGTH, sheetFile } from "../../../core/export/sheet-file.ts";

const sheetOf = (cells: readonly (string | number | null)[], kind: "plain" | "moment" | "day" = "plain"): string =>
  sheetFile(cells.map((_, column) => ({ name: `Column ${column}`, width: 20, kind }))).line(cells);

describe("a sheet of an export", () => {
  test("has a frozen heading in bold, and columns with room for their values", () => {
    const { heading, end } = sheetFile([
      { name: "vin", width: 20, kind: "plain" },
      { name: "a < b", width: 60, kind: "plain" },
    ]);
    expect(heading).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(heading).toContain('<col min="1" max="1" width="20" customWidth="1"/><col min="2" max="2" width="60"');
    expect(heading).toContain('<c r="B1" s="3" t="inlineStr"><is><t xml:space="preserve">a &lt; b</t></is></c></row>');
    expect(end).toBe("</sheetData></worksheet>");
  });

  test("numbers its rows and cells, and leaves empty cells out", () => {
    const { line } = sheetFile(Array.from({ length: 28 }, () => ({ name: "x", width: 9, kind: "plain" as const })));
    const cells = Array.from({ length: 28 }, (_, column) => (column === 0 || column > 25 ? column : null));
    expect(line(cells)).toBe('<row r="2"><c r="A2"><v>0</v></c><c r="AA2"><v>26</v></c><c r="AB2"><v>27</v></c></row>');
    expect(line(["", null])).toBe('<row r="3"></row>');
  });

  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "007", "2026-10-16", "1e3"])
    test(`has ${JSON.stringify(text)} as a text, which nothing calculates or reads as a number`, () =>
      expect(sheetOf([text])).toBe(
        `<row r="2"><c r="A2" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c></row>`,
      ));

  test("writes what XML does not have in the form of workbooks", () => {
    const written = "&lt;b&gt; &amp; _x0001_\n_x000D__x005F_x0041_ _x0085_ _x";
    expect(sheetOf(["<b> & \u0001\n\r_x0041_ \u0085 _x"])).toContain(`<t xml:space="preserve">${written}</t>`);
  });

  test("has dates as dates, if a number says exactly the same", () => {
    expect(sheetOf(["2026-10-16T12:00:00.000Z"], "moment")).toContain('<c r="A2" s="1"><v>46311.5</v></c>');
    expect(sheetOf(["2021-03-01"], "day")).toContain('<c r="A2" s="2"><v>44256</v></c>');
    for (const [text, kind] of [
      ["1899-12-31T00:00:00.000Z", "moment"],
      ["2026-10-16", "moment"],
      ["2026-10-16T12:00:00.000Z", "day"],
      ["soon", "day"],
    ] as const)
      expect(sheetOf([text], kind)).toContain(`<t xml:space="preserve">${text}</t>`);
  });

  test("has no text that is longer than a cell may be", () => {
    expect(sheetOf(["x".repeat(MAX_CELL_LENGTH)]).length).toBeGreaterThan(MAX_CELL_LENGTH);
    expect(sheetOf(["x".repeat(MAX_CELL_LENGTH + 1)])).toBe('<row r="2"></row>');
  });
});
