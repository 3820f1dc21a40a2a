import type { Principal } from "./access/principal.ts";

/** The dealer of a caller; a caller without one counts for themselves. */
export const requesterOf = ({ dealerId, userId, keyId }: Pick<Principal, "dealerId" | "userId" | "keyId">): string =>
  dealerId !== null ? `dealer ${dealerId}` : userId !== null ? `user ${userId}` : `key ${keyId}`;

/** Runs a piece of work when its turn comes; a failure is the work's own. */
export type InTurn = <Result>(requester: string, work: () => Promise<Result>) => Promise<Result>;

/** The request that a piece of work belongs to. */
export interface PendingRequest {
  /** True once nobody waits for its answer any more. */
  isOver(): boolean;
  /** The error for work that is not begun for that reason. */
  timeOver(): Error;
}

/** Returns the request that is being processed, if there is one. */
export type CurrentRequest = () => PendingRequest | undefined;

/**
 * The number of requesters whose last turns are remembered. Any other requester had no turn recently, and comes first.
 */
const MAX_REMEMBERED = 1000;

interface Waiter {
  readonly requester: string;
  readonly request: PendingRequest | undefined;
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Runs up to `atOnce` pieces of work at the same time, one per requester. The next piece is that of the requester whose
 * last turn is the longest ago, however many pieces it has waiting; among equals, the first one that came. Work of
 * abandoned requests is not begun.
 */
export const fairTurns = (atOnce: number, current: CurrentRequest = () => undefined): InTurn => {
  const underWay = new Set<string>();
  const lastTurns = new Map<string, number>();
  let begun = 0;
  let waiting: Waiter[] = [];
  const mayEnter = (requester: string): boolean => underWay.size < atOnce && !underWay.has(requester);
  const lastOf = ({ requester }: Waiter): number => lastTurns.get(requester) ?? 0;

  const begin = (requester: string): void => {
    underWay.add(requester);
    // Put behind all others: the map is in the order of the turns.
    lastTurns.delete(requester);
    lastTurns.set(requester, ++begun);
    const oldest = lastTurns.size > MAX_REMEMBERED ? lastTurns.keys().next().value : undefined;
    if (oldest !== undefined) lastTurns.delete(oldest);
  };

  const letNextEnter = (): void => {
    const stillWaiting: Waiter[] = [];
    for (const one of waiting)
      if (one.request?.isOver() === true) one.refuse(one.request.timeOver());
      else stillWaiting.push(one);
    const [next] = stillWaiting
      .filter(({ requester }) => mayEnter(requester))
      .sort((one, other) => lastOf(one) - lastOf(other));
    waiting = stillWaiting.filter((one) => one !== next);
    if (next === undefined) return;
    begin(next.requester);
    next.enter();
  };

  return async (requester, work) => {
    if (mayEnter(requester)) begin(requester);
    else
      await new Promise<void>((enter, refuse) => void waiting.push({ requester, request: current(), enter, refuse }));
    try {
      return await work();
    } finally {
      underWay.delete(requester);
      letNextEnter();
    }
  };
};
