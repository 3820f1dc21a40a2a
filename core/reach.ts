import type { Failure, Outcome } from "./failure.ts";
import { after, type Later } from "./later.ts";

// Each round is lost only to somebody else's change that came in between.
const ROUNDS = 1000;

/**
 * Runs a statement that touches a record only within the caller's scope, until it hits or its miss has a reason. The
 * reason is asked for after the miss: when there is none any more, the record has come back into reach meanwhile.
 */
export const hitOrReason = <Value>(
  attempt: () => Later<Value | null>,
  reason: () => Later<Failure | null>,
  rounds = ROUNDS,
): Later<Outcome<Value>> =>
  after(attempt(), (hit) => {
    if (hit !== null) return hit;
    if (rounds === 0) throw new Error("a record kept changing hands while it was asked for");
    return after(reason(), (why): Later<Outcome<Value>> => why ?? hitOrReason(attempt, reason, rounds - 1));
  });
