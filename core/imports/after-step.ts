import type { Principal } from "../access/principal.ts";
import { missingVehiclesAreRemovedByThoseWhoMayDelete } from "../access/rules/missing-vehicles-are-removed-by-those-who-may-delete.ts";
import { workNeedsItsMakersRights } from "../access/rules/work-needs-its-makers-rights.ts";
import { type ImportError, type ImportOptions, NO_COUNTS } from "./import.ts";
import type { ImportNext, ImportProgress, StoredImport } from "./import-repository.ts";
import { needsConfirmation } from "./missing.ts";

const RIGHTS_LOST: ImportError = {
  code: "rights_lost",
  message: "Whoever asked for the import may not change these vehicles any more; what is done stays",
};
const FILE_ENDED: ImportError = { code: "file_gone", message: "The file ended before its last row; send it again" };
const NO_GOOD_ROW: ImportError = {
  code: "no_good_row",
  message: "No row of the snapshot is good, so that it is not known which vehicles are missing",
};
const rowsFailed = (failed: number): ImportError => ({
  code: "rows_failed",
  message: `${failed} of the rows ${failed === 1 ? "is" : "are"} not good, so that nothing is written`,
});

/** The progress with which an import with these options begins. */
export const firstProgress = ({ dry_run, on_error }: Pick<ImportOptions, "dry_run" | "on_error">): ImportProgress => ({
  pass: dry_run || on_error === "reject" ? "check" : "apply",
  position: null,
  done: 0,
  counts: NO_COUNTS,
  unread: 0,
  there: 0,
  confirmed: null,
  isListed: false,
});

/** The number of rows about vehicles that existed before the import and were unsold. */
export const presentCount = ({ there, counts }: ImportProgress): number => there ?? counts.updated + counts.unchanged;

/** How an import ends that was stopped, or whose importer lost their rights; `null` if it goes on. */
export const endedBeforeStep = (
  { stops, dealerId, options }: Pick<StoredImport, "stops" | "dealerId" | "options">,
  importer: Principal | null,
): ImportNext | null => {
  if (stops) return { state: "cancelled" };
  const mayGoOn =
    workNeedsItsMakersRights(importer, dealerId) &&
    missingVehiclesAreRemovedByThoseWhoMayDelete(importer, options) === null;
  return mayGoOn ? null : { state: "failed", error: RIGHTS_LOST };
};

/** What becomes of an import after the last row of a pass. */
export const afterPass = ({
  progress,
  options,
  found,
}: Pick<StoredImport, "progress" | "options"> & { readonly found: { readonly rows: number } }): ImportNext => {
  const { failed, created, updated, unchanged } = progress.counts;
  if (progress.done !== found.rows) return { state: "failed", error: FILE_ENDED };
  if (options.mode === "snapshot" && created + updated + unchanged === 0)
    return { state: "failed", error: NO_GOOD_ROW };
  if (progress.pass === "check" && !options.dry_run)
    return failed > 0
      ? { state: "failed", error: rowsFailed(failed) }
      : { state: "running", progress: { ...firstProgress(options), pass: "apply" } };
  if (options.mode === "snapshot")
    return { state: "running", progress: { ...progress, pass: "missing", position: null } };
  return { state: options.dry_run ? "previewed" : "completed" };
};

/**
 * What becomes of an import whose missing vehicles are stored. `missing` is their number; `null` if it is unknown which
 * ones are missing.
 */
export const afterListing = (
  { progress, options, stops }: Pick<StoredImport, "progress" | "options" | "stops">,
  missing: number | null,
): ImportNext => {
  const counts = { ...progress.counts, missing };
  const listed = { ...progress, counts, isListed: true };
  if (stops) return { state: "cancelled" };
  if (options.dry_run) return { state: "previewed", progress: { ...progress, counts } };
  if (options.missing === "report") return { state: "completed", progress: listed };
  const count = missing ?? 0;
  const isUnconfirmed =
    progress.confirmed === null
      ? needsConfirmation(count, presentCount(progress), options)
      : count !== progress.confirmed;
  return isUnconfirmed
    ? { state: "needs_confirmation", progress: { ...progress, counts, confirmed: null } }
    : { state: "running", progress: listed };
};
