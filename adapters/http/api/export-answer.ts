import type { ExportFile, ExportFormat } from "../../../core/export/export-file.ts";
import type { Slice } from "../../../core/long-items.ts";
import { ExportBody } from "../protocol/long-body.ts";
import { type Answer, ok } from "../protocol/route.ts";
import { fileHeaders } from "./answers.ts";

/** The media type of each format. */
const MEDIA_TYPES = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  ndjson: "application/x-ndjson",
} as const satisfies Record<ExportFormat, string>;

/** The media types of an export, beginning with the default. */
export const EXPORT_TYPES = Object.values(MEDIA_TYPES);

/** The part of descriptions that says what ends an export early. */
export const EXPORT_END_NOTE =
  "A caller has one export at a time, for 15 minutes at most: then, or if the right to it ends, or if it is read at less than 64 KiB a second once 30 seconds of waiting are over, the connection is closed without the end of the file.";

/** The part of descriptions that is the same for all exports of records that no import reads. */
export const RECORD_EXPORT_NOTE = `What the list finds with the same filters, newest first and without pages, all as it was when the export began; \`X-Total-Count\` is how many the filters found when it was asked for. A table has a first line of names; what is not there is empty. In \`ndjson\` each line is a record as the list answers it. ${EXPORT_END_NOTE}`;

/** A file whose lines are generated while it is sent. */
interface ExportedFile extends Pick<ExportFile<never>, "format" | "heading"> {
  /** The lines, with their line ends. */
  readonly lines: Iterable<Slice<string>>;
  /** The number of records, if the answer has it. */
  readonly total?: number;
}

/** The answer that contains an export as a file called `name`. */
export const exportAnswer = (name: string, { format, heading, lines, total }: ExportedFile): Answer =>
  ok(new ExportBody(lines, { start: heading, end: "", separator: "" }), {
    headers: {
      ...fileHeaders(MEDIA_TYPES[format], `${name}.${format}`),
      ...(total !== undefined && { "x-total-count": String(total) }),
    },
  });
