import { foldLetters } from "./words.ts";

const SIGNS = /[^\p{L}\p{N}]+/gu;

/**
 * The form in which makes and models are compared: without case, accents, blanks and signs, so that `Mercedes-Benz` and
 * `MERCEDES BENZ` are one. A name of signs only keeps them.
 */
export const foldName = (name: string): string => {
  const folded = foldLetters(name);
  return folded.replace(SIGNS, "") || folded;
};
