import { wordsIn } from "./words.ts";

/** Longer words are joined to none. */
const MAX_LENGTH = 40;
const LETTER_BEFORE_DIGIT = /\p{L}\n\p{N}/u;
const DIGIT_BEFORE_LETTER = /\p{N}\n\p{L}/u;
const YEAR = /^(?:19|20)\d\d$/;

/** True if letters and digits meet between two words: `rx` and `350`. A year is no part of a name. */
const isBorder = (one: string, other: string): boolean => {
  const between = `${one.slice(-1)}\n${other.slice(0, 1)}`;
  return !YEAR.test(one) && (LETTER_BEFORE_DIGIT.test(between) || DIGIT_BEFORE_LETTER.test(between));
};

/**
 * Neighbouring words of a text, each two written as one: those between which letters and digits meet, or all. `RX 350`
 * has `rx350`, `Land Rover` has `landrover`.
 */
export const joinsOf = (text: string, which: "all" | "borders"): readonly string[] => {
  const words = wordsIn(text).map(({ parts, joined }) => joined ?? parts[0] ?? "");
  return words.flatMap((word, place) => {
    const next = words[place + 1];
    if (next === undefined || word.length > MAX_LENGTH || next.length > MAX_LENGTH) return [];
    return which === "all" || isBorder(word, next) ? [word + next] : [];
  });
};
