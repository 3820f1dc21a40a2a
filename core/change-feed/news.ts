import type { DealerScope } from "../access/decide.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Position } from "./feed-place.ts";

/** Who waits for something to change. */
export interface Listener {
  /** True while the caller may still do what it could when it was admitted. */
  readonly mayGoOn: () => MaybePromise<boolean>;
  /** Calls `end` if the client goes away. Returns a function that takes this back. */
  readonly onGone: (end: () => void) => () => void;
  /** Waits without counting the time for the request. */
  readonly during?: <Value>(wait: Promise<Value>) => Promise<Value>;
}

/**
 * Why a wait has ended: something may have changed, it took as long as it may, the caller's rights have changed, or the client
 * or the service goes away.
 */
export type WaitEnd = "news" | "late" | "lapsed" | "over";

/** Tells those who wait that something has changed. It costs the same however many wait. */
export interface ChangeNews {
  /** The moment in `seconds`, for `next`. */
  after(seconds: number): number;
  /** True once the service is to stop. */
  isOver(): boolean;
  /** Waits for a change of a dealer's records, or of anybody's, behind the position until which the listener has read. */
  next(
    listener: Listener,
    awaited: { readonly dealer: DealerScope; readonly behind: Position; readonly until: number },
  ): Promise<WaitEnd>;
}
