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

const OPENING = 60;
const COLON = 58;
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

const LONGEST_OPENING = 9;

/** The longest tag or text that is read; a cell has 32 767 characters at most. */
const MAX_PIECE = 1024 * 1024;

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/**
 * Reads XML in chunks of any size. It holds one tag or text at most, and is itself the present one: there are so many that
 * an object for each would cost more than reading it.
 */
export class XmlReader implements XmlPiece {
  kind: XmlPiece["kind"] = "text";
  name = "";
  isEmpty = false;
  isPlain = false;
  private chunk = "";
  private start = 0;
  private end = 0;
  private next = 0;

  constructor(private readonly what: string) {}

  get text(): string {
    return this.chunk.slice(this.start, this.end);
  }

  /** Adds a chunk. All pieces of the one before must have been taken. */
  push(chunk: string): void {
    const rest = this.chunk.slice(this.next);
    if (rest.length > MAX_PIECE)
      throw tooLarge(`The workbook is too large: ${this.what} has a cell of more than 1 MiB.`);
    this.chunk = rest + chunk;
    this.next = 0;
  }

  /** Goes to the next piece. Returns false if none is whole before the next chunk. */
  advance(): boolean {
    while (this.next < this.chunk.length) {
      const before = this.next;
      const isPiece = this.chunk.charCodeAt(before) === OPENING ? this.readTag(before) : this.readText(before);
      if (isPiece) return true;
      if (this.next === before) return false;
    }
    return false;
  }

  private readText(start: number): boolean {
    const end = this.chunk.indexOf("<", start);
    if (end < 0) return false;
    this.kind = "text";
    this.name = "";
    this.isPlain = false;
    this.isEmpty = false;
    this.start = start;
    this.end = end;
    this.next = end;
    return true;
  }

  private readTag(start: number): boolean {
    const { chunk } = this;
    const sign = chunk.charCodeAt(start + 1);
    if (sign === EXCLAMATION || sign === QUESTION) return this.readSpecial(start);
    const isClose = sign === SLASH;
    let nameStart = isClose ? start + 2 : start + 1;
    let nameEnd = 0;
    let quote = 0;
    let at = nameStart;
    for (; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (quote !== 0) {
        if (code === quote) quote = 0;
      } else if (code === CLOSING) break;
      else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) quote = code;
      else if (nameEnd === 0 && (isBlank(code) || code === SLASH)) nameEnd = at;
      else if (nameEnd === 0 && code === COLON) nameStart = at + 1;
    }
    if (at >= chunk.length) return false;
    this.kind = isClose ? "close" : "open";
    this.name = chunk.slice(nameStart, nameEnd === 0 ? at : nameEnd);
    this.isPlain = false;
    this.isEmpty = chunk.charCodeAt(at - 1) === SLASH;
    this.start = start;
    this.end = at + 1;
    this.next = at + 1;
    return true;
  }

  /** Reads what is no tag. Comments and instructions are passed over. */
  private readSpecial(start: number): boolean {
    const { chunk } = this;
    for (const { opening, closing, isText } of SPECIAL) {
      if (!chunk.startsWith(opening, start)) continue;
      const from = start + opening.length;
      const end = chunk.indexOf(closing, from);
      if (end < 0) return false;
      this.next = end + closing.length;
      if (!isText) return false;
      this.kind = "text";
      this.name = "";
      this.isPlain = true;
      this.isEmpty = false;
      this.start = from;
      this.end = end;
      return true;
    }
    // The beginning of a comment may be cut off at the end of this chunk.
    if (chunk.length - start < LONGEST_OPENING) return false;
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
