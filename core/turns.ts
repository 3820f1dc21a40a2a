import type { Principal } from "./access/principal.ts";

/** The dealer of a caller; a caller without one counts for themselves. */
export const partyOf = ({ dealerId, userId, keyId }: Pick<Principal, "dealerId" | "userId" | "keyId">): string =>
  dealerId !== null ? `dealer ${dealerId}` : userId !== null ? `user ${userId}` : `key ${keyId}`;

/** Runs a piece of work when its turn comes; a failure is the work's own. */
export type InTurn = <Result>(party: string, work: () => Promise<Result>) => Promise<Result>;

/** A request that work is done for. */
export interface PendingRequest {
  /** True once nobody waits for what comes of the work. */
  isOver(): boolean;
  /** The error of work that is not begun for that reason. */
  timeOver(): Error;
}

/** The request that is being worked on, if there is one. */
export type CurrentRequest = () => PendingRequest | undefined;

/** So many parties are remembered. Whoever is forgotten had their last turn before these, and comes first again. */
const MAX_REMEMBERED = 1000;

interface Waiter {
  readonly party: string;
  readonly request: PendingRequest | undefined;
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Lets `atOnce` pieces of work run at a time, and one of each party. Of the others the next is that of the party whose
 * last turn is longest ago, however many a party has waiting; among equals, the one that came first. What nobody waits
 * for any more is not begun.
 */
export const fairTurns = (atOnce: number, current: CurrentRequest = () => undefined): InTurn => {
  const underWay = new Set<string>();
  const lastTurns = new Map<string, number>();
  let begun = 0;
  let waiting: Waiter[] = [];
  const mayEnter = (party: string): boolean => underWay.size < atOnce && !underWay.has(party);
  const lastOf = ({ party }: Waiter): number => lastTurns.get(party) ?? 0;

  const begin = (party: string): void => {
    underWay.add(party);
    // Put behind all others: the map is in the order of the turns.
    lastTurns.delete(party);
    lastTurns.set(party, ++begun);
    const oldest = lastTurns.size > MAX_REMEMBERED ? lastTurns.keys().next().value : undefined;
    if (oldest !== undefined) lastTurns.delete(oldest);
  };

  const letNextEnter = (): void => {
    const heard: Waiter[] = [];
    for (const one of waiting)
      if (one.request?.isOver() === true) one.refuse(one.request.timeOver());
      else heard.push(one);
    const [next] = heard.filter(({ party }) => mayEnter(party)).sort((one, other) => lastOf(one) - lastOf(other));
    waiting = heard.filter((one) => one !== next);
    if (next === undefined) return;
    begin(next.party);
    next.enter();
  };

  return async (party, work) => {
    if (mayEnter(party)) begin(party);
    else await new Promise<void>((enter, refuse) => void waiting.push({ party, request: current(), enter, refuse }));
    try {
      return await work();
    } finally {
      underWay.delete(party);
      letNextEnter();
    }
  };
};
