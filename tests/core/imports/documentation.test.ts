import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FILE_LIMITS } from "../../../core/imports/file/file.ts";
import { HEADINGS } from "../../../core/imports/headings/headings.ts";
import { SYSTEMS } from "../../../core/imports/headings/systems.ts";
import { KNOWN_VALUES } from "../../../core/imports/values/known-values.ts";
import { CONDITION_WORDS, FLAG_WORDS, STATUS_WORDS } from "../../../core/imports/values/words.ts";
import { inMebibytes, WORKBOOK_LIMITS } from "../../../core/imports/workbook/limits.ts";

const text = readFileSync(join(import.meta.dir, "../../../docs/imports.md"), "utf8");

/** The rows of the tables that have these headings, without their ends. */
const tableOf = (heading: string): string[] => {
  const [, behind = ""] = text.split(`| ${heading} |\n`);
  return (behind.split("\n\n")[0] ?? "")
    .split("\n")
    .slice(1)
    .filter((line) => line !== "");
};

/** A heading as it is shown. */
const shown = (heading: string): string => `\`${heading}\``;

const list = (words: readonly string[]): string => [...new Set(words.map(shown))].join(" ");

describe("docs/imports.md", () => {
  test("lists the headings of the table in the code, and no others", () => {
    const rows = Object.entries(HEADINGS).map(([field, lists]) => `| \`${field}\` | ${lists.map(list).join(" > ")} |`);
    expect(tableOf("Field | Headings")).toEqual(rows);
  });

  test("lists the words of the tables in the code, and no others", () => {
    const words = Object.entries({ status: STATUS_WORDS, condition: CONDITION_WORDS, "yes or no": FLAG_WORDS });
    const rows = words.flatMap(([field, values]) =>
      Object.entries<readonly string[]>(values).map(([value, known]) => `| ${field} | \`${value}\` | ${list(known)} |`),
    );
    expect(tableOf("Field | Value | Words")).toEqual(rows);
  });

  test("lists the values that are proposed and what they are guessed from, and no others", () => {
    const tables = { ...KNOWN_VALUES, color: KNOWN_VALUES.exterior_color, exterior_color: {}, interior_color: {} };
    const rows = Object.entries(tables).flatMap(([field, values]) =>
      Object.entries<readonly string[]>(values).map(
        ([value, words]) => `| ${field === "color" ? "colours" : field} | ${shown(value)} | ${list(words)} |`,
      ),
    );
    expect(tableOf("Field | Known value | Guessed from")).toEqual(rows);
  });

  test("has a recipe for each system, with the columns that have no field", () => {
    const rows = tableOf("System | What to choose | Columns without a field").map((row) => row.split(" | "));
    expect(rows.map(([name]) => name?.slice(2))).toEqual(SYSTEMS.map(({ name }) => name));
    expect(rows.map(([, , unread]) => unread)).toEqual(
      SYSTEMS.map(({ unread }) => `${unread.length === 0 ? "none" : unread.map(shown).join(" ")} |`),
    );
  });

  test("states the limits", () => {
    const kibi = 1024;
    expect(tableOf("Limit | Most")).toEqual([
      `| Rows | ${FILE_LIMITS.rows / 1000} 000 |`,
      `| Columns | ${FILE_LIMITS.columns} |`,
      `| A heading | ${FILE_LIMITS.heading} characters |`,
      `| One row | ${FILE_LIMITS.rowBytes / kibi} KiB |`,
      `| The file, unpacked and as it is sent | ${FILE_LIMITS.unpackedBytes / kibi / kibi} MiB, of XML ${FILE_LIMITS.xmlBytes / kibi / kibi} MiB |`,
      `| A workbook | ${WORKBOOK_LIMITS.packed / kibi / kibi} MiB; [more limits](#workbooks) |`,
    ]);
    const { packed, sheet, texts, textCount, merges, sheets } = WORKBOOK_LIMITS;
    const grouped = (count: number): string => count.toLocaleString("fr").replaceAll(/\s/g, " ");
    expect(tableOf("Limit of a workbook | Most")).toEqual([
      `| As it is sent | ${inMebibytes(packed)}; ${inMebibytes(2 * packed)} for all that arrive or wait |`,
      `| A sheet, unpacked | ${inMebibytes(sheet)} |`,
      `| The texts that cells share, unpacked | ${inMebibytes(texts)}, ${grouped(textCount)} texts |`,
      `| Merged cells | ${grouped(merges)} |`,
      `| Sheets | ${sheets} |`,
    ]);
  });
});
