declare const atob: (encoded: string) => string;

/**
 * The beginning of the service's keys: `vis_` with an app type, or with at least 20 base62 characters (interface 2.4).
 */
const KEY_LIKE = /vis_(?:(?:web|desktop|mobile)_|[0-9A-Za-z]{20})/i;

/** Base64, and its form for addresses. That of a key is at least this long. */
const BASE64 = [/[0-9A-Za-z+/]{32,}/g, /[0-9A-Za-z_-]{32,}/g];
/** A UUID, as most request ids are. It is nobody's key in base64. */
const UUID = /^[0-9a-f-]{36}$/i;
/** Four characters of base64 stand for three bytes. */
const GROUP = 4;

/** Hexadecimal digits, and base32 (RFC 4648). Those of a key are at least this many: 24 bytes. */
const HEX = /[0-9a-f]{48,}/gi;
const BASE32 = /[a-z2-7]{39,}/gi;
/** No shorter text contains either. */
const SHORTEST_BASE32 = 39;
const BASE32_LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
/** Eight letters of base32 stand for five bytes. */
const BASE32_GROUP = 8;

/** How often a text may have been encoded. */
const MAX_ENCODINGS = 3;
/** The number of characters that are searched. No key is longer, however it is encoded. */
const MAX_SEARCHED = 1024;

const withoutPercents = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** What the base64 in a text stands for. Other letters may precede it, so it is read from four places. */
const withoutBase64 = (text: string): string[] =>
  BASE64.flatMap((form) => [...text.matchAll(form)]).flatMap(([run]) => {
    if (UUID.test(run)) return [];
    const letters = run.replaceAll("-", "+").replaceAll("_", "/");
    return Array.from({ length: GROUP }, (_, from) => {
      const isCut = (letters.length - from) % GROUP === 1;
      return atob(letters.slice(from, isCut ? -1 : undefined));
    });
  });

/** What the hexadecimal digits in a text stand for, read from two places. */
const withoutHex = (text: string): string[] =>
  [...text.matchAll(HEX)].flatMap(([run]) =>
    [run, run.slice(1)].map((digits) =>
      digits.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))),
    ),
  );

const fromBase32 = (letters: string): string => {
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const letter of letters) {
    held = (held << 5) | BASE32_LETTERS.indexOf(letter);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return String.fromCharCode(...bytes);
};

/** What the base32 in a text stands for, read from eight places. */
const withoutBase32 = (text: string): string[] =>
  [...text.matchAll(BASE32)].flatMap(([run]) =>
    Array.from({ length: BASE32_GROUP }, (_, from) => fromBase32(run.toLowerCase().slice(from))),
  );

/**
 * The first 1024 characters of a text, and what they stand for if they are percent-encoded, in base64, in base32 or in
 * hexadecimal digits, also one within the other.
 */
export const readingsOf = (text: string): readonly string[] => {
  const searched = text.slice(0, MAX_SEARCHED);
  const readings = new Set([searched]);
  let latest: readonly string[] = [searched];
  for (let encodings = 0; encodings < MAX_ENCODINGS; encodings++) {
    const next = latest.flatMap((one) => [
      withoutPercents(one),
      ...withoutBase64(one),
      ...(one.length < SHORTEST_BASE32 ? [] : [...withoutHex(one), ...withoutBase32(one)]),
    ]);
    latest = [...new Set(next)].filter((one) => !readings.has(one));
    for (const one of latest) readings.add(one);
  }
  return [...readings];
};

/**
 * True if the first 1024 characters of the text contain something that looks like a key of the service, plain or
 * encoded. Clients put keys into other headers by mistake. Such text is neither logged nor stored; what is kept of a
 * longer one is cut well before that.
 */
export const looksLikeKey = (text: string): boolean => readingsOf(text).some((reading) => KEY_LIKE.test(reading));
