import type { Actor } from "../../../core/access/principal.ts";
import type { Visibility } from "../../../core/access/visibility.ts";
import { visibleActor } from "../../../core/audit/audit-entries-hide-other-dealers.ts";
import { actorOf } from "../../../core/audit/audit-entry.ts";
import { changeIdOfImport } from "../../../core/changes/named-change.ts";
import type { ScannedFile } from "../../../core/imports/file/file.ts";
import { fileWarnings } from "../../../core/imports/file-warnings.ts";
import { headingOf, type ImportColumns } from "../../../core/imports/headings/columns.ts";
import {
  type FetchedImages,
  type Import,
  type ImportFile,
  type ImportRow,
  type ImportState,
  NO_COUNTS,
  NO_IMAGES,
} from "../../../core/imports/import.ts";
import type { ImportProgress, StoredImport } from "../../../core/imports/import-repository.ts";
import { answeredValues } from "../../../core/imports/values/unknown-values.ts";
import { isStorable } from "../../../core/text.ts";
import type { Row } from "../query/tables.ts";

/** The queue of imports whose files name the dealers. */
export const QUEUE_OF_MANY_DEALERS = 0;

/**
 * The progress of an import as it is stored. Headings and cells may have characters that PostgreSQL reads in no JSON: it
 * could not count any more what the dealer keeps, and so take no file of theirs.
 */
export const storedProgress = (progress: ImportProgress): string =>
  JSON.stringify(progress, (_, value: unknown) =>
    typeof value === "string" && !isStorable(value) ? value.replaceAll("\0", "\uFFFD").toWellFormed() : value,
  );

/** The columns for the actor of an import. */
const ACTOR_COLUMNS = [
  "actor_key_id",
  "actor_user_id",
  "actor_name",
  "actor_dealer_id",
  "via",
  "address",
  "request_id",
] as const;

const READ_AND_WRITTEN = [
  "created_at",
  "dealer_id",
  "source_id",
  "state",
  "options",
  "file",
  "columns",
  "progress",
  "stops",
  ...ACTOR_COLUMNS,
  "started_at",
  "finished_at",
  "error",
  "photos",
] as const;

/** The columns of a new import. */
export const INSERTED = [...READ_AND_WRITTEN, "file_until", "missing_before"] as const;

/** The columns of an import that are read. */
export const IMPORT_COLUMNS = ["id", ...READ_AND_WRITTEN] as const;
type ImportRecord = Pick<Row<"imports">, (typeof IMPORT_COLUMNS)[number]>;

/** The values of ACTOR_COLUMNS for an actor. */
export const actorColumns = (by: Actor) => ({
  actor_key_id: by.keyId,
  actor_user_id: by.userId,
  actor_name: by.name,
  actor_dealer_id: by.dealerId ?? 0,
  via: by.via,
  address: by.address,
  request_id: by.requestId,
});

const byOf = (row: ImportRecord): Actor => ({
  keyId: row.actor_key_id,
  userId: row.actor_user_id,
  name: row.actor_name,
  dealerId: row.actor_dealer_id || null,
  via: row.via,
  address: row.address,
  requestId: row.request_id,
  authorization: null,
});

const parsed = <Value>(text: string | null): Value => {
  if (text === null) throw new Error("an import whose file has arrived does not know it");
  return JSON.parse(text) as Value;
};

/** A stored file: the fields that are answered, and what was found in its content. */
export interface StoredFile extends ImportFile {
  readonly found: ScannedFile;
}

const fileIn = (row: ImportRecord): { readonly file: ImportFile; readonly found: ScannedFile } => {
  // Earlier versions stored no sheet.
  const { found, sheet = null, ...file } = parsed<Omit<StoredFile, "sheet"> & Partial<StoredFile>>(row.file);
  return { file: { ...file, sheet }, found };
};

/** An import as it is stored. */
export const storedOf = (row: ImportRecord): StoredImport => ({
  id: row.id,
  dealerId: row.dealer_id,
  sourceId: row.source_id,
  state: row.state,
  options: parsed(row.options),
  ...fileIn(row),
  columns: parsed<ImportColumns>(row.columns),
  progress: parsed<ImportProgress>(row.progress),
  images: row.photos === null ? NO_IMAGES : parsed<FetchedImages>(row.photos),
  stops: row.stops === 1,
  by: byOf(row),
  begunAt: row.started_at ?? row.created_at,
});

/** An import as a reader sees it. */
export const answeredOf = (row: ImportRecord, visibility: Visibility): Import => {
  const stored = storedOf(row);
  const { options, file, columns, progress, images, by } = stored;
  const { mode, ...others } = options;
  return {
    id: row.id,
    dealer_id: row.dealer_id,
    state: row.state as ImportState,
    mode,
    options: others,
    file,
    columns: columns.columns,
    warnings: fileWarnings(stored),
    row_warnings: progress.rowWarnings ?? [],
    unknown_values: answeredValues(progress.unknownValues ?? [], (field) => headingOf(columns, field)),
    progress: { read: Math.min(progress.done, file.rows), total: file.rows },
    // An earlier version counted no kept values.
    counts: { ...NO_COUNTS, ...progress.counts },
    images: options.fetch_images === true ? images : null,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    change_id: options.dry_run || row.started_at === null ? null : changeIdOfImport(row.id),
    by: visibleActor(visibility, { actor: actorOf(by), userId: by.userId, dealerId: by.dealerId ?? null }),
    error: row.error === null ? null : parsed(row.error),
  };
};

/** The result of a row, without the parts that have their own columns. */
export type StoredResult = Omit<ImportRow, "outcome" | "vehicle_id" | "kept"> & Partial<Pick<ImportRow, "kept">>;
