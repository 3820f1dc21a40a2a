import { expect, test } from "bun:test";
import { hasHeadingMarks } from "../../../core/imports/file/heading-marks.ts";
import { columnsOf, headingReader } from "../../../core/imports/headings/columns.ts";
import { IMPORT_FIELDS } from "../../../core/imports/headings/headings.ts";
import { valuesReader } from "../../../core/imports/values/values.ts";
import { foldLetters } from "../../../core/search/words.ts";
import { UNSET_VEHICLE } from "../../../core/vehicles/vehicle.ts";
import { vehicleWords } from "../../../core/vehicles/vehicle-words.ts";
import { countingSteps } from "../../support/steps.ts";

const LENGTH = 250_000;
const filled = (piece: string): string => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);

/** Cells of 250 000 characters that make readers split, fold, compare or check as much as possible. */
const COSTLY: Readonly<Record<string, string>> = {
  "letters that become eighteen": filled("\uFDFA"),
  "syllables that become three letters": filled("\uAC01"),
  "accents without letters": filled("\u0301\u0323"),
  "single digits": filled("1 "),
  separators: filled(",|;"),
  "separators before a word": `${filled(",|;")}x`,
  "beginnings of addresses": filled(",http://"),
  "short addresses": filled("http://a.example.com "),
  "short addresses without blanks": filled("http://a.example.com/1,"),
  "groups of thousands": filled("1,234"),
  signs: filled("$-("),
  blanks: `x${filled(" ")}x`,
  "quoted codes": `="${filled('"=')}`,
  dates: filled("2026-11-20T09:11:00Z"),
};

/** How often a reader may look at each character of a cell, on average, to trim it and to check what it is. */
const LOOKS = 16;

for (const [name, cell] of Object.entries(COSTLY))
  for (const isOwnExport of [false, true])
    test(`a cell of ${name} costs every reader a few looks at each character, own export: ${isOwnExport}`, () => {
      for (const field of IMPORT_FIELDS) {
        const columns = columnsOf([field], { [field]: field });
        if ("code" in columns) throw new Error(columns.message);
        const read = valuesReader({ ...columns, isOwnExport }, { decimal: "auto", empty: "keep" });
        read(["1"]);
        const steps = countingSteps(() => read([cell]));
        if (steps > LOOKS * LENGTH) throw new Error(`${field}: ${steps / LENGTH} steps for each character`);
      }
    });

test("a long row costs a few looks at each character to see that it is no heading", () => {
  for (const [name, text] of Object.entries(COSTLY))
    for (const length of [LENGTH, 200, 100]) {
      const cells = Array.from({ length: LENGTH / length }, (_, n) => text.slice(n * length, (n + 1) * length));
      const steps = countingSteps(() => hasHeadingMarks(cells, headingReader({})));
      if (steps > 25 * LENGTH)
        throw new Error(`${name}, cells of ${length}: ${steps / LENGTH} steps for each character`);
    }
});

test("an image list is looked at once where it is no address, and ends where it is too long", () => {
  const read = valuesReader(
    { columns: [{ heading: "Photos", field: "images" }], warnings: [], isOwnExport: false } as never,
    { decimal: "auto", empty: "keep" },
  );
  const codeOf = (cell: string) => read([cell]).warnings.map(({ code }) => code);
  expect(countingSteps(() => read([filled("1 ")]))).toBeLessThan(8 * LENGTH);
  expect(codeOf(filled("1 "))).toEqual(["not_an_address"]);
  const addresses = (count: number) => Array.from({ length: count }, (_, n) => `https://a.example.com/${n}`).join(" ");
  expect(codeOf(addresses(1001))).toEqual(["too_many_images"]);
  expect(read([addresses(1000)]).images).toHaveLength(1000);
});

test("the folded form of a long text is bounded, and that of names, values and queries is complete", () => {
  for (const text of [filled("\uFDFA"), filled("\uFDFA1"), filled("a\uFDFA")])
    expect(foldLetters(text).length).toBeLessThanOrEqual(3 * text.length + 20 * 1024);
  expect(foldLetters("\uFDFA".repeat(200))).toBe(foldLetters("\uFDFA").repeat(200));
  // Hangul, the script that grows the most in ordinary texts, is complete.
  expect(foldLetters(filled("\uAC01"))).toBe(foldLetters("\uAC01").repeat(LENGTH));
});

test("a long text is folded like its parts, wherever it is divided", () => {
  const text = "Škoda \u{1F600}ΟΔΟΣ e\u0301 ﬁ \uD83D\uDE00 한국 İ ß ";
  for (let shift = 0; shift < 8; shift++)
    expect(foldLetters("x".repeat(shift) + text.repeat(300))).toBe("x".repeat(shift) + foldLetters(text).repeat(300));
});

test("the words of a vehicle cost a few looks at each character of its texts", () => {
  for (const [name, cell] of Object.entries(COSTLY)) {
    const description = cell.slice(0, 20_000);
    const vehicle = { ...UNSET_VEHICLE, year: 2024, make: "Kia", model: "Rio", description };
    const steps = countingSteps(() => vehicleWords(vehicle as never));
    if (steps > 90 * description.length) throw new Error(`${name}: ${steps / description.length} steps a character`);
  }
});
