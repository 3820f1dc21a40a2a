import type { RowProblem } from "./file.ts";

/** The next piece of a text of units: a record, or something between records. */
export interface Piece {
  readonly isRecord: boolean;
  /** Where its content begins and ends, and where what follows begins. */
  readonly start: number;
  readonly end: number;
  readonly next: number;
  /** The ends of lines before `start`, and from there to `next`. */
  readonly linesBefore: number;
  readonly lines: number;
  /** Of CSV: there is a quote in it. */
  readonly hasQuotes: boolean;
  readonly problem: RowProblem | null;
  /** Nothing is read behind it. */
  readonly isLast: boolean;
}

/** A block of text, divided from its start to its end. */
export interface Block {
  /** The piece at `from`, which never goes back; `null` if its end is not in this block, or at the end of the last. */
  next(from: number): Piece | null;
  /** After `null`: the piece has no end in this block because a quote in it is open. */
  readonly hasOpenQuote: boolean;
}

/** How a format divides text. What a block leaves comes again, with more behind it, as the start of the next block. */
export type Divider = (text: string, isLastBlock: boolean) => Block;

/** How many ends of lines (LF, CR or CRLF) a stretch of text has. */
export const linesIn = (text: string, start: number, end: number): number => {
  // A search in the whole text would go far beyond the end.
  const stretch = text.slice(start, end);
  let lines = 0;
  for (let at = stretch.indexOf("\n"); at >= 0; at = stretch.indexOf("\n", at + 1)) lines++;
  for (let at = stretch.indexOf("\r"); at >= 0; at = stretch.indexOf("\r", at + 1))
    if (stretch[at + 1] !== "\n") lines++;
  return lines;
};

/** A record without quotes and problems. */
export const plainRecord = (piece: Pick<Piece, "start" | "end" | "next" | "linesBefore" | "lines">): Piece => ({
  ...piece,
  isRecord: true,
  hasQuotes: false,
  problem: null,
  isLast: false,
});

/** What stands between records, from `from` to `next`. */
export const between = (from: number, next: number, lines: number): Piece => ({
  isRecord: false,
  start: from,
  end: from,
  next,
  linesBefore: 0,
  lines,
  hasQuotes: false,
  problem: null,
  isLast: false,
});
