/** The most that is kept for one holder: the answers to all keys of a dealer, or to one key of none. */
export interface KeptShare {
  readonly answers: number;
  readonly bytes: number;
}

/** A holder is looked at again when it has added this part of its share. */
const PART = 1 / 16;

/**
 * Knows whose answers may have become too many. Nothing is counted while a request is answered: a holder is looked at once
 * it has added a part of its share, or when it has added anything and time has passed.
 */
export const keptShares = (share: KeptShare) => {
  const added = new Map<string, { answers: number; bytes: number }>();
  return {
    /** Notes an answer that was kept. True if its holder should be looked at soon. */
    add(holder: string, bytes: number): boolean {
      const sum = added.get(holder) ?? { answers: 0, bytes: 0 };
      sum.answers++;
      sum.bytes += bytes;
      added.set(holder, sum);
      return sum.answers >= share.answers * PART || sum.bytes >= share.bytes * PART;
    },
    /** The holders that have added anything since this was asked last. */
    take(): readonly string[] {
      const holders = [...added.keys()];
      added.clear();
      return holders;
    },
  };
};
