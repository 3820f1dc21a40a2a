import { type Coding, type CodingWish, codingFor } from "./coding.ts";
import { delimitedDivider, openingOf } from "./delimited.ts";
import type { Divider } from "./divider.ts";
import type { Charset, Delimiter, FileFormat } from "./file.ts";
import { lineDivider, listDivider } from "./json.ts";
import type { Opening } from "./records.ts";

/** What is known of a file before its first bytes. */
export interface Wanted {
  readonly format: FileFormat;
  readonly charset: Charset | null;
  readonly delimiter: Delimiter | null;
}

const OTHERWISE: Readonly<Record<FileFormat, CodingWish["otherwise"]>> = {
  csv: "found",
  tsv: "found",
  ndjson: "utf-8",
  json: "utf-8",
  xml: "declared",
};

/** True for a format of lines and delimiters. */
export const isDelimited = (format: FileFormat): boolean => format === "csv" || format === "tsv";

const opened = (coding: { coding: Coding; markBytes: number }, divider: Divider): Opening => ({
  ...coding,
  divider: () => ({ divider, from: 0, lines: 0 }),
});

/** How a file is read from its start; `ofElements` divides XML, and `onDelimiter` learns the delimiter of CSV. */
export const openingFrom =
  ({ format, charset, delimiter }: Wanted, ofElements: Divider, onDelimiter: (delimiter: Delimiter) => void) =>
  (first: Uint8Array): Opening => {
    const coding = codingFor(first, { charset, otherwise: OTHERWISE[format] });
    if (format === "xml") return opened(coding, ofElements);
    if (format === "ndjson") return opened(coding, lineDivider);
    if (format === "json") return opened(coding, listDivider(false));
    const wanted = delimiter ?? (format === "tsv" ? "\t" : null);
    return {
      ...coding,
      divider(text, isLastBlock) {
        const opening = openingOf(text, isLastBlock, wanted);
        if (opening === null) return null;
        onDelimiter(opening.delimiter);
        return { divider: delimitedDivider(opening.delimiter), from: opening.from, lines: opening.lines };
      },
    };
  };
