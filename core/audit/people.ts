import { fold } from "../text.ts";

/** The words of a text: letters and digits, without regard to case. */
export const wordsOf = (text: string): readonly string[] => fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** True if each of these words begins a word of a person's name. */
export const isNamed = (name: string, words: readonly string[]): boolean => {
  const parts = wordsOf(name);
  return words.length > 0 && words.every((word) => parts.some((part) => part.startsWith(word)));
};
