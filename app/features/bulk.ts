import { batchRoutes } from "../../adapters/http/api/batch.ts";
import { bulkRoutes } from "../../adapters/http/api/bulk.ts";
import { makeBulk } from "../../core/bulk/bulk.ts";
import { makeBatches } from "../../core/imports/batch.ts";
import type { Vehicles } from "../../core/vehicles/vehicles.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** Changes of many vehicles in one request: the same change of all, or a record for each. */
export const wireBulk = (shared: Shared, { list }: Vehicles) => {
  const { storage, settings, clock, maxMs, pause, isUnavailable } = shared;
  const { holdsOthersUp } = shared.transactions;
  const timed = { storage, settings, clock, maxMs, holdsOthersUp, pause, isUnavailable };
  const { vehicles, lots, dealers } = shared;
  const bulk = makeBulk({ vehicles, lots, list, dealers, ...timed });
  const batches = makeBatches({ work: shared.rowWork, images: shared.imageRules, ...timed });
  return { uses: { bulk, batches }, routes: () => [...bulkRoutes(bulk), ...batchRoutes(batches)] } satisfies Feature;
};
