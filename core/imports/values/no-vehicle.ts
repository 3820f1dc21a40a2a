import { VEHICLE_FIELDS } from "../../vehicles/fields.ts";
import type { Cell } from "../file/file.ts";
import type { ImportIssue } from "../import-issue.ts";

/** Words with which lines below a table begin, in small letters: totals, and what reports say about themselves. */
const LABEL =
  /^\W{0,3}(?:(?:grand |sub)?-?totals?|sum(?:me)?|gesamt(?:summe)?|insgesamt|suma|totale?|totaux|count|average|report|page|seite|printed|generated|end of|signature|signed|prepared|created by|exported)(?:[^\p{L}]|$)/iu;
const MAX_LABEL = 200;

/** True for a text that labels a total or a note. */
const isLabel = (cell: Cell | undefined): boolean =>
  typeof cell === "string" && cell.length <= MAX_LABEL && LABEL.test(cell.trimStart());

const VIN = /^[A-Za-z0-9-]{1,32}$/;
const BLANKS = /\s+/g;

/** True for a text that no vehicle can have as this key, however it is mended. */
const isNoKey = (field: "vin" | "stock_number", text: string): boolean =>
  text.length > VEHICLE_FIELDS[field].max * 2 || (field === "vin" && !VIN.test(text.replace(BLANKS, "")));

const BLANK = /\s/;

/** The only cell of a row that is not empty; `null` if there are several. */
const onlyCell = (cells: readonly Cell[]): string | null => {
  const filled = cells.filter((cell) => cell !== null && cell !== "");
  return filled.length === 1 ? String(filled[0]).trim().slice(0, MAX_LABEL) : null;
};

/** True if the only cell of a row may be the beginning of a vehicle's key. */
export const mayBeCutOff = (cells: readonly Cell[]): boolean => {
  const only = onlyCell(cells);
  return only !== null && !BLANK.test(only) && !isLabel(only);
};

/** What is read of a row, as far as it tells whether the row is a vehicle. */
interface ReadKeys {
  readonly vin: unknown;
  readonly stock_number: unknown;
  readonly make: unknown;
  readonly model: unknown;
}

const isSent = (value: unknown): value is string => typeof value === "string" && value !== "";

/**
 * True if a row is no vehicle, but a total, a signature or a note: it has no key, and no make or no model. Its label
 * may stand in its first cell, or at one of the places `labelled`; words that stand alone are a note.
 */
export const isNoVehicle = (
  { vin, stock_number, make, model }: ReadKeys,
  { cells, labelled }: { readonly cells: readonly Cell[]; readonly labelled: readonly number[] },
): boolean => {
  if (isSent(make) && isSent(model)) return false;
  const hasVin = isSent(vin) && !isNoKey("vin", vin);
  const hasStock = isSent(stock_number) && !isNoKey("stock_number", stock_number);
  if (!hasVin && !hasStock) return true;
  const first = cells.find((cell) => cell !== null && cell !== "");
  const isNote = BLANK.test(onlyCell(cells) ?? "");
  return isNote || isLabel(first) || labelled.some((place) => isLabel(cells[place]));
};

/** The warning about a row that is no vehicle. */
export const NO_VEHICLE: ImportIssue = {
  path: "",
  code: "no_vehicle",
  message: "has no key, and no make or no model: it is a total or a note, and no vehicle",
};

/** The warning about a row that repeats the heading. */
export const HEADING_REPEATED: ImportIssue = {
  path: "",
  code: "heading_repeated",
  message: "is the heading once more, and no vehicle",
};
