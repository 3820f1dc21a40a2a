import { looksLikeKey } from "../../../core/keys/key-like.ts";
import type { IsSecret } from "./request-id.ts";

const MAX_SHOWN = 200;
/** How many more characters are searched for keys, as a key may begin just before the cut. No key is longer. */
const SCANNED_LENGTH = MAX_SHOWN + 256;
const MIN_KEY_LENGTH = 32;

const BETWEEN_WORDS = /[\s()<>;,"']/;
/** Keys that operators choose have no fixed form. But no word of any language has this many characters. */
const UNBROKEN = /[0-9A-Za-z+/=_-]{32}/;
/** A name with its version, which may be long. */
const PRODUCT = /^[A-Za-z.-]{1,100}\/v?[0-9][0-9A-Za-z.+_-]{0,20}$/;

const mayBeKey = (word: string, isSecret: IsSecret): boolean =>
  word.length >= MIN_KEY_LENGTH && ((UNBROKEN.test(word) && !PRODUCT.test(word)) || isSecret(word));

/** The user agent in the form that may be logged: at most 200 characters, and `withheld` if it may contain a key. */
export const safeUserAgent = (sent: string, isSecret: IsSecret): string => {
  const text = sent.slice(0, SCANNED_LENGTH);
  if (looksLikeKey(text) || text.split(BETWEEN_WORDS).some((word) => mayBeKey(word, isSecret))) return "withheld";
  return text.slice(0, MAX_SHOWN);
};
