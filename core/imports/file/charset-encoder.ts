import type { Charset } from "./file.ts";

/** The parts of the runtime that this module needs. */
declare const TextDecoder: new (charset: string) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const BYTES = 256;
const UNKNOWN = "?".charCodeAt(0);

/** The bytes of a charset with one byte for each character: the inverse of what the runtime decodes. */
const singleByte = (charset: Charset): ((text: string) => Uint8Array) => {
  const decoder = new TextDecoder(charset);
  const bytes = new Map<string, number>();
  for (let byte = 0; byte < BYTES; byte++) bytes.set(decoder.decode(Uint8Array.of(byte)), byte);
  return (text) => Uint8Array.from(text, (character) => bytes.get(character) ?? UNKNOWN);
};

const utf16 =
  (isLittleEndian: boolean) =>
  (text: string): Uint8Array => {
    const bytes = new Uint8Array(text.length * 2);
    const view = new DataView(bytes.buffer);
    for (let place = 0; place < text.length; place++) view.setUint16(place * 2, text.charCodeAt(place), isLittleEndian);
    return bytes;
  };

const utf8 = (): ((text: string) => Uint8Array) => {
  const encoder = new TextEncoder();
  return (text) => encoder.encode(text);
};

const ENCODERS: Readonly<Record<Charset, () => (text: string) => Uint8Array>> = {
  "utf-8": utf8,
  "utf-16le": () => utf16(true),
  "utf-16be": () => utf16(false),
  "windows-1252": () => singleByte("windows-1252"),
  "iso-8859-15": () => singleByte("iso-8859-15"),
};

/** Writes text in a charset. A character that the charset does not have becomes a question mark. */
export const encoderOf = (charset: Charset): ((text: string) => Uint8Array) => ENCODERS[charset]();

/** True if texts of the charset begin with a byte order mark, by which programs recognize it. */
export const hasByteOrderMark = (charset: Charset): boolean => charset.startsWith("utf-");
