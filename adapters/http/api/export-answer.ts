import { EXPORT_FORMATS } from "../../../core/export/export-file.ts";
import type { VehicleFormat } from "../../../core/export/vehicle-file.ts";
import type { Slice } from "../../../core/long-items.ts";
import { ExportBody } from "../protocol/long-body.ts";
import { packedSheet } from "../protocol/packed-sheet.ts";
import { type Answer, ok } from "../protocol/route.ts";
import { fileHeaders } from "./answers.ts";

/** The media type of each format. */
const MEDIA_TYPES = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  ndjson: "application/x-ndjson",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
} as const satisfies Record<VehicleFormat, string>;

/** The media types of an export of vehicles, beginning with the default. */
export const VEHICLE_TYPES = Object.values(MEDIA_TYPES);

/** The same for exports of other records. */
export const EXPORT_TYPES = EXPORT_FORMATS.map((format) => MEDIA_TYPES[format]);

/** The part of descriptions that says what ends an export early. */
export const EXPORT_END_NOTE =
  "A caller can have one export at a time. The connection is closed before the end of the file after 15 minutes, if the caller loses the right to the export, or if the file is read at less than 64 KiB a second after 30 seconds of waiting.";

/** The part of descriptions that is the same for all exports of records that no import reads. */
export const RECORD_EXPORT_NOTE = `All records that the list finds with the same filters, newest first, as they were when the export began. \`X-Total-Count\` is the number of records when the export was requested. The first line of a table has the names of the columns; missing values are empty. In \`ndjson\`, each line is a record as the list answers it. ${EXPORT_END_NOTE}`;

/** A file whose lines are generated while it is sent. */
interface ExportedFile {
  readonly format: VehicleFormat;
  readonly heading: string;
  readonly end?: string;
  /** The lines, with their line ends. */
  readonly lines: Iterable<Slice<string>>;
  /** The number of records, if the answer has it. */
  readonly total?: number;
}

/** The answer that contains an export as a file called `name`. */
export const exportAnswer = (name: string, { format, heading, lines, end = "", total }: ExportedFile): Answer => {
  const framing = { start: heading, end, separator: "" };
  const isWorkbook = format === "xlsx";
  return ok(new ExportBody(lines, framing, isWorkbook ? packedSheet(name) : null), {
    headers: {
      ...fileHeaders(MEDIA_TYPES[format], `${name}.${format}`),
      // It is no text.
      ...(isWorkbook && { "content-type": MEDIA_TYPES.xlsx }),
      ...(total !== undefined && { "x-total-count": String(total) }),
    },
  });
};
