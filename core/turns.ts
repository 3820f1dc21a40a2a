import type { Principal } from "./access/principal.ts";

/** The dealer of a caller; a caller without one counts for themselves. */
export const partyOf = ({ dealerId, userId, keyId }: Pick<Principal, "dealerId" | "userId" | "keyId">): string =>
  dealerId !== null ? `dealer ${dealerId}` : userId !== null ? `user ${userId}` : `key ${keyId}`;

/** Runs a piece of work when its turn comes; a failure is the work's own. */
export type InTurn = <Result>(party: string, work: () => Promise<Result>) => Promise<Result>;

/** The request that a piece of work belongs to. */
export interface PendingRequest {
  /** True once nobody waits for its answer any more. */
  isOver(): boolean;
  /** The error for work that is not begun for that reason. */
  timeOver(): Error;
}

/** Returns the request that is being processed, if there is one. */
export type CurrentRequest = () => PendingRequest | undefined;

/** The number of parties whose last turns are remembered. Any other party had no turn recently, and comes first. */
const MAX_REMEMBERED = 1000;

interface Waiter {
  readonly party: string;
  readonly request: PendingRequest | undefined;
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Runs up to `atOnce` pieces of work at the same time, one per party. The next piece is that of the party whose last turn
 * is the longest ago, however many pieces it has waiting; among equals, the first one that came. Work of abandoned
 * requests is not begun.
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
