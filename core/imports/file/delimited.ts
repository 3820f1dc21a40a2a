import { DELIMITERS, type Delimiter, type RowProblem } from "./file.ts";
import { type FieldOfHeading, HEADING_ROWS, hasHeadingMarks, knownHeadings } from "./heading-marks.ts";
import { Lines, Quotes } from "./lines.ts";
import {
  type Block,
  countLineEnds,
  plainRecord,
  type RecordSplitter,
  separator,
  type TextSegment,
} from "./record-splitter.ts";

const QUOTE = '"';
/** Cells of a tab-separated file may begin with a tab. */
const TAB = "\t";

const UNCLOSED_QUOTE: RowProblem = {
  code: "quote_unclosed",
  message: "a quote that is opened in this row is never closed; the file is read no further",
};
const STRAY_QUOTE: RowProblem = {
  code: "row_unreadable",
  message: 'a quote within a quoted cell must be written twice ("")',
};

/** A stray quote in a cell that runs over several lines: the quote before it probably was a stray one as well. */
const swallowedLines = (lines: number): RowProblem => ({
  ...STRAY_QUOTE,
  message: `${STRAY_QUOTE.message}; ${lines} lines were read as one row, as a quote on the first of them opens a cell that does not end there`,
});

type ClosingQuote = { readonly kind: "closed" | "stray"; readonly at: number } | { readonly kind: "open" };

/** A CSV text with quotes. Positions must be asked for in ascending order. */
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

  /** True if a quote at this position opens a cell of the row that begins at `start`. */
  opensCell(quote: number, start: number): boolean {
    return quote === start || this.text[quote - 1] === this.delimiter;
  }

  /**
   * The end of the cell whose opening quote is at `open`. The cell is closed by a quote before a delimiter, a line end
   * or the end of the text; only blanks may be between them. Two quotes in a row stand for one quote of the text. Other
   * quotes are stray and belong to the text, as in `"6" lift"`; the cell then ends on the same line, so that a stray
   * quote cannot swallow the rows after it.
   */
  closingQuote(open: number): ClosingQuote {
    const { text } = this;
    let lineEnd = text.length;
    for (let at = this.quoteFrom(open + 1); at < lineEnd; at = this.quoteFrom(at + 1)) {
      if (text[at + 1] === QUOTE) {
        at++;
        continue;
      }
      const behind = this.skipBlanks(at + 1);
      if (this.endsCell(behind)) return { kind: "closed", at };
      if (lineEnd === text.length) lineEnd = this.lines.endFrom(at);
    }
    return lineEnd < text.length ? { kind: "stray", at: lineEnd } : { kind: "open" };
  }

  private skipBlanks(from: number): number {
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

  next(from: number): TextSegment | null {
    const { lines } = this.quoted;
    const start = lines.blankLinesEnd(from);
    if (start > from) return separator(from, start, countLineEnds(this.text, from, start));
    if (start === this.text.length) return null;
    return this.record(start);
  }

  private record(start: number): TextSegment | null {
    const { text, quoted } = this;
    let end = quoted.lines.endFrom(start);
    let quote = quoted.quoteFrom(start);
    const hasQuotes = quote < end;
    let problem: RowProblem | null = null;
    while (quote < end && problem === null) {
      if (!quoted.opensCell(quote, start)) {
        quote = quoted.quoteFrom(quote + 1);
        continue;
      }
      const closing = quoted.closingQuote(quote);
      if (closing.kind === "open") return this.unclosedRecord(start, quote);
      if (closing.kind === "stray") problem = STRAY_QUOTE;
      end = quoted.lines.endFrom(closing.at);
      quote = quoted.quoteFrom(closing.at + 1);
    }
    const next = quoted.lines.startAfter(end);
    if (next === null) return null;
    const lines = hasQuotes ? countLineEnds(text, start, next) : next > end ? 1 : 0;
    const linesRead = problem === null ? 1 : countLineEnds(text, start, end) + 1;
    if (linesRead > 1) problem = swallowedLines(linesRead);
    return { ...plainRecord({ start, end, next, linesBefore: 0, lines }), hasQuotes, problem };
  }

  /** A record with a quote that is never closed. It ends at the end of the line with that quote. */
  private unclosedRecord(start: number, quote: number): TextSegment | null {
    const { text } = this;
    this.hasOpenQuote = true;
    if (!this.isLastBlock) return null;
    const end = new Lines(text, true).endFrom(quote);
    const lines = countLineEnds(text, start, text.length);
    const record = plainRecord({ start, end, next: text.length, linesBefore: 0, lines });
    return { ...record, hasQuotes: true, problem: UNCLOSED_QUOTE, isLast: true };
  }
}

/** Splits CSV into rows (RFC 4180) and skips blank lines. */
export const csvSplitter =
  (delimiter: Delimiter): RecordSplitter =>
  (text, isLastBlock) =>
    new DelimitedBlock(text, delimiter, isLastBlock);

const unescaped = (text: string): string => (text.includes(QUOTE) ? text.replaceAll('""', QUOTE) : text);

/**
 * Finds cells of a row that are quoted behind blanks, as in `"A1", "Civic, Sport"`. Without a closing quote before a
 * delimiter, such a quote is a character of its cell.
 */
class QuotesBehindBlanks {
  private isHopeless = false;

  constructor(
    private readonly text: string,
    private readonly delimiter: Delimiter,
  ) {}

  /** The quotes around the cell that begins at `from`; `null` if it is no such cell. */
  around(from: number): { readonly open: number; readonly close: number } | null {
    if (this.isHopeless || this.text[from] !== " ") return null;
    const open = this.blanksEnd(from);
    if (this.text[open] !== QUOTE) return null;
    for (let at = this.text.indexOf(QUOTE, open + 1); at >= 0; at = this.text.indexOf(QUOTE, at + 1)) {
      const sign = this.text[this.blanksEnd(at + 1)];
      if (this.text[at + 1] === QUOTE) at++;
      else if (sign === undefined || sign === this.delimiter) return { open, close: at };
    }
    // No later quote of the row is closed either: the row is not searched again.
    this.isHopeless = true;
    return null;
  }

  private blanksEnd(from: number): number {
    let at = from;
    while (this.text[at] === " ") at++;
    return at;
  }
}

const quotedCells = (text: string, delimiter: Delimiter): string[] => {
  const quoted = new QuotedText(text, delimiter, true);
  const behindBlanks = new QuotesBehindBlanks(text, delimiter);
  const cells: string[] = [];
  let from = 0;
  for (;;) {
    const around = behindBlanks.around(from);
    if (around !== null) {
      cells.push(unescaped(text.slice(around.open + 1, around.close)));
      const next = text.indexOf(delimiter, around.close + 1);
      if (next < 0) return cells;
      from = next + 1;
      continue;
    }
    const opens = text[from] === QUOTE;
    const closing: ClosingQuote = opens ? quoted.closingQuote(from) : { kind: "closed", at: from };
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

/** Ctrl-Z, with which old systems mark the end of a text file. */
const END_OF_TEXT = "\x1a";

/** True if every cell of a row is blank, or if the row is the end-of-file character. */
export const isBlankRow = (cells: readonly string[]): boolean =>
  cells.every((cell) => cell.trim() === "") || (cells.length === 1 && cells[0] === END_OF_TEXT);

/** A first line that tells Excel the delimiter. */
const DECLARATION = /^"?sep=([,;\t|])"?$/i;

/** The place where the table of a delimited file begins. */
interface TableStart {
  readonly delimiter: Delimiter;
  readonly from: number;
  readonly lines: number;
}

/** The first rows of a text, split by this delimiter, as far as they end within the text. */
function* firstRows(text: string, delimiter: Delimiter, isLastBlock: boolean): Generator<readonly string[]> {
  const block = csvSplitter(delimiter)(text, isLastBlock);
  let segment = block.next(0);
  for (let rows = 0; segment !== null && rows < HEADING_ROWS; segment = block.next(segment.next)) {
    if (!segment.isRecord) continue;
    rows++;
    yield cellsOf(text.slice(segment.start, segment.end), delimiter, segment.hasQuotes);
    if (segment.isLast) return;
  }
}

/**
 * The delimiter with which one of the first rows has the marks of a heading and the most known ones; if none has, the
 * one with which the first row has the most known headings or, if these are equal, the most cells.
 */
const likeliestDelimiter = (text: string, isLastBlock: boolean, fieldOf: FieldOfHeading): Delimiter => {
  const scores = DELIMITERS.map((delimiter) => {
    let first: readonly string[] | null = null;
    let marked: readonly string[] | null = null;
    for (const cells of firstRows(text, delimiter, isLastBlock)) {
      first ??= cells;
      if (!hasHeadingMarks(cells, fieldOf)) continue;
      marked = cells;
      break;
    }
    const cells = marked ?? first ?? [];
    return { delimiter, marks: marked === null ? 0 : 1, known: knownHeadings(cells, fieldOf), cells: cells.length };
  });
  const [best] = scores.sort(
    (one, other) => other.marks - one.marks || other.known - one.known || other.cells - one.cells,
  );
  return best?.delimiter ?? ",";
};

/** How the table of a file is found. */
interface TableHints {
  /** The delimiter that the caller wants; `null` to detect it. */
  readonly wanted: Delimiter | null;
  readonly fieldOf: FieldOfHeading;
}

/**
 * Finds the start of the table in a CSV file, after blank lines and after a line such as `sep=;`. The delimiter is the
 * one that the caller wants, or the one of that line, or the most likely one. Returns `null` if the first row does not
 * end within this text.
 */
export const tableStartOf = (
  text: string,
  isLastBlock: boolean,
  { wanted, fieldOf }: TableHints,
): TableStart | null => {
  const lines = new Lines(text, isLastBlock);
  const start = lines.blankLinesEnd(0);
  const end = lines.endFrom(start);
  const behind = lines.startAfter(end);
  if (behind === null) return null;
  const declared = DECLARATION.exec(text.slice(start, Math.min(end, start + 10)))?.[1] as Delimiter | undefined;
  if (declared !== undefined)
    return { delimiter: wanted ?? declared, from: behind, lines: countLineEnds(text, 0, behind) };
  const from = { from: start, lines: countLineEnds(text, 0, start) };
  return { delimiter: wanted ?? likeliestDelimiter(text.slice(start), isLastBlock, fieldOf), ...from };
};
