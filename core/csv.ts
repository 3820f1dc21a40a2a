/**
 * The start of a text that a spreadsheet would evaluate as a formula. Apostrophes before it are counted in, so that
 * those of the text can be told from the one that is added.
 */
const FORMULA = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/u;
/**
 * The start of a formula within a text. Spreadsheets of some countries separate cells by semicolons and would begin a
 * new cell or line there.
 */
const FORMULA_WITHIN = /([;\t\r\n](?:[^\S\t\r\n]|")*)('*[=+\-@＝＋－＠])/gu;
/** The same with an added apostrophe. */
const MARKED_WITHIN = /([;\t\r\n](?:[^\S\t\r\n]|")*)'('*[=+\-@＝＋－＠])/gu;

/** The characters because of which a cell is quoted, for each separator of cells. */
const QUOTED = { ",": /[",\r\n]/, ";": /[";\r\n]/, "\t": /["\t\r\n]/, "|": /["|\r\n]/ };
type Separator = keyof typeof QUOTED;

/** Makes one line of a table. `null` is an empty cell. */
type Line = (cells: readonly (string | number | null)[]) => string;

const asItIs = (text: string): string => text;

/** The text with an apostrophe before each part that a spreadsheet would evaluate as a formula. */
const harmless = (text: string): string => {
  const safe = text.replace(FORMULA_WITHIN, "$1'$2");
  return FORMULA.test(text) ? `'${safe}` : safe;
};

/** The text without the apostrophes that a line for spreadsheets has added to it. */
export const withoutFormulaMarks = (text: string): string => {
  const plain = text.replace(MARKED_WITHIN, "$1$2");
  return plain.startsWith("'") && FORMULA.test(plain) ? plain.slice(1) : plain;
};

const lineOf = (separator: Separator, written: (text: string) => string): Line => {
  const quoted = QUOTED[separator];
  return (cells) => {
    const texts = cells.map((value) => {
      if (value === null) return "";
      if (typeof value === "number") return String(value);
      const text = written(value);
      return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    });
    return `${texts.join(separator)}\r\n`;
  };
};

/**
 * Makes a line of CSV (RFC 4180), including its line break. `null` is an empty cell. A text that a spreadsheet would
 * evaluate as a formula gets an apostrophe before it.
 */
export const csvLine: Line = lineOf(",", harmless);

/** The same, but leaves every text as it is, for programs and imports. A spreadsheet may evaluate formulas in it. */
export const plainCsvLine: Line = lineOf(",", asItIs);

/** The same as `csvLine`, with tabs between the cells. */
export const tsvLine: Line = lineOf("\t", harmless);

/** The same as `plainCsvLine`, with tabs between the cells. */
export const plainTsvLine: Line = lineOf("\t", asItIs);

/** Makes lines with another separator; of harmless texts if they are for a spreadsheet. */
export const separatedLine = (separator: Separator, forSpreadsheet: boolean): Line =>
  lineOf(separator, forSpreadsheet ? harmless : asItIs);
