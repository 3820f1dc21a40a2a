import type { StoredRow, WaitingPhoto } from "./import-repository.ts";
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
