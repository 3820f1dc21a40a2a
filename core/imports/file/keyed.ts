import { type Cell, FILE_LIMITS, type RowProblem } from "./file.ts";

/** Objects within objects deeper than this are no rows of vehicles. */
const DEEPEST = 8;
/** Of an object in a list, such as a photo: the text that stands for it. */
const TELLING = ["url", "image_url", "src", "link", "href", "name", "value", "description", "text"];

class TooDeep extends Error {}
class TooLong extends Error {}
class LongKey extends Error {}

const scalarText = (value: unknown): string => (value === null || value === undefined ? "" : String(value));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The text of an item of a list. Lists in lists have none; writing them out would take time without bounds. */
const itemText = (item: unknown): string => {
  if (Array.isArray(item)) throw new TooDeep();
  if (!isObject(item)) return scalarText(item);
  const telling = TELLING.map((name) => item[name]).find((text) => typeof text === "string");
  return typeof telling === "string" ? telling : "";
};

const scalarCell = (value: unknown): Cell => {
  if (typeof value !== "number") return scalarText(value);
  // Its last digits are lost already.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new TooLong();
  return value;
};

/** The key of a cell. The one of an object is part of the keys of all that it holds, however many these are. */
const keyOf = (keys: readonly string[]): string => {
  if (keys.some((key) => key.length > FILE_LIMITS.heading)) throw new LongKey();
  const key = keys.join(".");
  if (key.length > FILE_LIMITS.heading) throw new LongKey();
  return key;
};

const addCells = (
  cells: Map<string, Cell>,
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
): void => {
  if (path.length > DEEPEST) throw new TooDeep();
  for (const [key, inner] of Object.entries(value)) {
    const keys = [...path, key];
    if (isObject(inner)) addCells(cells, inner, keys);
    else cells.set(keyOf(keys), Array.isArray(inner) ? inner.map(itemText).join(",") : scalarCell(inner));
  }
};

const UNREADABLE: RowProblem = { code: "row_unreadable", message: "is not an object of JSON" };
const DEEP: RowProblem = {
  code: "row_unreadable",
  message: `has lists in lists, or objects more than ${DEEPEST} deep`,
};
const LONG_KEY: RowProblem = {
  code: "row_unreadable",
  message: `has a key of more than ${FILE_LIMITS.heading} characters`,
};
const LONG: RowProblem = {
  code: "row_unreadable",
  message: "has a whole number that is too long to be kept exactly; write it as text",
};

/**
 * The cells of an object of JSON by their keys. An object within it has the keys `mileage.value`; a list is its items,
 * separated by commas, and of an object in a list the text that tells most.
 */
export const keyedCells = (json: string): ReadonlyMap<string, Cell> | RowProblem => {
  try {
    const value: unknown = JSON.parse(json);
    if (!isObject(value)) return UNREADABLE;
    const cells = new Map<string, Cell>();
    addCells(cells, value, []);
    return cells;
  } catch (error) {
    if (error instanceof TooLong) return LONG;
    if (error instanceof LongKey) return LONG_KEY;
    return error instanceof TooDeep ? DEEP : UNREADABLE;
  }
};
