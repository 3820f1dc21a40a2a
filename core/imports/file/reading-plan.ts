import { type CharsetDecoder, chooseDecoder, type DecoderWanted } from "./charset-decoder.ts";
import { csvSplitter, tableStartOf } from "./delimited.ts";
import type { Charset, Delimiter, FileFormat } from "./file.ts";
import type { FieldOfHeading } from "./heading-marks.ts";
import { jsonListSplitter, lineSplitter } from "./json.ts";
import type { RecordSplitter } from "./record-splitter.ts";
import type { ReadingPlan } from "./records.ts";

/** What is known about a file before its first bytes are read. */
export interface FileHints {
  readonly format: FileFormat;
  readonly charset: Charset | null;
  readonly delimiter: Delimiter | null;
  /** What cells name if they are headings. It is needed to find the delimiter. */
  readonly fieldOf?: FieldOfHeading;
}

const CHARSET_FALLBACK: Readonly<Record<FileFormat, DecoderWanted["fallback"]>> = {
  csv: "detect",
  tsv: "detect",
  ndjson: "utf-8",
  json: "utf-8",
  xml: "declared",
};

/** True for CSV and TSV. */
export const isDelimited = (format: FileFormat): boolean => format === "csv" || format === "tsv";

const planFromStart = (
  chosen: { decoder: CharsetDecoder; markBytes: number },
  splitter: RecordSplitter,
): ReadingPlan => ({
  ...chosen,
  splitter: () => ({ splitter, from: 0, lines: 0 }),
});

/** How a file is read from its start. `ofElements` splits XML. `onDelimiter` is called with the delimiter of CSV. */
export const readingPlan =
  (
    { format, charset, delimiter, fieldOf = () => null }: FileHints,
    ofElements: RecordSplitter,
    onDelimiter: (delimiter: Delimiter) => void,
  ) =>
  (first: Uint8Array): ReadingPlan => {
    const chosen = chooseDecoder(first, { charset, fallback: CHARSET_FALLBACK[format] });
    if (format === "xml") return planFromStart(chosen, ofElements);
    if (format === "ndjson") return planFromStart(chosen, lineSplitter);
    if (format === "json") return planFromStart(chosen, jsonListSplitter(false));
    const wanted = delimiter ?? (format === "tsv" ? "\t" : null);
    return {
      ...chosen,
      splitter(text, isLastBlock) {
        const start = tableStartOf(text, isLastBlock, { wanted, fieldOf });
        if (start === null) return null;
        onDelimiter(start.delimiter);
        return { splitter: csvSplitter(start.delimiter), from: start.from, lines: start.lines };
      },
    };
  };
