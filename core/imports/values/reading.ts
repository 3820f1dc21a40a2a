/** The content of a cell: a value, which may have a warning; nothing; or something that is not valid for the field. */
export type CellReading<Value = unknown> =
  | { readonly kind: "value"; readonly value: Value; readonly warning?: CellFault }
  | { readonly kind: "empty" }
  | ({ readonly kind: "invalid" } & CellFault);

/** What is wrong or unusual with a cell: a code, and a message that follows the heading. */
export interface CellFault {
  readonly code: string;
  readonly message: string;
}

/** How numbers are written: with a decimal point, with a decimal comma, or decided for each number. */
export const DECIMALS = ["auto", "point", "comma"] as const;
export type Decimal = (typeof DECIMALS)[number];

/** A cell without a value. */
export const EMPTY_CELL = { kind: "empty" } as const;

/** A cell with this value. */
export const valueRead = <Value>(value: Value, warning?: CellFault): CellReading<Value> =>
  warning === undefined ? { kind: "value", value } : { kind: "value", value, warning };

/** A cell that is not valid for its field. */
export const invalidCell = (code: string, message: string): CellReading<never> => ({ kind: "invalid", code, message });

/** The maximum length of a number, a date or a word. */
const MAX_LENGTH = 60;

/** The text of a cell as an error message quotes it. */
export const quoted = (text: string): string =>
  `"${text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}…` : text}"`;

/** True for a text that is too long for a number, a date or a word. */
export const isTooLong = (text: string): boolean => text.length > MAX_LENGTH;

const FORMULA_START = '="';
const FORMULA_OF_TEXT = /^="([^"]*)"$/;
/** The maximum length of such a formula. */
const MAX_FORMULA = 100;

/** The text of a cell in the form with which spreadsheets keep texts as they are, such as the zeros of `="00123"`. */
export const withoutFormula = <Content>(cell: Content): Content | string => {
  if (typeof cell !== "string" || cell.length > MAX_FORMULA || !cell.includes(FORMULA_START)) return cell;
  return FORMULA_OF_TEXT.exec(cell.trim())?.[1] ?? cell;
};
