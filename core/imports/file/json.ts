import type { RowProblem } from "./file.ts";
import { Lines } from "./lines.ts";
import {
  type Block,
  countLineEnds,
  plainRecord,
  type RecordSplitter,
  separator,
  type TextSegment,
} from "./record-splitter.ts";

/** Splits NDJSON into lines and skips blank ones. */
export const lineSplitter: RecordSplitter = (text, isLastBlock): Block => {
  const lines = new Lines(text, isLastBlock);
  return {
    hasOpenQuote: false,
    next(from) {
      const start = lines.blankLinesEnd(from);
      if (start > from) return separator(from, start, countLineEnds(text, from, start));
      if (start === text.length) return null;
      const end = lines.endFrom(start);
      const next = lines.startAfter(end);
      return next === null ? null : plainRecord({ start, end, next, linesBefore: 0, lines: next > end ? 1 : 0 });
    },
  };
};

const CUT_OFF: RowProblem = { code: "file_cut_off", message: "the file ends before its list does" };
const NO_LIST: RowProblem = { code: "row_unreadable", message: "the list cannot be read on from here" };

const SPACE = /[^ \t\n\r]/g;
const SIGN = /["{}[\]]/g;

/** The first match of a pattern at or after `from`; the length of the text if there is none. */
const indexOfMatch = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from;
  const found = pattern.test(text) ? pattern.lastIndex - 1 : text.length;
  pattern.lastIndex = 0;
  return found;
};

/** The end of the string whose opening quote is at `open`; `null` if it does not end in this text. */
const stringEnd = (text: string, open: number): number | null => {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slash = at;
    while (text[slash - 1] === "\\") slash--;
    if ((at - slash) % 2 === 0) return at;
  }
  return null;
};

/** The end of the object or list that begins at `from`; `null` if it does not end in this text. */
const nestedEnd = (text: string, from: number): number | null => {
  let depth = 0;
  for (let at = from; at < text.length; at = indexOfMatch(SIGN, text, at + 1)) {
    const sign = text[at];
    if (sign === '"') {
      const end = stringEnd(text, at);
      if (end === null) return null;
      at = end;
    } else if (sign === "{" || sign === "[") depth++;
    else if (--depth === 0) return at + 1;
  }
  return null;
};

const LITERAL_END = /[,\]\s]/g;

/** The end of the value that begins at `from`; `null` if it does not end in this text. */
const valueEnd = (text: string, from: number): number | null => {
  const sign = text[from];
  if (sign === "{" || sign === "[") return nestedEnd(text, from);
  if (sign === '"') {
    const end = stringEnd(text, from);
    return end === null ? null : end + 1;
  }
  const end = indexOfMatch(LITERAL_END, text, from);
  return end === text.length ? null : end;
};

/** What must come next in a list. */
type Expected = "list" | "item-or-end" | "item" | "comma-or-end" | "nothing";

/**
 * Splits a JSON list into its items. If the file ends within the list, or if the list is malformed, the last record has
 * a problem that says so. With `isBegun`, the text begins after an item.
 */
export const jsonListSplitter = (isBegun: boolean): RecordSplitter => {
  let expected: Expected = isBegun ? "comma-or-end" : "list";
  return (text, isLastBlock): Block => {
    const last = (at: number, problem: RowProblem): TextSegment => {
      expected = "nothing";
      const end = Math.min(text.length, new Lines(text, true).endFrom(at));
      const lines = countLineEnds(text, at, text.length);
      const record = plainRecord({ start: at, end, next: text.length, linesBefore: 0, lines });
      return { ...record, problem, isLast: true };
    };
    const item = (at: number): TextSegment | null => {
      const end = valueEnd(text, at);
      if (end === null) return isLastBlock ? last(at, CUT_OFF) : null;
      if (end === at) return last(at, NO_LIST);
      expected = "comma-or-end";
      return plainRecord({ start: at, end, next: end, linesBefore: 0, lines: countLineEnds(text, at, end) });
    };
    const sign = (at: number): TextSegment | null => {
      const found = text[at];
      if (expected === "list" && found === "[") expected = "item-or-end";
      else if (expected === "comma-or-end" && found === ",") expected = "item";
      else if ((expected === "comma-or-end" || expected === "item-or-end") && found === "]") expected = "nothing";
      else if (expected === "item" || expected === "item-or-end") return item(at);
      else return last(at, NO_LIST);
      return separator(at, at + 1, 0);
    };
    return {
      hasOpenQuote: false,
      next(from) {
        const at = indexOfMatch(SPACE, text, from);
        if (at > from) return separator(from, at, countLineEnds(text, from, at));
        if (at < text.length) return sign(at);
        return isLastBlock && expected !== "nothing" && expected !== "list" ? last(at, CUT_OFF) : null;
      },
    };
  };
};
