import type { IssuedSecret, Secrets } from "../../core/keys/secrets.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 22;
const CHECK_LENGTH = 6;
const SHOWN_CHARACTERS = 4;
/**
 * The largest multiple of 62 in a byte. Larger bytes are replaced by new ones, because some characters would be more
 * frequent otherwise.
 */
const UNBIASED = 248;

/** The part before the random characters and the check characters: an app type and an app id. */
const STEM = /^vis_(?:web|desktop|mobile)_[A-Za-z0-9._-]+_$/;
const SUFFIX = /^[0-9A-Za-z]+$/;
const SUFFIX_LENGTH = RANDOM_LENGTH + CHECK_LENGTH;
/**
 * Keys in another format, which were imported or chosen by the operator. They are visible ASCII, so that a header can
 * contain them unchanged.
 */
const OTHER_FORM = /^[\x21-\x2b\x2d-\x7e]+$/;
const MIN_LENGTH = 32;
const MAX_LENGTH = 256;

const randomBase62 = (): string => {
  let text = "";
  while (text.length < RANDOM_LENGTH)
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH * 2)))
      if (byte < UNBIASED && text.length < RANDOM_LENGTH) text += BASE62[byte % BASE62.length];
  return text;
};

/** The CRC-32 of the text as six base62 digits. */
const checkOf = (text: string): string => {
  let rest = Bun.hash.crc32(text);
  let digits = "";
  for (let place = 0; place < CHECK_LENGTH; place++) {
    digits = BASE62[rest % BASE62.length] + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
};

const hashOf = (key: string): string => Bun.SHA256.hash(key, "hex");

const issued = (key: string, shown: number): IssuedSecret => ({
  key,
  hash: hashOf(key),
  start: key.slice(0, shown),
});

const isOwnForm = (text: string): boolean =>
  SUFFIX.test(text.slice(-SUFFIX_LENGTH)) && STEM.test(text.slice(0, -SUFFIX_LENGTH));

const isOtherForm = (text: string): boolean =>
  text.length >= MIN_LENGTH && text.length <= MAX_LENGTH && OTHER_FORM.test(text);

const isPlausible = (presented: string): boolean =>
  isOwnForm(presented) ? presented.endsWith(checkOf(presented.slice(0, -CHECK_LENGTH))) : isOtherForm(presented);

/** True if an operator may choose this key, because it will be recognised when it is sent. */
export const isAdoptable = (key: string): boolean => isOtherForm(key) && secrets.recognise(key) !== null;

/**
 * Keys in the format `vis_<app_type>_<app_id>_<suffix>` (interface 2.4). The suffix has 22 random base62 characters and
 * 6 of a CRC-32, so that a mistyped key is refused without a look-up. Only the SHA-256 of a key is stored.
 */
export const secrets: Secrets = {
  issue(appType, appId) {
    const stem = `vis_${appType}_${appId}_`;
    const body = stem + randomBase62();
    return issued(body + checkOf(body), stem.length + SHOWN_CHARACTERS);
  },
  adopt: (key) => issued(key, SHOWN_CHARACTERS),
  recognise(presented, isKnown) {
    if (presented.length > MAX_LENGTH) return null;
    const hash = hashOf(presented);
    return isKnown?.(hash) || isPlausible(presented) ? hash : null;
  },
};
