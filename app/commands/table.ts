// Control characters could move the cursor or colour the terminal; marks of direction could hide what a name says.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const GAP = "  ";

/** Text from a record, safe to show on a terminal. */
export const shown = (text: string): string => text.replaceAll(UNPRINTABLE, "\u{fffd}");

/** Rows under their headings, each column as wide as its widest cell. Every row is shown in full. */
export const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string => {
  const lines = [headings, ...rows].map((row) => row.map(shown));
  const widths = headings.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, Bun.stringWidth(line[column] ?? "")), 0),
  );
  const padded = (cell: string, column: number): string =>
    cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - Bun.stringWidth(cell)));
  return lines.map((line) => line.map(padded).join(GAP).trimEnd()).join("\n");
};
