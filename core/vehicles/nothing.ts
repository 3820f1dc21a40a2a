import { isOneSign, isPlaceholderVin } from "../vin/placeholder.ts";

/** Words, in small letters, that stand for "no value" in every column of a file. docs/imports.md shows them. */
const NOTHING_WORDS: readonly string[] = [
  ...["n/a", "na", "n.a.", "n.a", "#n/a", "#na", "none", "null", "nil", "(null)", "(none)", "(blank)"],
  ...[
    "unknown",
    "unk",
    "tbd",
    "tba",
    "n.v.",
    "n.v",
    "k.a.",
    "k.a",
    "n.d.",
    "n/d",
    "0000-00-00",
    "00/00/0000",
    "00.00.0000",
  ],
];

const NOTHING: ReadonlySet<string> = new Set(NOTHING_WORDS);
const LONGEST = Math.max(...NOTHING_WORDS.map(({ length }) => length));
/** Signs that stand for "no value", alone or repeated: `-`, `--`, `–`, `.`, `?`, `*`. */
const NOTHING_SIGNS = /^(?:[-‐-―−]{1,60}|\.{1,60}|\?{1,60}|\*{1,60})$/;
const MIDNIGHT = /[ T]00:00(?::00)?$/;
/** A cell of this length is a value, whatever is in it. */
const TOO_LONG = 60;

/** True for a word or a sign that stands for "no value". Blanks around it do not count. */
export const isNothing = (cell: string): boolean => {
  if (cell.length > TOO_LONG) return false;
  const text = cell.trim();
  if (text === "") return false;
  if (NOTHING_SIGNS.test(text)) return true;
  return text.length > LONGEST ? NOTHING.has(text.replace(MIDNIGHT, "")) : NOTHING.has(text.toLowerCase());
};

/** True for a text in a column of VINs that stands for no VIN. */
export const isNoVin = (text: string): boolean => isNothing(text) || isPlaceholderVin(text);

/** True for a text in a column of stock numbers that stands for none. */
export const isNoStockNumber = (text: string): boolean => isNothing(text) || text.trim() === "0" || isOneSign(text);
