import type { Failure, Outcome } from "./failure.ts";
import { andThen, type MaybePromise } from "./maybe-promise.ts";

// Each round is lost only to somebody else's change that came in between.
const ROUNDS = 1000;

/**
 * Reads a record, decides and changes it, as often as it takes: an attempt answers `null` when it found at the change
 * that somebody else had changed the record since it was read.
 */
export const retryOnConflict = async <Result>(attempt: () => Promise<Result | null>): Promise<Result> => {
  for (let round = 0; round < ROUNDS; round++) {
    const result = await attempt();
    if (result !== null) return result;
  }
  throw new Error("a record kept changing while it was being changed");
};

/**
 * Runs a statement that touches a record only within the caller's scope, until it hits or its miss has a reason. The
 * reason is asked for after the miss: when there is none any more, the record has come back into reach meanwhile.
 */
export const findOrExplain = <Value>(
  attempt: () => MaybePromise<Value | null>,
  reason: () => MaybePromise<Failure | null>,
  rounds = ROUNDS,
): MaybePromise<Outcome<Value>> =>
  andThen(attempt(), (hit) => {
    if (hit !== null) return hit;
    if (rounds === 0) throw new Error("a record kept changing hands while it was asked for");
    return andThen(reason(), (why): MaybePromise<Outcome<Value>> => why ?? findOrExplain(attempt, reason, rounds - 1));
  });
