import type { Timestamp } from "../../core/clock.ts";

/** Control characters could move the cursor or colour the terminal; marks of direction could hide what a name says. */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const GAP = "  ";

/** What is shown for an empty field. */
export const NONE = "-";

/** Text from a record, safe to show on a terminal. */
export const shown = (text: string): string => text.replaceAll(UNPRINTABLE, "\u{fffd}");

/** A time in UTC, to the minute. */
export const minuteOf = (time: Timestamp | null): string =>
  time === null ? NONE : `${time.slice(0, 10)} ${time.slice(11, 16)}`;

/** Rows whose columns are as wide as their widest cells. Every cell is shown in full. */
export const aligned = (rows: readonly (readonly string[])[]): string => {
  const lines = rows.map((row) => row.map(shown));
  const widths: number[] = [];
  for (const line of lines)
    for (const [column, cell] of line.entries()) widths[column] = Math.max(widths[column] ?? 0, Bun.stringWidth(cell));
  const padded = (cell: string, column: number): string =>
    cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell));
  return lines.map((line) => line.map(padded).join(GAP).trimEnd()).join("\n");
};

/** A column of a table of records: its heading, and what stands in it. */
export type Column<Item> = readonly [heading: string, cell: (item: Item) => string];

/** Records for people to read, a line each under the headings. */
export const table = <Item>(columns: readonly Column<Item>[], items: readonly Item[]): string =>
  aligned([columns.map(([heading]) => heading), ...items.map((item) => columns.map(([, cell]) => cell(item)))]);
