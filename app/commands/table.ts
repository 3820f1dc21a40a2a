import type { Timestamp } from "../../core/clock.ts";

/**
 * Characters that are not printed: control characters, which could move the cursor or colour the terminal, and
 * direction marks, which could disguise a name.
 */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const GAP = "  ";

/** The text for an empty field. */
export const NONE = "-";

/** Text of a record in a form that is safe to show on a terminal. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, "\u{fffd}");

/** A time in UTC, without seconds. */
export const minuteOf = (time: Timestamp | null): string =>
  time === null ? NONE : `${time.slice(0, 10)} ${time.slice(11, 16)}`;

/** Aligns rows: each column is as wide as its widest cell. Every cell is shown in full. */
export const aligned = (rows: readonly (readonly string[])[]): string => {
  const lines = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const line of lines)
    for (const [column, cell] of line.entries()) widths[column] = Math.max(widths[column] ?? 0, Bun.stringWidth(cell));
  const padded = (cell: string, column: number): string =>
    cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell));
  return lines.map((line) => line.map(padded).join(GAP).trimEnd()).join("\n");
};

/** A column of a table: its heading, and the text of a cell. */
export type Column<Item> = readonly [heading: string, cell: (item: Item) => string];

/** A table for people. Below the headings, there is a line for each record. */
export const table = <Item>(columns: readonly Column<Item>[], items: readonly Item[]): string =>
  aligned([columns.map(([heading]) => heading), ...items.map((item) => columns.map(([, cell]) => cell(item)))]);

/** A number of things, such as `1 vehicle` or `2 vehicles`. */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
