import { CHARSETS, type Charset } from "./file.ts";

/** What this module needs of the decoder that every runtime has. */
declare const TextDecoder: new (
  charset: string,
  options: { readonly ignoreBOM: true; readonly fatal?: boolean },
) => { decode(bytes: Uint8Array): string };

/**
 * Bytes as text of units, by which a file is divided into rows. A unit is one byte of a charset that contains ASCII, or
 * two of UTF-16, so that places in the text are places in the file. Charsets of bytes are all shown as Windows-1252,
 * which has a character for each byte; signs of ASCII are what they are, and `rowText` tells the rest.
 */
export interface Coding {
  readonly unitBytes: 1 | 2;
  /** The units of whole bytes. */
  units(bytes: Uint8Array): string;
  /** The text of these units. `bytes` are theirs. Damaged if they are not of the charset. */
  rowText(units: string, bytes: Uint8Array): { readonly text: string; readonly isDamaged: boolean };
  /** The charset; of bytes with no known charset what is believed from the rows so far. */
  readonly charset: Charset;
}

const decoder = (charset: Charset, fatal = false) => {
  // Made on first use: most files need one of them.
  let made: InstanceType<typeof TextDecoder> | null = null;
  return (bytes: Uint8Array): string => {
    made ??= new TextDecoder(charset, { ignoreBOM: true, fatal });
    return made.decode(bytes);
  };
};

const DECODE: Readonly<Record<Charset, (bytes: Uint8Array) => string>> = {
  "utf-8": decoder("utf-8"),
  "utf-16le": decoder("utf-16le"),
  "utf-16be": decoder("utf-16be"),
  "windows-1252": decoder("windows-1252"),
  "iso-8859-15": decoder("iso-8859-15"),
};
const decodeStrictly = decoder("utf-8", true);

/** Bytes of UTF-8 as text; `null` if they are not UTF-8. */
const utf8 = (bytes: Uint8Array): string | null => {
  try {
    return decodeStrictly(bytes);
  } catch {
    return null;
  }
};

const BEYOND_ASCII = /\P{ASCII}/u;

const whole = (text: string) => ({ text, isDamaged: false });

const wide = (charset: "utf-16le" | "utf-16be"): Coding => ({
  unitBytes: 2,
  charset,
  units: DECODE[charset],
  rowText: whole,
});

const narrow = (charset: Charset, decode: (bytes: Uint8Array) => { text: string; isDamaged: boolean }): Coding => ({
  unitBytes: 1,
  charset,
  units: DECODE["windows-1252"],
  rowText: (units, bytes) => (BEYOND_ASCII.test(units) ? decode(bytes) : whole(units)),
});

/** The coding of a known charset. */
export const codingOf = (charset: Charset): Coding => {
  if (charset === "utf-16le" || charset === "utf-16be") return wide(charset);
  if (charset !== "utf-8") return narrow(charset, (bytes) => whole(DECODE[charset](bytes)));
  return narrow(charset, (bytes) => {
    const text = utf8(bytes);
    return { text: text ?? DECODE["utf-8"](bytes), isDamaged: text === null };
  });
};

/** Bytes that Windows-1252 prints and ISO-8859-15 does not. */
const FIRST_PRINTED = 0x80;
const LAST_PRINTED = 0x9f;
/**
 * In the letters of Windows-1252: what says that a text is of ISO-8859-15. The sign of money that nobody writes is the
 * euro there, and signs within a word are Š, š, ž, Œ, œ and Ÿ.
 */
const OTHER_LETTERS = /¤|[A-Za-z][¦¨¸]|[¦¨¸][A-Za-z]|[A-Za-z][¼½¾][A-Za-z]/;

/**
 * The coding of bytes whose charset nobody named. They are UTF-8 as long as all rows are; else ISO-8859-15 if the other
 * rows say so and no byte in them speaks against it, or Windows-1252.
 */
const foundCoding = (): Coding => {
  let isUtf8 = true;
  let isPrinted = false;
  let hasOtherLetters = false;
  const believed = (): Charset => (isUtf8 ? "utf-8" : hasOtherLetters && !isPrinted ? "iso-8859-15" : "windows-1252");
  return {
    unitBytes: 1,
    units: DECODE["windows-1252"],
    get charset() {
      return believed();
    },
    rowText(units, bytes) {
      if (!BEYOND_ASCII.test(units)) return whole(units);
      const text = utf8(bytes);
      if (text !== null) return whole(isUtf8 ? text : DECODE[believed()](bytes));
      isUtf8 = false;
      isPrinted ||= bytes.some((byte) => byte >= FIRST_PRINTED && byte <= LAST_PRINTED);
      hasOtherLetters ||= OTHER_LETTERS.test(units);
      return whole(DECODE[believed()](bytes));
    },
  };
};

const startsWith = (bytes: Uint8Array, ...start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

/** A charset that the first bytes of a file show, and how many of them are its byte order mark. */
interface ShownCharset {
  readonly charset: Charset | null;
  readonly markBytes: number;
}

/** The charset that the first bytes of a file show. */
const shownCharset = (first: Uint8Array): ShownCharset => {
  if (startsWith(first, 0xef, 0xbb, 0xbf)) return { charset: "utf-8", markBytes: 3 };
  if (startsWith(first, 0xff, 0xfe)) return { charset: "utf-16le", markBytes: 2 };
  if (startsWith(first, 0xfe, 0xff)) return { charset: "utf-16be", markBytes: 2 };
  // A file begins with ASCII: every other byte of UTF-16 is zero there.
  const [one = 0, two = 0, three = 0, four = 0] = first;
  if (first.length < 4) return { charset: null, markBytes: 0 };
  if (one !== 0 && two === 0 && three !== 0 && four === 0) return { charset: "utf-16le", markBytes: 0 };
  if (one === 0 && two !== 0 && three === 0 && four !== 0) return { charset: "utf-16be", markBytes: 0 };
  return { charset: null, markBytes: 0 };
};

/** What charsets are called, in lower case. Who says Latin-1 means what browsers take it for, Windows-1252. */
const NAMES: ReadonlyMap<string, Charset> = new Map([
  ...CHARSETS.map((charset) => [charset, charset] as const),
  ["utf8", "utf-8"],
  ["us-ascii", "utf-8"],
  ["ascii", "utf-8"],
  ["utf-16", "utf-16le"],
  ["iso-8859-1", "windows-1252"],
  ["latin1", "windows-1252"],
  ["cp1252", "windows-1252"],
  ["latin9", "iso-8859-15"],
]);

/** The charset of this name, without regard to case; `null` for those that are not read. */
export const charsetNamed = (name: string): Charset | null => NAMES.get(name.toLowerCase()) ?? null;

const DECLARED = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;
/** How much of a file of XML has its declaration. */
const DECLARATION_BYTES = 200;

const declaredCharset = (first: Uint8Array): Charset | null => {
  const [, name] = DECLARED.exec(DECODE["windows-1252"](first.subarray(0, DECLARATION_BYTES))) ?? [];
  const charset = name === undefined ? null : charsetNamed(name);
  // Who can read the declaration byte by byte does not read UTF-16.
  return charset === "utf-16le" || charset === "utf-16be" ? null : charset;
};

/** How to find the coding of a file. */
export interface CodingWish {
  /** `null` to find it out. */
  readonly charset: Charset | null;
  /** What a file is if neither the caller nor its first bytes say anything: found out by its rows, declared, or UTF-8. */
  readonly otherwise: "found" | "declared" | "utf-8";
}

/** The coding of a file by its first bytes, and how many of them are its mark. A mark is believed before the caller. */
export const codingFor = (
  first: Uint8Array,
  { charset, otherwise }: CodingWish,
): { coding: Coding; markBytes: number } => {
  const shown = shownCharset(first);
  const known =
    (shown.markBytes > 0 ? shown.charset : (charset ?? shown.charset)) ??
    (otherwise === "declared" ? declaredCharset(first) : null);
  if (known === null && otherwise === "found") return { coding: foundCoding(), markBytes: 0 };
  return { coding: codingOf(known ?? "utf-8"), markBytes: shown.markBytes };
};
