import { compiledOnUse } from "../../compiled.ts";
import { url } from "../../schema.ts";
import { type CellReading, invalidCell, quoted, valueRead } from "./reading.ts";

const addressCheck = compiledOnUse(url());

/** The maximum number of addresses that a cell is read for. No vehicle can have as many images. */
const MAX_ADDRESSES = 1000;

/** A part of a cell without blanks. */
const PIECE = /\S+/g;
const ADDRESS_START = /[|,;][A-Za-z][A-Za-z0-9+.-]{0,9}:\/\//g;
const SEPARATORS = "|,;";

/**
 * Splits a text without blanks at separators that are followed by an address. Addresses may contain separators
 * themselves.
 */
function* partsOf(text: string): Generator<string> {
  let start = 0;
  for (const { index } of text.matchAll(ADDRESS_START)) {
    yield text.slice(start, index);
    start = index;
  }
  yield text.slice(start);
}

const withoutSeparators = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && SEPARATORS.includes(text[start] ?? "")) start++;
  while (end > start && SEPARATORS.includes(text[end - 1] ?? "")) end--;
  return text.slice(start, end);
};

/** The parts of a cell, one after the other, so that nothing is split behind the first one that is no address. */
function* addressParts(cell: string, isOwnExport: boolean): Generator<string> {
  for (const [piece] of cell.matchAll(PIECE)) {
    if (isOwnExport) yield piece;
    else for (const part of partsOf(piece)) yield withoutSeparators(part);
  }
}

/**
 * The addresses of a list in their order. They are separated by blanks, and by `|`, `,` and `;` if an address or
 * nothing follows. In files that this service wrote, they are separated by blanks only. The list is read up to the first
 * part that is not an address.
 */
export const addressesIn = (cell: string, isOwnExport: boolean): CellReading<readonly string[]> => {
  const addresses: string[] = [];
  for (const part of addressParts(cell, isOwnExport)) {
    if (part === "") continue;
    if (!addressCheck().Check(part))
      return invalidCell(
        "not_an_address",
        `has ${quoted(part)}, which is not an http or https address of up to 2048 characters`,
      );
    if (addresses.length === MAX_ADDRESSES)
      return invalidCell("too_many_images", `has more than ${MAX_ADDRESSES} addresses`);
    addresses.push(part);
  }
  return valueRead(addresses);
};
