import { compiledOnUse } from "../../compiled.ts";
import { url } from "../../schema.ts";
import { invalidCell, quoted, type Reading, valueRead } from "./reading.ts";

const addressCheck = compiledOnUse(url());

const BLANK = /\s+/;
const BEGINNING = /[|,;][A-Za-z][A-Za-z0-9+.-]{0,9}:\/\//g;
const SEPARATORS = "|,;";

/** The parts of a text without blanks: a sign separates where an address follows it, as addresses may have such signs. */
const partsOf = (text: string): string[] => {
  const cuts = [...text.matchAll(BEGINNING)].map(({ index }) => index);
  return [0, ...cuts].map((start, index) => text.slice(start, cuts[index] ?? text.length));
};

const withoutSeparators = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && SEPARATORS.includes(text[start] ?? "")) start++;
  while (end > start && SEPARATORS.includes(text[end - 1] ?? "")) end--;
  return text.slice(start, end);
};

/**
 * The addresses of a list, in its order: they part at blanks, and at `|`, `,` and `;` where another address or nothing
 * follows. Our own exports part them by blanks only.
 */
export const addressesIn = (cell: string, isOwnExport: boolean): Reading<readonly string[]> => {
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
