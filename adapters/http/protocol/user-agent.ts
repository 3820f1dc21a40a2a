import { BETWEEN_WORDS, containsKey, type IsSecret, MIN_KEY_LENGTH } from "./keys-in-text.ts";

const MAX_SHOWN = 200;
/** How many more characters are searched for keys, as a key may begin just before the cut. No key is longer, but encoded. */
const SCANNED_LENGTH = MAX_SHOWN + 3 * 256;

/** Keys that operators choose have no fixed form. But no word of any language has this many characters. */
const UNBROKEN = /[0-9A-Za-z+/=_-]{32}/;
/** A name with its version, which may be long. */
const PRODUCT = /^[A-Za-z.-]{1,100}\/v?[0-9][0-9A-Za-z.+_-]{0,20}$/;

const mayBeKey = (word: string): boolean => word.length >= MIN_KEY_LENGTH && UNBROKEN.test(word) && !PRODUCT.test(word);

/** The user agent in the form that may be logged: at most 200 characters, and `withheld` if it may contain a key. */
export const safeUserAgent = (sent: string, isSecret: IsSecret): string => {
  const text = sent.slice(0, SCANNED_LENGTH);
  if (text.split(BETWEEN_WORDS).some(mayBeKey) || containsKey(text, isSecret)) return "withheld";
  return text.slice(0, MAX_SHOWN);
};
