import { foldLetters } from "../../search/words.ts";

/** A heading without case, accents, blanks and punctuation. */
export const foldHeading = (heading: string): string => foldLetters(heading).replaceAll(/[^\p{L}\p{N}]+/gu, "");
