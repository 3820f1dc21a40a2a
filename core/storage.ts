import type { Clock, Timestamp } from "./clock.ts";
import { Failure } from "./failure.ts";
import type { MaybePromise } from "./maybe-promise.ts";

const MEBIBYTE = 1024 * 1024;
const DAY_SECONDS = 24 * 60 * 60;

/** What the database keeps for a dealer; `null` stands for imports whose files name the dealers. */
export interface StoredBytes {
  /**
   * The bytes of the files and results of a dealer's imports, and of its audit entries since a moment. Entries are
   * counted rather than read: each counts as 2 KiB, which few exceed.
   */
  of(dealerId: number | null, since: Timestamp): Promise<number>;
  /** The same, which may be a second old. */
  lately(dealerId: number | null, since: Timestamp): MaybePromise<number>;
}

/** What storage is left, and how much of it may be used. */
export interface StorageLimits {
  /** The free space on the disk of the database, as it was a few seconds ago; `null` if it is unknown. */
  readonly freeBytes?: () => number | null;
  /** Below this free space, nothing is taken that would keep much. */
  readonly minFreeMib?: number;
  /** The maximum that may be kept for one dealer. */
  readonly keptMib: number;
}

/** Tells why no more may be kept, or `null` if there is room. */
export interface Storage {
  /** Looks at the disk alone. */
  diskRefusal(): Failure | null;
  /** Reads what is kept now. */
  refusal(dealerId: number | null): Promise<Failure | null>;
  /** The same, for requests that come often: what is kept may be a second old. */
  recentRefusal(dealerId: number | null): MaybePromise<Failure | null>;
}

const FULL = new Failure({
  kind: "storage-full",
  reason:
    "The disk of the database is nearly full, so that imports, batches, bulk changes, photos and lists of images are refused; try again when there is room",
});

const quotaFailure = (mib: number): Failure =>
  new Failure({
    kind: "storage-quota",
    reason: `The files and results of this dealer's imports and its audit log of a day take the ${mib} MiB that they may take: delete imports that are not needed, or have MAX_KEPT_MIB_PER_DEALER raised`,
  });

/** Bounds what is kept: for each dealer, and on the disk. */
export const makeStorage = (
  stored: StoredBytes,
  clock: Pick<Clock, "after">,
  { freeBytes = () => null, minFreeMib = 0, keptMib }: StorageLimits,
): Storage => {
  const isFull = (): boolean => (freeBytes() ?? Number.POSITIVE_INFINITY) < minFreeMib * MEBIBYTE;
  const judged = (bytes: number): Failure | null => (bytes >= keptMib * MEBIBYTE ? quotaFailure(keptMib) : null);
  const since = (): Timestamp => clock.after(-DAY_SECONDS);
  return {
    diskRefusal: () => (isFull() ? FULL : null),
    refusal: async (dealerId) => (isFull() ? FULL : judged(await stored.of(dealerId, since()))),
    recentRefusal: async (dealerId) => (isFull() ? FULL : judged(await stored.lately(dealerId, since()))),
  };
};
