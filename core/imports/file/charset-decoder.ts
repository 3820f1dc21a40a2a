import { CHARSETS, type Charset } from "./file.ts";

/** The part of the runtime's decoder that this module needs. */
declare const TextDecoder: new (
  charset: string,
  options: { readonly ignoreBOM: true; readonly fatal?: boolean },
) => { decode(bytes: Uint8Array): string };

/**
 * Decodes bytes in two steps. `units` turns them into a text with one character per byte (per two bytes in UTF-16), so
 * that positions in the text are positions in the file; it is used to split the file into rows. Single-byte and UTF-8
 * files are shown as Windows-1252 there, which keeps ASCII characters as they are. `rowText` then decodes each row.
 */
export interface CharsetDecoder {
  readonly unitBytes: 1 | 2;
  /** One character for each unit of the bytes. */
  units(bytes: Uint8Array): string;
  /**
   * The decoded text of these units, which came from `bytes`. `isDamaged` means that the bytes are not valid in the
   * charset.
   */
  rowText(units: string, bytes: Uint8Array): { readonly text: string; readonly isDamaged: boolean };
  /** The charset. If none was given, it is the most likely one according to the rows so far. */
  readonly charset: Charset;
}

const lazyDecoder = (charset: Charset, fatal = false) => {
  // It is created on first use, as most files need only one of the decoders.
  let made: InstanceType<typeof TextDecoder> | null = null;
  return (bytes: Uint8Array): string => {
    made ??= new TextDecoder(charset, { ignoreBOM: true, fatal });
    return made.decode(bytes);
  };
};

const DECODE: Readonly<Record<Charset, (bytes: Uint8Array) => string>> = {
  "utf-8": lazyDecoder("utf-8"),
  "utf-16le": lazyDecoder("utf-16le"),
  "utf-16be": lazyDecoder("utf-16be"),
  "windows-1252": lazyDecoder("windows-1252"),
  "iso-8859-15": lazyDecoder("iso-8859-15"),
};
const decodeStrictly = lazyDecoder("utf-8", true);

/** Bytes of UTF-8 as text; `null` if they are not UTF-8. */
const utf8 = (bytes: Uint8Array): string | null => {
  try {
    return decodeStrictly(bytes);
  } catch {
    return null;
  }
};

const BEYOND_ASCII = /\P{ASCII}/u;

const undamaged = (text: string) => ({ text, isDamaged: false });

const utf16Decoder = (charset: "utf-16le" | "utf-16be"): CharsetDecoder => ({
  unitBytes: 2,
  charset,
  units: DECODE[charset],
  rowText: undamaged,
});

const singleByteDecoder = (
  charset: Charset,
  decode: (bytes: Uint8Array) => { text: string; isDamaged: boolean },
): CharsetDecoder => ({
  unitBytes: 1,
  charset,
  units: DECODE["windows-1252"],
  rowText: (units, bytes) => (BEYOND_ASCII.test(units) ? decode(bytes) : undamaged(units)),
});

/** The decoder of a known charset. */
export const decoderOf = (charset: Charset): CharsetDecoder => {
  if (charset === "utf-16le" || charset === "utf-16be") return utf16Decoder(charset);
  if (charset !== "utf-8") return singleByteDecoder(charset, (bytes) => undamaged(DECODE[charset](bytes)));
  return singleByteDecoder(charset, (bytes) => {
    const text = utf8(bytes);
    return { text: text ?? DECODE["utf-8"](bytes), isDamaged: text === null };
  });
};

/** The range of bytes that are printable in Windows-1252 but not in ISO-8859-15. */
const FIRST_WINDOWS_ONLY = 0x80;
const LAST_WINDOWS_ONLY = 0x9f;
/**
 * Signs that a text is in ISO-8859-15, as they look when it is read as Windows-1252. `¤`, which is hardly ever used, is
 * the euro sign there, and these symbols within a word are the letters Š, š, ž, Œ, œ and Ÿ.
 */
const LATIN9_LETTERS = /¤|[A-Za-z][¦¨¸]|[¦¨¸][A-Za-z]|[A-Za-z][¼½¾][A-Za-z]/;

/**
 * The decoder for bytes whose charset was not given. They are UTF-8 as long as all rows are valid UTF-8. Otherwise they
 * are ISO-8859-15 if the invalid rows have letters of that charset and no byte that only Windows-1252 can print, and
 * Windows-1252 if not.
 */
const detectingDecoder = (): CharsetDecoder => {
  let isUtf8 = true;
  let hasWindowsOnlyBytes = false;
  let hasLatin9Letters = false;
  const likeliestCharset = (): Charset =>
    isUtf8 ? "utf-8" : hasLatin9Letters && !hasWindowsOnlyBytes ? "iso-8859-15" : "windows-1252";
  return {
    unitBytes: 1,
    units: DECODE["windows-1252"],
    get charset() {
      return likeliestCharset();
    },
    rowText(units, bytes) {
      if (!BEYOND_ASCII.test(units)) return undamaged(units);
      const text = utf8(bytes);
      if (text !== null) return undamaged(isUtf8 ? text : DECODE[likeliestCharset()](bytes));
      isUtf8 = false;
      hasWindowsOnlyBytes ||= bytes.some((byte) => byte >= FIRST_WINDOWS_ONLY && byte <= LAST_WINDOWS_ONLY);
      hasLatin9Letters ||= LATIN9_LETTERS.test(units);
      return undamaged(DECODE[likeliestCharset()](bytes));
    },
  };
};

const startsWith = (bytes: Uint8Array, ...start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

/** The charset that the first bytes of a file indicate, and the length of its byte order mark. */
interface SniffedCharset {
  readonly charset: Charset | null;
  readonly markBytes: number;
}

/** Detects the charset by the first bytes of a file. */
const sniffCharset = (first: Uint8Array): SniffedCharset => {
  if (startsWith(first, 0xef, 0xbb, 0xbf)) return { charset: "utf-8", markBytes: 3 };
  if (startsWith(first, 0xff, 0xfe)) return { charset: "utf-16le", markBytes: 2 };
  if (startsWith(first, 0xfe, 0xff)) return { charset: "utf-16be", markBytes: 2 };
  // Files begin with ASCII characters. In UTF-16, every other byte of these is zero.
  const [one = 0, two = 0, three = 0, four = 0] = first;
  if (first.length < 4) return { charset: null, markBytes: 0 };
  if (one !== 0 && two === 0 && three !== 0 && four === 0) return { charset: "utf-16le", markBytes: 0 };
  if (one === 0 && two !== 0 && three === 0 && four !== 0) return { charset: "utf-16be", markBytes: 0 };
  return { charset: null, markBytes: 0 };
};

/** The names of charsets, in lower case. Latin-1 is read as Windows-1252, as browsers do. */
const CHARSET_NAMES: ReadonlyMap<string, Charset> = new Map([
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

/** The charset of this name, without regard to case; `null` if it cannot be read. */
export const charsetNamed = (name: string): Charset | null => CHARSET_NAMES.get(name.toLowerCase()) ?? null;

const XML_ENCODING = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;
/** The number of bytes in which the XML declaration is searched. */
const DECLARATION_BYTES = 200;

const declaredCharset = (first: Uint8Array): Charset | null => {
  const [, name] = XML_ENCODING.exec(DECODE["windows-1252"](first.subarray(0, DECLARATION_BYTES))) ?? [];
  const charset = name === undefined ? null : charsetNamed(name);
  // A declaration that can be read byte by byte cannot be in UTF-16, whatever it says.
  return charset === "utf-16le" || charset === "utf-16be" ? null : charset;
};

/** How to choose the decoder of a file. */
export interface DecoderWanted {
  /** The charset; `null` to detect it. */
  readonly charset: Charset | null;
  /**
   * What to do if neither the caller nor the first bytes determine the charset: detect it from the rows, use the XML
   * declaration, or assume UTF-8.
   */
  readonly fallback: "detect" | "declared" | "utf-8";
}

/**
 * The decoder for a file, and the length of its byte order mark. A byte order mark overrides the charset that the
 * caller gave.
 */
export const chooseDecoder = (
  first: Uint8Array,
  { charset, fallback }: DecoderWanted,
): { decoder: CharsetDecoder; markBytes: number } => {
  const shown = sniffCharset(first);
  const known =
    (shown.markBytes > 0 ? shown.charset : (charset ?? shown.charset)) ??
    (fallback === "declared" ? declaredCharset(first) : null);
  if (known === null && fallback === "detect") return { decoder: detectingDecoder(), markBytes: 0 };
  return { decoder: decoderOf(known ?? "utf-8"), markBytes: shown.markBytes };
};
