import { looksLikeKey, readingsOf } from "../../../core/keys/key-like.ts";

/** True if the text is a key that the service knows, in any form. */
export type IsSecret = (text: string) => boolean;

/** No key that an operator chooses is shorter. */
export const MIN_KEY_LENGTH = 32;

export const BETWEEN_WORDS = /[\s()<>;,"']/;
/** The words of a text. Basic authentication has a name and a colon before a key, which may itself contain colons. */
const wordsOf = (text: string): readonly string[] =>
  [text, ...text.split(BETWEEN_WORDS)]
    .flatMap((word) => [word, word.slice(word.indexOf(":") + 1)])
    .filter((word) => word.length >= MIN_KEY_LENGTH);

/** True if the text contains a key, plain, percent-encoded or in base64. Such text is neither logged nor answered. */
export const containsKey = (text: string, isSecret: IsSecret): boolean =>
  looksLikeKey(text) || readingsOf(text).some((reading) => wordsOf(reading).some(isSecret));
