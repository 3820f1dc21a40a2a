import type { RowProblem } from "./file.ts";

/** The next segment of the text: a record, or what separates two records. */
export interface TextSegment {
  readonly isRecord: boolean;
  /** Where its content begins and ends, and where the next segment begins. */
  readonly start: number;
  readonly end: number;
  readonly next: number;
  /** The number of line ends before `start`, and from `start` to `next`. */
  readonly linesBefore: number;
  readonly lines: number;
  /** True if it contains a quote; CSV only. */
  readonly hasQuotes: boolean;
  readonly problem: RowProblem | null;
  /** True if nothing after it is read. */
  readonly isLast: boolean;
}

/** A block of text that is split from its start to its end. */
export interface Block {
  /** The segment at `from`, which never decreases; `null` if its end is not in this block, or if the text has ended. */
  next(from: number): TextSegment | null;
  /** After `null`: true if the segment has no end in this block because a quote in it is still open. */
  readonly hasOpenQuote: boolean;
}

/** How a format splits text into records. What a block leaves unread is the start of the next block. */
export type RecordSplitter = (text: string, isLastBlock: boolean) => Block;

/** The number of line ends (LF, CR or CRLF) in a part of a text. */
export const countLineEnds = (text: string, start: number, end: number): number => {
  // A search in the whole text could go far beyond `end`.
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

/** What separates two records, from `from` to `next`. */
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
