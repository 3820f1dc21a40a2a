/** A part of an XML text: a tag, character data, or something to skip. */
export interface Token {
  readonly kind: "start" | "end" | "empty" | "text" | "cdata" | "other" | "refused";
  readonly start: number;
  readonly end: number;
  /** For a tag, the name of its element without the namespace prefix. */
  readonly name: string;
}

const COMMENT = { opening: "<!--", closing: "-->", kind: "other" } as const;
const CDATA = { opening: "<![CDATA[", closing: "]]>", kind: "cdata" } as const;
const INSTRUCTION = { opening: "<?", closing: "?>", kind: "other" } as const;

const NAME = /^[\p{L}_:][\p{L}\p{N}_:.-]*$/u;
const NAME_END = /[\s/>]/g;

/** The maximum length of a name; longer ones are refused. */
const MAX_NAME_LENGTH = 200;

const QUOTE_OR_END = /["'>]/g;

/**
 * The end of the tag that begins at `from`; `null` if it does not end in this text. A `>` within quotes does not end a
 * tag.
 */
const tagEnd = (text: string, from: number): number | null => {
  QUOTE_OR_END.lastIndex = from;
  for (let found = QUOTE_OR_END.exec(text); found !== null; found = QUOTE_OR_END.exec(text)) {
    const [sign] = found;
    if (sign === ">") return found.index + 1;
    const closing = text.indexOf(sign, found.index + 1);
    if (closing < 0) return null;
    QUOTE_OR_END.lastIndex = closing + 1;
  }
  return null;
};

const nameAt = (text: string, from: number, end: number): string => {
  const stretch = text.slice(from, Math.min(end, from + MAX_NAME_LENGTH + 1));
  const length = stretch.search(NAME_END);
  return length < 0 ? "" : stretch.slice(0, length);
};

const localName = (name: string): string => name.slice(name.lastIndexOf(":") + 1);

/** The token at a position of an XML text; `null` if it does not end in this text. */
export const tokenAt = (text: string, start: number): Token | null => {
  if (text[start] !== "<") {
    const end = text.indexOf("<", start);
    return end < 0 ? null : { kind: "text", start, end, name: "" };
  }
  for (const { opening, closing, kind } of [COMMENT, CDATA, INSTRUCTION])
    if (text.startsWith(opening, start)) {
      const end = text.indexOf(closing, start + opening.length);
      return end < 0 ? null : { kind, start, end: end + closing.length, name: "" };
    }
  // The start of a comment may be cut off at the end of this text.
  if (text.startsWith("<!", start) && text.length - start < CDATA.opening.length) return null;
  const end = tagEnd(text, start);
  if (end === null) return null;
  const isEnd = text[start + 1] === "/";
  const name = nameAt(text, isEnd ? start + 2 : start + 1, end);
  if (!NAME.test(name)) return { kind: "refused", start, end, name: "" };
  const kind = isEnd ? "end" : text[end - 2] === "/" ? "empty" : "start";
  return { kind, start, end, name: localName(name) };
};

const NAMED: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["apos", "'"],
  ["quot", '"'],
]);
const REFERENCE = /&(?:([A-Za-z]{1,8}|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)?/g;

const referencedCharacter = (name: string): string | null => {
  if (!name.startsWith("#")) return NAMED.get(name) ?? null;
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0x10_ffff || (code >= 0xd8_00 && code <= 0xdf_ff) ? null : String.fromCodePoint(code);
};

/** A text with its references resolved; `null` if one is neither numeric nor one of the five that XML defines. */
export const dereferenced = (text: string): string | null => {
  if (!text.includes("&")) return text;
  let isKnown = true;
  const plain = text.replaceAll(REFERENCE, (_, name: string | undefined) => {
    const sign = name === undefined ? null : referencedCharacter(name);
    isKnown &&= sign !== null;
    return sign ?? "";
  });
  return isKnown ? plain : null;
};

/** The attributes of a tag, with their values as they are written. */
export const attributesOf = (tag: string): readonly (readonly [name: string, value: string])[] => {
  const found: [string, string][] = [];
  let at = tag.search(/\s/);
  for (let equals = at < 0 ? -1 : tag.indexOf("=", at); equals >= 0; equals = tag.indexOf("=", at)) {
    const name = tag.slice(at, equals).trim();
    const quote = tag.slice(equals + 1, equals + 20).trimStart()[0];
    if (quote !== '"' && quote !== "'") return found;
    const open = tag.indexOf(quote, equals);
    const close = tag.indexOf(quote, open + 1);
    if (close < 0) return found;
    if (!name.startsWith("xmlns")) found.push([localName(name), tag.slice(open + 1, close)]);
    at = close + 1;
  }
  return found;
};
