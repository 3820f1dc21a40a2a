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

/** How often a text may have been encoded. */
const MAX_ENCODINGS = 3;

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

/** The text, and what it stands for if it is percent-encoded or in base64, also one within the other. */
export const readingsOf = (text: string): readonly string[] => {
  const readings = new Set([text]);
  let latest: readonly string[] = [text];
  for (let encodings = 0; encodings < MAX_ENCODINGS && latest.length > 0; encodings++) {
    const next = latest.flatMap((one) => [withoutPercents(one), ...withoutBase64(one)]);
    latest = next.filter((one) => !readings.has(one));
    for (const one of latest) readings.add(one);
  }
  return [...readings];
};

/**
 * True if the text contains something that looks like a key of the service, plain or encoded. Clients put keys into
 * other headers by mistake. Such text is neither logged nor stored.
 */
export const looksLikeKey = (text: string): boolean => readingsOf(text).some((reading) => KEY_LIKE.test(reading));
