import { plainCsvLine, plainTsvLine } from "../csv.ts";
import type { Cell, FeedFormat } from "./channel.ts";
import { CHANNELS } from "./channels.ts";
import type { ChannelName } from "./titles.ts";
import { isEmptyCell } from "./values.ts";

/** How the rows of one file are written. */
export interface FeedFile {
  /** The line of headings with its end; empty where each line has them. */
  readonly heading: string;
  /** The line of a row, with its end. */
  readonly line: (cells: readonly Cell[]) => string;
}

const BREAKS = /[\t\r\n]+/g;

/** Readers of tab-separated files rarely know quotes, so that no cell has what must be quoted but quotes themselves. */
const TABLES = {
  csv: { write: plainCsvLine, text: (text: string) => text },
  tsv: { write: plainTsvLine, text: (text: string) => text.replace(BREAKS, " ") },
} as const;

/** How a channel's rows are written in a form. Lists of a table are joined; of JSON, they are lists. */
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
