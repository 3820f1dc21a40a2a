import { workNeedsItsMakersRights } from "../access/rules/work-needs-its-makers-rights.ts";
import { fetchesPhotos } from "./import.ts";
import type { ImportIssue } from "./import-issue.ts";
import type { MendingStep, StoredRow, WaitingPhoto } from "./import-repository.ts";
import type { RowResult } from "./row-decision.ts";

/** The result of a row with its place in the file. */
export type PlacedResult = StoredRow & Pick<RowResult, "elsewhere">;

/** The photos of a row's vehicle that are to be fetched, if the import is to fetch any. */
export const waitingPhotosOf = ({
  place,
  dealerId,
  vehicle_id,
  elsewhere = [],
}: PlacedResult): readonly WaitingPhoto[] =>
  dealerId === null || vehicle_id === null
    ? []
    : [...new Set(elsewhere)].map((address) => ({ place, dealerId, vehicleId: vehicle_id, address }));

/** Says why the photos of mended rows are not fetched; `null` if they are, or were not to be. */
export const photosUnfetched = async (
  { current, importer }: MendingStep,
  path: string,
): Promise<ImportIssue | null> => {
  const { options, state, dealerId } = current;
  if (options.fetch_images !== true) return null;
  const isEnded = !fetchesPhotos(state);
  if (!isEnded && workNeedsItsMakersRights(await importer(), dealerId)) return null;
  const why = isEnded
    ? "the import was stopped"
    : "whoever asked for the import may not change these vehicles any more";
  return { path, code: "photo_not_fetched", message: `stay addresses, as ${why}` };
};

/** A result whose photos stay where they are. */
export const withPhotosLeft = (result: RowResult, warning: ImportIssue): RowResult =>
  (result.elsewhere ?? []).length === 0 ? result : { ...result, warnings: [...result.warnings, warning] };
