/** What a spreadsheet would calculate instead of showing it. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;
/** The same where a spreadsheet of another country, which separates by semicolons, would see a new cell or line begin. */
const FORMULA_WITHIN = /([;\t\r\n](?:[^\S\t\r\n]|")*)([=+\-@＝＋－＠])/gu;
const QUOTED = /[",\r\n]/;

const quoted = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const cell = (value: string | number | null): string => {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = value.replace(FORMULA_WITHIN, "$1'$2");
  return quoted(FORMULA.test(value) ? `'${safe}` : safe);
};

/**
 * A line of CSV (RFC 4180), with its end. An empty cell is `null`. A text that a spreadsheet would take for a formula
 * gets an apostrophe before it.
 */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cell).join(",")}\r\n`;

/** The same with each text as it is, for a program or an import to read. A spreadsheet may run what it finds in it. */
export const plainCsvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map((value) => (value === null ? "" : quoted(String(value)))).join(",")}\r\n`;
