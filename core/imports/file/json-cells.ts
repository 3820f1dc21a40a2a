import { type Cell, FILE_LIMITS, type RowProblem } from "./file.ts";

/** The maximum nesting of objects; rows of vehicles are not deeper. */
const MAX_DEPTH = 8;
/** Keys whose text stands for the whole object in a list, such as a photo. */
const TEXT_KEYS = ["url", "image_url", "src", "link", "href", "name", "value", "description", "text"];

class TooDeep extends Error {}
class NumberTooLong extends Error {}
class KeyTooLong extends Error {}

const scalarText = (value: unknown): string => (value === null || value === undefined ? "" : String(value));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The text of an item in a list. Lists within lists are refused, as writing them out could take unlimited time. */
const itemText = (item: unknown): string => {
  if (Array.isArray(item)) throw new TooDeep();
  if (!isObject(item)) return scalarText(item);
  const telling = TEXT_KEYS.map((name) => item[name]).find((text) => typeof text === "string");
  return typeof telling === "string" ? telling : "";
};

const scalarCell = (value: unknown): Cell => {
  if (typeof value !== "number") return scalarText(value);
  // JSON.parse has already lost its last digits.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new NumberTooLong();
  return value;
};

/** The key of a cell: the keys of the enclosing objects, followed by its key. */
const keyOf = (keys: readonly string[]): string => {
  if (keys.some((key) => key.length > FILE_LIMITS.heading)) throw new KeyTooLong();
  const key = keys.join(".");
  if (key.length > FILE_LIMITS.heading) throw new KeyTooLong();
  return key;
};

const addCells = (
  cells: Map<string, Cell>,
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
): void => {
  if (path.length > MAX_DEPTH) throw new TooDeep();
  for (const [key, inner] of Object.entries(value)) {
    const keys = [...path, key];
    if (isObject(inner)) addCells(cells, inner, keys);
    else cells.set(keyOf(keys), Array.isArray(inner) ? inner.map(itemText).join(",") : scalarCell(inner));
  }
};

const UNREADABLE: RowProblem = { code: "row_unreadable", message: "is not an object of JSON" };
const TOO_DEEP: RowProblem = {
  code: "row_unreadable",
  message: `has lists in lists, or objects more than ${MAX_DEPTH} deep`,
};
const LONG_KEY: RowProblem = {
  code: "row_unreadable",
  message: `has a key of more than ${FILE_LIMITS.heading} characters`,
};
const LONG_NUMBER: RowProblem = {
  code: "row_unreadable",
  message: "has a whole number that is too long to be kept exactly; write it as text",
};

/**
 * The cells of a JSON object by their keys. Values in nested objects have keys such as `mileage.value`. A list becomes
 * its items, separated by commas; an object in a list becomes the text that stands for it.
 */
export const jsonCells = (json: string): ReadonlyMap<string, Cell> | RowProblem => {
  try {
    const value: unknown = JSON.parse(json);
    if (!isObject(value)) return UNREADABLE;
    const cells = new Map<string, Cell>();
    addCells(cells, value, []);
    return cells;
  } catch (error) {
    if (error instanceof NumberTooLong) return LONG_NUMBER;
    if (error instanceof KeyTooLong) return LONG_KEY;
    return error instanceof TooDeep ? TOO_DEEP : UNREADABLE;
  }
};
