import type { OwnColumns } from "../../../core/imports/headings/columns.ts";
import type { Import } from "../../../core/imports/import.ts";
import type { OwnValues } from "../../../core/imports/values/own-values.ts";
import { sendFile } from "../api/client.ts";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { mediaTypeOf } from "./first-rows.ts";
import { type FileDraft, queryOf } from "./import-draft.ts";

/** What somebody said of the columns and the words of a file. */
interface Taught {
  readonly columns: OwnColumns;
  readonly values: OwnValues;
}

/** Sends a file for a check, which changes nothing. */
export const checkFile = async (file: File, draft: FileDraft, taught: Taught): Promise<Import> => {
  // The browser cannot send a file that was changed after it was chosen.
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => throwIfIssues([{ path: "", message: "The file was changed or moved. Choose it again." }]));
  const typed = new File([file], file.name, { type: mediaTypeOf(file.name) });
  return sendFile<Import>("/imports", queryOf(draft, taught), typed);
};
