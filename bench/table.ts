/** A Markdown table. The first `words` columns contain words, the others contain numbers. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[], words = 2): string => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column < words ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => (column < words ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
};

/** A ratio as text. */
export const times = (ratio: number): string => (Number.isNaN(ratio) ? "–" : `${ratio.toFixed(2)}×`);
