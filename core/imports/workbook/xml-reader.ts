import { attributesOf, dereferenced } from "../file/xml-tokens.ts";
import { broken, tooLarge } from "./refused.ts";

/** A tag, or the text before one. */
export interface XmlPiece {
  readonly kind: "open" | "close" | "text";
  /** For a tag, the name of its element without the namespace prefix. */
  readonly name: string;
  /** The tag as it is written, or the text with its references as they are written. */
  readonly text: string;
  /** True for a tag that opens and closes an element. */
  readonly isEmpty: boolean;
  /** True for a text in which `&` is a sign like others. */
  readonly isPlain: boolean;
}

const SLASH = 47;
const CLOSING = 62;
const EXCLAMATION = 33;
const QUESTION = 63;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;

const SPECIAL = [
  { opening: "<!--", closing: "-->", isText: false },
  { opening: "<![CDATA[", closing: "]]>", isText: true },
  { opening: "<?", closing: "?>", isText: false },
] as const;

/** The longest tag or text that is read; a cell has 32 767 characters at most. */
const MAX_PIECE = 1024 * 1024;

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** Reads XML in chunks of any size. It holds one tag or text at most. */
export class XmlReader {
  private rest = "";

  constructor(private readonly what: string) {}

  /** The tags and texts that are whole so far. They must all be taken before the next chunk. */
  *push(chunk: string): Generator<XmlPiece> {
    const text = this.rest + chunk;
    let at = 0;
    while (at < text.length) {
      const next = text.charCodeAt(at) === 60 ? this.tagAt(text, at) : this.textAt(text, at);
      if (next === null) break;
      if (next.piece !== null) yield next.piece;
      at = next.end;
    }
    this.rest = text.slice(at);
    if (this.rest.length > MAX_PIECE)
      throw tooLarge(`The workbook is too large: ${this.what} has a cell of more than 1 MiB.`);
  }

  private textAt(text: string, start: number): { readonly piece: XmlPiece; readonly end: number } | null {
    const end = text.indexOf("<", start);
    if (end < 0) return null;
    return { end, piece: { kind: "text", name: "", text: text.slice(start, end), isEmpty: false, isPlain: false } };
  }

  private tagAt(text: string, start: number): { readonly piece: XmlPiece | null; readonly end: number } | null {
    const sign = text.charCodeAt(start + 1);
    if (sign === EXCLAMATION || sign === QUESTION) return this.specialAt(text, start);
    const isClose = sign === SLASH;
    const nameStart = isClose ? start + 2 : start + 1;
    let colon = nameStart - 1;
    let nameEnd = 0;
    let quote = 0;
    let at = nameStart;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (quote !== 0) {
        if (code === quote) quote = 0;
      } else if (code === CLOSING) break;
      else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) quote = code;
      else if (nameEnd === 0 && (isBlank(code) || code === SLASH)) nameEnd = at;
      else if (nameEnd === 0 && code === 58) colon = at;
    }
    if (at >= text.length) return null;
    const name = text.slice(colon + 1, nameEnd === 0 ? at : nameEnd);
    const isEmpty = text.charCodeAt(at - 1) === SLASH;
    const kind = isClose ? "close" : "open";
    return { end: at + 1, piece: { kind, name, text: text.slice(start, at + 1), isEmpty, isPlain: false } };
  }

  private specialAt(text: string, start: number): { readonly piece: XmlPiece | null; readonly end: number } | null {
    for (const { opening, closing, isText } of SPECIAL) {
      if (!text.startsWith(opening, start)) continue;
      const from = start + opening.length;
      const end = text.indexOf(closing, from);
      if (end < 0) return null;
      const piece = { kind: "text", name: "", text: text.slice(from, end), isEmpty: false, isPlain: true } as const;
      return { end: end + closing.length, piece: isText ? piece : null };
    }
    // The beginning of a comment may be cut off at the end of this chunk.
    if (text.length - start < 9) return null;
    // Declarations of types define entities, which may stand for texts of any length and for other files.
    throw broken(`${this.what} has a document type`);
  }
}

/** Signs with which few programs write tags. */
const UNUSUAL = /['\t\r\n]|\s=|=\s/;

/** An attribute of a tag, as it is written; `null` if the tag does not have it. */
export const attributeOf = (tag: string, name: string): string | null => {
  const mark = ` ${name}="`;
  const at = tag.indexOf(mark);
  if (at >= 0) return tag.slice(at + mark.length, tag.indexOf('"', at + mark.length));
  return UNUSUAL.test(tag) ? anyAttributeOf(tag, name) : null;
};

/** The same, whatever the prefix of its name is. */
export const anyAttributeOf = (tag: string, name: string): string | null =>
  attributesOf(tag).find(([known]) => known === name)?.[1] ?? null;

/** A text of the XML with its references resolved. */
export const plainText = ({ text, isPlain }: Pick<XmlPiece, "text" | "isPlain">): string => {
  const plain = isPlain ? text : dereferenced(text);
  if (plain === null) throw broken("it has references to texts that are not in it");
  return plain;
};

const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** A text of a cell, in which workbooks write signs that XML does not have as `_x000D_`. */
export const cellText = (text: string): string =>
  text.includes("_x")
    ? text
        .replaceAll(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
        .replaceAll("\0", "")
        .toWellFormed()
    : text;
