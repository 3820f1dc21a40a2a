import type { Principal } from "./principal.ts";

/** The requester that a caller's turns count for: the caller's dealer, or else the caller. */
export const requesterOf = ({ dealerId, userId, keyId }: Pick<Principal, "dealerId" | "userId" | "keyId">): string =>
  dealerId !== null ? `dealer ${dealerId}` : userId !== null ? `user ${userId}` : `key ${keyId}`;

/** Runs a piece of work when it is its turn. It rejects with the error of the work. */
export type InTurn = <Result>(requester: string, work: () => Promise<Result>) => Promise<Result>;

/** The request that a piece of work belongs to. */
export interface PendingRequest {
  /** True if nobody waits for the answer any more. */
  isOver(): boolean;
  /** The error for work that is not started because the request is over. */
  timeOver(): Error;
}

/** Returns the request that is being processed, if any. */
export type CurrentRequest = () => PendingRequest | undefined;

/**
 * The maximum number of requesters whose last turns are remembered. A requester that is not remembered has had no
 * recent turn, and comes first.
 */
const MAX_REMEMBERED = 1000;

interface Waiter {
  readonly requester: string;
  readonly request: PendingRequest | undefined;
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Runs up to `atOnce` pieces of work at the same time, and one for each requester. The next turn goes to the requester
 * whose last turn was the longest ago, however much work it has waiting. If that is equal, the work that came first is
 * next. The work of requests that are over is not started.
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
    // The requester moves to the end of the map, which has the order of the last turns.
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
