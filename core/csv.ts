/** What a spreadsheet would calculate instead of showing it. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;
/**
 * The same where a spreadsheet of another country, which separates by semicolons, would see a new cell or line begin.
 */
const FORMULA_WITHIN = /([;\t\r\n](?:[^\S\t\r\n]|")*)([=+\-@＝＋－＠])/gu;

/** Between cells, and what must be quoted there. */
const COMMA = { separator: ",", quoted: /[",\r\n]/ };
const TAB = { separator: "\t", quoted: /["\t\r\n]/ };

/** One line of a table; an empty cell is `null`. */
type Line = (cells: readonly (string | number | null)[]) => string;

const asItIs = (text: string): string => text;

/** The text with an apostrophe before each part that a spreadsheet would calculate. */
const harmless = (text: string): string => {
  const safe = text.replace(FORMULA_WITHIN, "$1'$2");
  return FORMULA.test(text) ? `'${safe}` : safe;
};

const lineOf =
  ({ separator, quoted }: typeof COMMA, written: (text: string) => string): Line =>
  (cells) => {
    const texts = cells.map((value) => {
      if (value === null) return "";
      if (typeof value === "number") return String(value);
      const text = written(value);
      return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    });
    return `${texts.join(separator)}\r\n`;
  };

/**
 * A line of CSV (RFC 4180), with its end. An empty cell is `null`. A text that a spreadsheet would take for a formula
 * gets an apostrophe before it.
 */
export const csvLine: Line = lineOf(COMMA, harmless);

/** The same with each text as it is, for a program or an import to read. A spreadsheet may run what it finds in it. */
export const plainCsvLine: Line = lineOf(COMMA, asItIs);

/** As `csvLine`, with a tab between the cells. */
export const tsvLine: Line = lineOf(TAB, harmless);

/** As `plainCsvLine`, with a tab between the cells. */
export const plainTsvLine: Line = lineOf(TAB, asItIs);
