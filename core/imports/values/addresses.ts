import { compiledOnUse } from "../../compiled.ts";
import { url } from "../../schema.ts";
import { type CellReading, invalidCell, quoted, valueRead } from "./reading.ts";

const addressCheck = compiledOnUse(url());

const BLANK = /\s+/;
const ADDRESS_START = /[|,;][A-Za-z][A-Za-z0-9+.-]{0,9}:\/\//g;
const SEPARATORS = "|,;";

/**
 * Splits a text without blanks at separators that are followed by an address. Addresses may contain separators
 * themselves.
 */
const partsOf = (text: string): string[] => {
  const cuts = [...text.matchAll(ADDRESS_START)].map(({ index }) => index);
  return [0, ...cuts].map((start, index) => text.slice(start, cuts[index] ?? text.length));
};

const withoutSeparators = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && SEPARATORS.includes(text[start] ?? "")) start++;
  while (end > start && SEPARATORS.includes(text[end - 1] ?? "")) end--;
  return text.slice(start, end);
};

/**
 * The addresses of a list in their order. They are separated by blanks, and by `|`, `,` and `;` if an address or
 * nothing follows. In files that this service wrote, they are separated by blanks only.
 */
export const addressesIn = (cell: string, isOwnExport: boolean): CellReading<readonly string[]> => {
  const pieces = cell.split(BLANK);
  const parts = isOwnExport ? pieces : pieces.flatMap(partsOf).map(withoutSeparators);
  const addresses = parts.filter((part) => part !== "");
  const other = addresses.find((address) => !addressCheck().Check(address));
  return other === undefined
    ? valueRead(addresses)
    : invalidCell(
        "not_an_address",
        `has ${quoted(other)}, which is not an http or https address of up to 2048 characters`,
      );
};
