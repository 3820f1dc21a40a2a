/** What a cell says: a value, perhaps with a warning; nothing; or something that is no value of its field. */
export type Reading<Value = unknown> =
  | { readonly kind: "value"; readonly value: Value; readonly warning?: Fault }
  | { readonly kind: "empty" }
  | ({ readonly kind: "invalid" } & Fault);

/** What is wrong or odd with a cell: a code, and the words after its heading. */
export interface Fault {
  readonly code: string;
  readonly message: string;
}

/** How numbers are written: by a decimal point, by a decimal comma, or as each number shows. */
export const DECIMALS = ["auto", "point", "comma"] as const;
export type Decimal = (typeof DECIMALS)[number];

/** A cell that says nothing. */
export const EMPTY_CELL = { kind: "empty" } as const;

/** A cell that says this. */
export const valueRead = <Value>(value: Value, warning?: Fault): Reading<Value> =>
  warning === undefined ? { kind: "value", value } : { kind: "value", value, warning };

/** A cell that is no value of its field. */
export const invalidCell = (code: string, message: string): Reading<never> => ({ kind: "invalid", code, message });

/** Texts that are longer are no numbers, dates or words. */
const LONGEST = 60;

/** The text of a cell as an error shows it. */
export const quoted = (text: string): string =>
  `"${text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text}"`;

/** True for a text that is too long for a number, a date or a word. */
export const isLong = (text: string): boolean => text.length > LONGEST;
