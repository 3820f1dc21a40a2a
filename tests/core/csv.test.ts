import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { csvLine, withoutFormulaMarks } from "../../core/csv.ts";
import { cellsOf } from "../../core/imports/file/delimited.ts";

describe("a line of CSV", () => {
  for (const [name, cells, line] of [
    ["separates cells by commas and ends as RFC 4180 says", ["a", 1, "b c"], "a,1,b c\r\n"],
    ["has nothing for what is not there, nor for an empty text", [null, "", 0], ",,0\r\n"],
    [
      "quotes commas, quotes and ends of lines",
      ["a,b", 'say "so"', "a\nb", "a\rb"],
      '"a,b","say ""so""","a\nb","a\rb"\r\n',
    ],
    ["keeps letters of every script and spaces at the ends", [" é ", "本", "😀"], " é ,本,😀\r\n"],
    ["keeps numbers below zero as numbers", [-5, 2.5], "-5,2.5\r\n"],
  ] as const)
    test(name, () => expect(csvLine(cells)).toBe(line));

  for (const text of [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    " =1",
    "\t=1",
    "\tx",
    "\rx",
    "\nx",
    "＝1",
    "＋1",
    "－1",
    "＠x",
    '=HYPERLINK("https://example.com")',
  ])
    test(`writes ${JSON.stringify(text)} as text that no spreadsheet calculates`, () =>
      expect(csvLine([text])).toMatch(/^"?'/));

  for (const [text, safe] of [
    ["x;=1+1", "x;'=1+1"],
    ["x; @SUM(A1);-1", "x; '@SUM(A1);'-1"],
    ["x\t+1", "x\t'+1"],
    ["x\n=1", '"x\n\'=1"'],
    ['x;"=1', '"x;""\'=1"'],
    ["=1;=2", "'=1;'=2"],
  ] as const)
    test(`leaves nothing to calculate in ${JSON.stringify(text)} where semicolons separate cells`, () =>
      expect(csvLine([text])).toBe(`${safe}\r\n`));

  for (const piece of ["\n", "; ", ' "', ";\t"])
    test(`takes time in proportion to the length of ${JSON.stringify(piece)} repeated`, () =>
      // A square of this would not end within the time limit of a test.
      expect(csvLine([piece.repeat(500_000)]).length).toBeGreaterThan(500_000));

  for (const text of ["a;b", "a=1", "1-2", "robin@example.com", "{}", "'x", "2026-11-20T09:11:00.000Z"])
    test(`writes ${text} unchanged`, () => expect(csvLine([text])).toBe(`${text}\r\n`));

  test("gets back the text that was written, whatever apostrophes it has of its own", () => {
    const letters = fc.constantFrom(..."'=+-@＝;\t\r\n \",ax1");
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 12 }), (text) => {
        const [cell = ""] = cellsOf(csvLine([text]).slice(0, -2), ",", true);
        expect(withoutFormulaMarks(cell)).toBe(text);
        expect(/^'|^(?!\s*[=+\-@＝]|[\t\r\n])/u.test(cell)).toBe(true);
      }),
    );
  });
});
