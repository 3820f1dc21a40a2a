import { Candidates } from "./candidates.ts";
import type { RowReads } from "./import-repository.ts";
import { comparedKey } from "./matching.ts";
import type { Base } from "./merge.ts";
import { NO_PHOTOS, photosOfBatch } from "./photos-of-addresses.ts";
import { type BatchContext, idsOf, type LoadedBatch, type ReadRow } from "./row-decision.ts";

/** Reads the vehicles that the rows may be about, and locks them, dealer by dealer. */
const vehiclesOfRows = async (
  reads: RowReads,
  rows: readonly ReadRow[],
  { merging = null }: BatchContext,
): Promise<Pick<LoadedBatch, "candidates"> & { readonly idsByDealer: ReadonlyMap<number, readonly number[]> }> => {
  const candidates = new Candidates();
  const idsByDealer = new Map<number, readonly number[]>();
  const byDealer = Map.groupBy(rows, ({ dealerId }) => dealerId);
  for (const dealerId of [...byDealer.keys()].filter((id) => id !== null).sort((one, other) => one - other)) {
    const ofDealer = byDealer.get(dealerId) ?? [];
    const keys = ofDealer.map(({ values }) => comparedKey(values.key));
    const ids = ofDealer.flatMap(({ values }) => idsOf(values, dealerId, merging));
    const vehicles = await reads.vehiclesWith(dealerId, { keys, ids });
    for (const vehicle of vehicles) candidates.add(vehicle);
    if (vehicles.length > 0)
      idsByDealer.set(
        dealerId,
        vehicles.map(({ id }) => id),
      );
  }
  return { candidates, idsByDealer };
};

/** Reads what the rows of a batch are decided by. */
export const readBatch = async (
  reads: RowReads,
  rows: readonly ReadRow[],
  context: BatchContext,
): Promise<LoadedBatch> => {
  const { merging = null } = context;
  const { candidates, idsByDealer } = await vehiclesOfRows(reads, rows, context);
  const vehicleIds = [...idsByDealer.values()].flat();
  const isAsked = rows.some(({ values }) => values.images !== null) && vehicleIds.length > 0;
  const images = isAsked ? await reads.imagesOf(vehicleIds) : new Map();
  const namesSoldPrices = rows.some(({ values }) => (values.fields.sold_price ?? null) !== null);
  const soldPrices = namesSoldPrices && vehicleIds.length > 0 ? await reads.soldPricesOf(vehicleIds) : new Map();
  const bases = new Map<number, Base>();
  if (merging !== null)
    for (const [dealerId, ids] of idsByDealer)
      for (const [id, base] of await reads.basesOf(merging.source, { dealerId, vehicleIds: ids })) bases.set(id, base);
  const dealerOf = new Map([...idsByDealer].flatMap(([dealer, ids]) => ids.map((id) => [id, dealer] as const)));
  const photoOf =
    context.knowsPhotos === true
      ? await photosOfBatch(reads, { rows, bases, dealerOf: (id) => dealerOf.get(id) })
      : NO_PHOTOS;
  const dealers = new Set<number>();
  for (const id of new Set(rows.flatMap(({ dealerId }) => dealerId ?? [])))
    if (await reads.hasDealer(id)) dealers.add(id);
  return { ...context, candidates, images, soldPrices, bases, newBases: [], photoOf, dealers };
};
