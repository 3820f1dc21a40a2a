import { plainCsvLine, plainTsvLine } from "../csv.ts";
import type { Cell, FeedFormat } from "./channel.ts";
import { CHANNELS } from "./channels.ts";
import type { ChannelName } from "./titles.ts";
import { isEmptyCell } from "./values.ts";

/** How the lines of a file are written. */
export interface FeedFile {
  /** The line of headings with its line end. It is empty if each line contains the headings. */
  readonly heading: string;
  /** Returns the line of a row, with its line end. */
  readonly line: (cells: readonly Cell[]) => string;
}

const BREAKS = /[\t\r\n]+/g;

/**
 * Programs that read tab-separated files rarely understand quotes. Tabs and line ends, which would need quotes, are
 * therefore replaced by spaces; only quotes themselves are still quoted.
 */
const TABLES = {
  csv: { write: plainCsvLine, text: (text: string) => text },
  tsv: { write: plainTsvLine, text: (text: string) => text.replace(BREAKS, " ") },
} as const;

/** How the rows of a channel are written in a format. Lists are joined in CSV and TSV, and stay lists in JSON. */
export const feedFile = (channel: ChannelName, format: FeedFormat): FeedFile => {
  const { fields, listSeparator } = CHANNELS[channel];
  const headings = fields.map(({ heading }) => heading);
  if (format === "ndjson")
    return {
      heading: "",
      line: (cells) =>
        `${JSON.stringify(
          Object.fromEntries(
            cells.flatMap((cell, index) => (isEmptyCell(cell) ? [] : [[headings[index] ?? "", cell] as const])),
          ),
        )}\n`,
    };
  const { write, text } = TABLES[format];
  const joined = (items: readonly string[]): string =>
    items.map((item) => item.replaceAll(listSeparator, encodeURIComponent(listSeparator))).join(listSeparator);
  const cellOf = (cell: Cell): string | number | null =>
    cell === null || typeof cell === "number" ? cell : text(typeof cell === "string" ? cell : joined(cell));
  return { heading: write(headings), line: (cells) => write(cells.map(cellOf)) };
};
