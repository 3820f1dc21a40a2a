import { withRowWarnings } from "../../../core/imports/file-warnings.ts";
import { headingOf } from "../../../core/imports/headings/columns.ts";
import type { StoredImport } from "../../../core/imports/import-repository.ts";
import type { StoredResult } from "../imports/stored.ts";
import type { Tx } from "../query/database.ts";

const MAX_ADDRESS = 300;

/** A photo that could not be fetched, and the row that names it. */
interface FailedPhoto {
  readonly place: number;
  readonly address: string;
  readonly problem: string;
}

/** Warns of a photo in the result of its row and in the import, within a step that has locked the import. */
export const warnOfPhoto = async (
  tx: Tx,
  { id, columns, progress }: StoredImport,
  { place, address, problem }: FailedPhoto,
): Promise<void> => {
  const row = await tx
    .selectFrom("import_rows")
    .select("result")
    .where("import_id", "=", id)
    .where("place", "=", place)
    .executeTakeFirst();
  if (row === undefined) return;
  const result = JSON.parse(row.result) as StoredResult;
  const shown = address.length > MAX_ADDRESS ? `${address.slice(0, MAX_ADDRESS).toWellFormed()}…` : address;
  const warning = {
    path: headingOf(columns, "images"),
    code: "photo_not_fetched",
    message: `${shown} stays an address: ${problem}`,
  };
  const warned = JSON.stringify({ ...result, warnings: [...result.warnings, warning] } satisfies StoredResult);
  await tx
    .updateTable("import_rows")
    .set({ result: warned })
    .where("import_id", "=", id)
    .where("place", "=", place)
    .execute();
  const rowWarnings = withRowWarnings(progress.rowWarnings ?? [], [{ line: result.line, warnings: [warning] }]);
  const counts = { ...progress.counts, warnings: progress.counts.warnings + 1 };
  const kept = (progress.kept ?? 0) + Buffer.byteLength(warned) - Buffer.byteLength(row.result);
  await tx
    .updateTable("imports")
    .set({ progress: JSON.stringify({ ...progress, counts, rowWarnings, kept }) })
    .where("id", "=", id)
    .execute();
};
