import { knownHeading } from "../headings/headings.ts";
import { type Block, between, type Divider, linesIn, type Piece, plainRecord } from "./divider.ts";
import { DELIMITERS, type Delimiter, type RowProblem } from "./file.ts";
import { Lines, Quotes } from "./lines.ts";

const QUOTE = '"';
/** Cells of a tab-separated file may begin with a tab. */
const TAB = "\t";

const UNCLOSED: RowProblem = {
  code: "quote_unclosed",
  message: "a quote that is opened in this row is never closed; the file is read no further",
};
const STRAY: RowProblem = {
  code: "row_unreadable",
  message: 'a quote within a quoted cell must be written twice ("")',
};

type Closing = { readonly kind: "closed" | "stray"; readonly at: number } | { readonly kind: "open" };

/** A text of CSV. Places that are asked for never go back. */
class QuotedText {
  private readonly quotes: Quotes;
  readonly lines: Lines;

  constructor(
    readonly text: string,
    private readonly delimiter: Delimiter,
    isLastBlock: boolean,
  ) {
    this.quotes = new Quotes(text);
    this.lines = new Lines(text, isLastBlock);
  }

  quoteFrom(from: number): number {
    return this.quotes.from(from);
  }

  /** True if a quote at this place opens a cell of the row that begins at `start`. */
  opens(quote: number, start: number): boolean {
    return quote === start || this.text[quote - 1] === this.delimiter;
  }

  /**
   * Where an open quote is closed: at a quote before a delimiter, the end of a line or the end of the text, blanks
   * between them not counted. Two quotes are one of the text. Other quotes are stray and of the text too, as in
   * `"6" lift"`; then the cell ends on the same line, so that a stray quote cannot swallow the rows behind it.
   */
  closing(open: number): Closing {
    const { text } = this;
    let lineEnd = text.length;
    for (let at = this.quoteFrom(open + 1); at < lineEnd; at = this.quoteFrom(at + 1)) {
      if (text[at + 1] === QUOTE) {
        at++;
        continue;
      }
      const behind = this.behindBlanks(at + 1);
      if (this.endsCell(behind)) return { kind: "closed", at };
      if (lineEnd === text.length) lineEnd = this.lines.endFrom(at);
    }
    return lineEnd < text.length ? { kind: "stray", at: lineEnd } : { kind: "open" };
  }

  private behindBlanks(from: number): number {
    let at = from;
    while (this.text[at] === " " || (this.text[at] === TAB && this.delimiter !== TAB)) at++;
    return at;
  }

  private endsCell(at: number): boolean {
    const sign = this.text[at];
    return sign === undefined || sign === this.delimiter || sign === "\n" || sign === "\r";
  }
}

class DelimitedBlock implements Block {
  private readonly quoted: QuotedText;
  hasOpenQuote = false;

  constructor(
    private readonly text: string,
    delimiter: Delimiter,
    private readonly isLastBlock: boolean,
  ) {
    this.quoted = new QuotedText(text, delimiter, isLastBlock);
  }

  next(from: number): Piece | null {
    const { lines } = this.quoted;
    const start = lines.blanksFrom(from);
    if (start > from) return between(from, start, linesIn(this.text, from, start));
    if (start === this.text.length) return null;
    return this.record(start);
  }

  private record(start: number): Piece | null {
    const { text, quoted } = this;
    let end = quoted.lines.endFrom(start);
    let quote = quoted.quoteFrom(start);
    const hasQuotes = quote < end;
    let problem: RowProblem | null = null;
    while (quote < end && problem === null) {
      if (!quoted.opens(quote, start)) {
        quote = quoted.quoteFrom(quote + 1);
        continue;
      }
      const closing = quoted.closing(quote);
      if (closing.kind === "open") return this.unclosed(start, quote);
      if (closing.kind === "stray") problem = STRAY;
      end = quoted.lines.endFrom(closing.at);
      quote = quoted.quoteFrom(closing.at + 1);
    }
    const next = quoted.lines.startAfter(end);
    if (next === null) return null;
    const lines = hasQuotes ? linesIn(text, start, next) : next > end ? 1 : 0;
    return { ...plainRecord({ start, end, next, linesBefore: 0, lines }), hasQuotes, problem };
  }

  /** A record that ends nowhere: it is what stands on the line of the open quote. */
  private unclosed(start: number, quote: number): Piece | null {
    const { text } = this;
    this.hasOpenQuote = true;
    if (!this.isLastBlock) return null;
    const end = new Lines(text, true).endFrom(quote);
    const lines = linesIn(text, start, text.length);
    const record = plainRecord({ start, end, next: text.length, linesBefore: 0, lines });
    return { ...record, hasQuotes: true, problem: UNCLOSED, isLast: true };
  }
}

/** Divides CSV into rows (RFC 4180); blank lines are none. */
export const delimitedDivider =
  (delimiter: Delimiter): Divider =>
  (text, isLastBlock) =>
    new DelimitedBlock(text, delimiter, isLastBlock);

const unescaped = (text: string): string => (text.includes(QUOTE) ? text.replaceAll('""', QUOTE) : text);

const quotedCells = (text: string, delimiter: Delimiter): string[] => {
  const quoted = new QuotedText(text, delimiter, true);
  const cells: string[] = [];
  let from = 0;
  for (;;) {
    const opens = text[from] === QUOTE;
    const closing: Closing = opens ? quoted.closing(from) : { kind: "closed", at: from };
    if (closing.kind !== "closed") {
      cells.push(unescaped(text.slice(from + 1)));
      return cells;
    }
    const end = text.indexOf(delimiter, opens ? closing.at + 1 : from);
    cells.push(opens ? unescaped(text.slice(from + 1, closing.at)) : text.slice(from, end < 0 ? text.length : end));
    if (end < 0) return cells;
    from = end + 1;
  }
};

/** The cells of a row. */
export const cellsOf = (text: string, delimiter: Delimiter, hasQuotes: boolean): readonly string[] =>
  hasQuotes ? quotedCells(text, delimiter) : text.split(delimiter);

/** Ctrl-Z, with which DOS ends a text and old systems still do. */
const END_OF_TEXT = "\x1a";

/** True if no cell of a row has anything but blanks, or if it is the mark of the file's end. */
export const isBlankRow = (cells: readonly string[]): boolean =>
  cells.every((cell) => cell.trim() === "") || (cells.length === 1 && cells[0] === END_OF_TEXT);

/** The first line by which Excel is told the delimiter. */
const DECLARATION = /^"?sep=([,;\t|])"?$/i;

/** Where the table of a delimited file begins. */
interface Opening {
  readonly delimiter: Delimiter;
  readonly from: number;
  readonly lines: number;
}

/** The first row of a text as this delimiter would divide it; `null` if the row has no end in it. */
const firstRow = (text: string, delimiter: Delimiter, isLastBlock: boolean): readonly string[] | null => {
  const block = delimitedDivider(delimiter)(text, isLastBlock);
  const piece = block.next(0);
  if (piece === null) return null;
  return cellsOf(text.slice(piece.start, piece.end), delimiter, piece.hasQuotes);
};

/** The delimiter that makes a heading of the first row: by the headings that are known, then by the number of cells. */
const likeliest = (text: string, isLastBlock: boolean): Delimiter => {
  const scores = DELIMITERS.map((delimiter) => {
    const cells = firstRow(text, delimiter, isLastBlock) ?? [];
    return { delimiter, known: cells.filter((cell) => knownHeading(cell) !== undefined).length, cells: cells.length };
  });
  const [first] = scores.sort((one, other) => other.known - one.known || other.cells - one.cells);
  return first?.delimiter ?? ",";
};

/**
 * Where a file of CSV begins: behind blank lines and behind the line `sep=;`, which names the delimiter unless the
 * caller does; else the heading shows it. `null` if the first row has no end in this text.
 */
export const openingOf = (text: string, isLastBlock: boolean, wanted: Delimiter | null): Opening | null => {
  const lines = new Lines(text, isLastBlock);
  const start = lines.blanksFrom(0);
  const end = lines.endFrom(start);
  const behind = lines.startAfter(end);
  if (behind === null) return null;
  const declared = DECLARATION.exec(text.slice(start, Math.min(end, start + 10)))?.[1] as Delimiter | undefined;
  if (declared !== undefined) return { delimiter: wanted ?? declared, from: behind, lines: linesIn(text, 0, behind) };
  const from = { from: start, lines: linesIn(text, 0, start) };
  return { delimiter: wanted ?? likeliest(text.slice(start), isLastBlock), ...from };
};
