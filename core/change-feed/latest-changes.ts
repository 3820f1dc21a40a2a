import type { ChangedRecord } from "./change-feed-repository.ts";
import type { FeedItem, RecordKind } from "./changed-record.ts";
import {
  dealerItem,
  type FeedPart,
  type FeedReader,
  type FeedSources,
  imageItem,
  lengthOf,
  MAX_STEPS,
  PAGE_BYTES,
  type Placed,
  STEP,
  vehicleItem,
} from "./feed-part.ts";
import type { Position } from "./feed-place.ts";

/**
 * True if the reader is told of the change. A vehicle's removal says the same of its images. Somebody who sees all dealers is
 * told of a vehicle that moved only where it is now.
 */
const isTold = ({ dealer, kinds }: FeedReader, { kind, state }: ChangedRecord): boolean => {
  const hasMoved = state === "moved" || state === "moved-with-vehicle";
  const isImplied = state === "gone-with-vehicle" || state === "moved-with-vehicle";
  return kinds.has(kind) && !(hasMoved && dealer === null) && !(isImplied && kinds.has("vehicle"));
};

/** Reads what has changed part by part: each record once, as it is now. */
export const latestChanges = ({ records, delivery, pause }: FeedSources) => {
  /** The changed records as they are now. Those that are not there for this reader are removed. */
  const shown = async (
    { dealer }: FeedReader,
    changed: readonly ChangedRecord[],
  ): Promise<readonly Placed<Position>[]> => {
    const idsOf = (kind: RecordKind): number[] => changed.filter((one) => one.kind === kind).map(({ id }) => id);
    const found = new Map<string, FeedItem>();
    const add = (item: FeedItem): void => void found.set(`${item.kind} ${item.id}`, item);
    const [dealers, vehicles, images] = [idsOf("dealer"), idsOf("vehicle"), idsOf("image")];
    if (dealers.length > 0) for (const one of await records.dealers(dealer, dealers)) add(dealerItem(one));
    if (vehicles.length > 0) for (const one of await records.vehicles(dealer, vehicles)) add(vehicleItem(one));
    if (images.length > 0)
      for (const one of await records.images(dealer, images)) add(imageItem(delivery, one, dealer ?? 0));
    return changed.map(({ kind, id, dealer_id, at, position }) => {
      const item = found.get(`${kind} ${id}`);
      return {
        place: position,
        item:
          item === undefined
            ? { kind, op: "remove", id, dealer_id, at, record: null }
            : { ...item, dealer_id: kind === "image" ? dealer_id : item.dealer_id, at },
      };
    });
  };

  /** The next changes until a head, at most `limit`. At the end of all, the place is the head. */
  return async (
    reader: FeedReader,
    { after: begin, until }: { readonly after: Position; readonly until: Position },
    limit: number,
  ): Promise<FeedPart<Position>> => {
    const items: Placed<Position>[] = [];
    let after = begin;
    let length = 0;
    for (let step = 0; step < MAX_STEPS && items.length < limit; step++) {
      if (step > 0) await pause();
      const found = await records.changed(reader.dealer, { after, until, limit: STEP });
      const told = found.filter((one) => isTold(reader, one));
      const placed = await shown(reader, told.slice(0, limit - items.length));
      for (const one of placed) {
        items.push(one);
        length += lengthOf(one.item);
        after = one.place;
        if (length > PAGE_BYTES) return { items, place: after, more: true };
      }
      if (placed.length < told.length) return { items, place: after, more: true };
      if (found.length < STEP) return { items, place: until, more: false };
      after = found.at(-1)?.position ?? after;
    }
    return { items, place: after, more: true };
  };
};
