import { compiledOnUse } from "../../compiled.ts";
import { url } from "../../schema.ts";
import { isNothing } from "../../vehicles/nothing.ts";
import { type CellFault, quoted } from "./reading.ts";

const addressCheck = compiledOnUse(url());

/** The maximum number of parts that a cell is read for. No vehicle can have as many images. */
const MAX_PARTS = 1000;

/** A part of a cell without blanks. */
const PIECE = /\S+/g;
/** A place where an address begins: with a scheme, or with its host, behind a separator. */
const ADDRESS_START = /(?<=^|[|,;\s])(?:[A-Za-z][A-Za-z0-9+.-]{0,9}:)?\/\//g;
const SEPARATORS = "|,;";
const BLANKS = /\s+/;
const BLANK = /\s/g;
/** The end of an address that blanks behind it do not belong to. */
const COMPLETE = /\.(?:jpe?g|png|webp|gif|avif|heic|bmp|tiff?)(?:[?#]\S{0,500})?$/i;

const BEGINNING = /^(?:[A-Za-z][A-Za-z0-9+.-]{0,9}:)?\/\//;
/** The maximum length of a part that is divided further. No address is longer. */
const MAX_CHUNK = 8192;

const isBetween = (sign: string | undefined): boolean =>
  sign !== undefined && (SEPARATORS.includes(sign) || sign.trim() === "");

const withoutSeparators = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && isBetween(text[start])) start++;
  while (end > start && isBetween(text[end - 1])) end--;
  return text.slice(start, end);
};

/** The parts of a cell, each of which begins with an address, apart from what stands before the first one. */
function* chunksOf(cell: string): Generator<string> {
  let start = 0;
  for (const { index } of cell.matchAll(ADDRESS_START)) {
    if (index > start) yield withoutSeparators(cell.slice(start, index));
    start = index;
  }
  yield withoutSeparators(cell.slice(start));
}

/**
 * The parts between bars. A bar may also belong to an address: what follows it then is neither a word for nothing nor
 * has blanks.
 */
const betweenBars = (chunk: string): readonly string[] => {
  const parts: string[] = [];
  for (const part of chunk.split("|")) {
    const text = part.trim();
    if (parts.length > 0 && text !== "" && !BLANKS.test(text) && !isNothing(text)) parts.push(`${parts.pop()}|${text}`);
    else if (text !== "") parts.push(text);
  }
  return parts;
};

/** The addresses of a chunk that begins with one, and what else stands there. Blanks between bars are part of one. */
const partsOf = (chunk: string, hasBars: boolean): readonly string[] => {
  // What is no address, or longer than any, is one part: it is looked at once.
  if (chunk.length > MAX_CHUNK || !BEGINNING.test(chunk)) return [chunk];
  if (!chunk.includes("|") && !BLANKS.test(chunk)) return [chunk];
  return betweenBars(chunk).flatMap((part, index) => {
    if (index > 0) return [part];
    const [first = "", ...others] = part.split(BLANKS);
    if (others.length === 0 || hasBars || !COMPLETE.test(first)) return [part.replaceAll(BLANK, "%20")];
    return [first, others.join(" ")];
  });
};

function* allParts(cell: string, isOwnExport: boolean): Generator<string> {
  if (isOwnExport) {
    for (const [piece] of cell.matchAll(PIECE)) yield piece;
    return;
  }
  const hasBars = cell.includes("|");
  for (const chunk of chunksOf(cell)) if (chunk !== "") yield* partsOf(chunk, hasBars);
}

/** An address with its scheme, if it begins with its host. */
const withScheme = (part: string): string => (part.startsWith("//") ? `https:${part}` : part);

/** Signs between the addresses of a list that a program wrote. */
const LIST_SIGNS = /["']/g;

/** The bracket that closes a list, by the one that opens it. */
const CLOSING: Readonly<Record<string, string>> = { "[": "]", "{": "}" };

/** A list as programs write it, without its brackets and quotes: `["https://…", "https://…"]`, `{https://…,https://…}`. */
const withoutBrackets = (cell: string): string => {
  const closing = CLOSING[cell[0] ?? ""];
  if (closing === undefined) return cell;
  const text = cell.trimEnd();
  return text.endsWith(closing) ? text.slice(1, -1).replaceAll("\\/", "/").replaceAll(LIST_SIGNS, " ") : cell;
};

/** The addresses in a cell, and what is wrong with others of its parts. */
export interface ReadAddresses {
  readonly addresses: readonly string[];
  readonly fault: CellFault | null;
}

const leftOut = (first: string, others: number): CellFault => ({
  code: "not_an_address",
  message: `has ${quoted(first)}${others > 0 ? ` and ${others} more` : ""}, which is no http or https address of up to 2048 characters; that photo is left out`,
});

/**
 * The addresses of a list in their order. They are separated by blanks, and by `|`, `,` and `;` if an address or
 * nothing follows. In files that this service wrote, they are separated by blanks only. What is no address is left out.
 */
export const addressesIn = (text: string, isOwnExport: boolean): ReadAddresses => {
  const cell = isOwnExport ? text : withoutBrackets(text);
  const addresses: string[] = [];
  const wrong: string[] = [];
  for (const part of allParts(cell, isOwnExport)) {
    if (isNothing(part)) continue;
    if (addresses.length + wrong.length === MAX_PARTS)
      return {
        addresses: [],
        fault: {
          code: "too_many_images",
          message: `has more than ${MAX_PARTS} addresses; the images stay as they are`,
        },
      };
    const address = withScheme(part);
    if (addressCheck().Check(address)) addresses.push(address);
    else wrong.push(part);
  }
  const [first] = wrong;
  return { addresses, fault: first === undefined ? null : leftOut(first, wrong.length - 1) };
};
