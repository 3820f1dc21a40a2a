import type { Principal } from "./access/principal.ts";

/** The dealer of a caller; a caller without one counts for themselves. */
export const partyOf = ({ dealerId, userId, keyId }: Pick<Principal, "dealerId" | "userId" | "keyId">): string =>
  dealerId !== null ? `dealer ${dealerId}` : userId !== null ? `user ${userId}` : `key ${keyId}`;

/** Runs a piece of work when its turn comes; a failure is the work's own. */
export type InTurn = <Result>(party: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets `atOnce` pieces of work run at a time, and one of each party, so that nobody takes all turns. Others wait in the
 * order in which they came.
 */
export const turns = (atOnce: number): InTurn => {
  const underWay = new Set<string>();
  const waiting: { readonly party: string; readonly enter: () => void }[] = [];
  const mayEnter = (party: string): boolean => underWay.size < atOnce && !underWay.has(party);

  return async (party, work) => {
    if (mayEnter(party)) underWay.add(party);
    else await new Promise<void>((enter) => waiting.push({ party, enter }));
    try {
      return await work();
    } finally {
      underWay.delete(party);
      const next = waiting.findIndex((one) => mayEnter(one.party));
      for (const one of next < 0 ? [] : waiting.splice(next, 1)) {
        underWay.add(one.party);
        one.enter();
      }
    }
  };
};
