import type { RowProblem } from "./file.ts";

/** The next segment of the text: a record, or what is between two records. */
export interface TextSegment {
  readonly isRecord: boolean;
  /** The start and end of its content, and the start of the next segment. */
  readonly start: number;
  readonly end: number;
  readonly next: number;
  /** The number of line ends before `start`, and from `start` to `next`. */
  readonly linesBefore: number;
  readonly lines: number;
  /** True if it contains a quote. Only CSV has quotes. */
  readonly hasQuotes: boolean;
  readonly problem: RowProblem | null;
  /** True if reading must stop after it. */
  readonly isLast: boolean;
}

/** A block of text that is split from its start to its end. */
export interface Block {
  /**
   * The segment at `from`; `null` if it does not end in this block, or if the text has ended. `from` must never
   * decrease.
   */
  next(from: number): TextSegment | null;
  /** Valid after `null`: true if the segment does not end in this block because a quote in it is still open. */
  readonly hasOpenQuote: boolean;
}

/**
 * How a format splits text into records. The part of a block that is left unread becomes the start of the next block.
 */
export type RecordSplitter = (text: string, isLastBlock: boolean) => Block;

/** The number of line ends (LF, CR or CRLF) in a part of a text. */
export const countLineEnds = (text: string, start: number, end: number): number => {
  // Searching the whole text could go far beyond `end`.
  const stretch = text.slice(start, end);
  let lines = 0;
  for (let at = stretch.indexOf("\n"); at >= 0; at = stretch.indexOf("\n", at + 1)) lines++;
  for (let at = stretch.indexOf("\r"); at >= 0; at = stretch.indexOf("\r", at + 1))
    if (stretch[at + 1] !== "\n") lines++;
  return lines;
};

/** A record without quotes and without a problem. */
export const plainRecord = (
  segment: Pick<TextSegment, "start" | "end" | "next" | "linesBefore" | "lines">,
): TextSegment => ({
  ...segment,
  isRecord: true,
  hasQuotes: false,
  problem: null,
  isLast: false,
});

/** The segment from `from` to `next` between two records. */
export const separator = (from: number, next: number, lines: number): TextSegment => ({
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
