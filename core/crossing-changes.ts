import type { Failure, Outcome } from "./failure.ts";
import { andThen, type MaybePromise } from "./maybe-promise.ts";

// A round fails only if somebody else changes the record at the same time.
const ROUNDS = 1000;

/**
 * Reads a record, decides and changes it, again and again until it succeeds. `attempt` must return `null` if somebody
 * else has changed the record since it was read.
 */
export const retryOnConflict = async <Result>(attempt: () => Promise<Result | null>): Promise<Result> => {
  for (let round = 0; round < ROUNDS; round++) {
    const result = await attempt();
    if (result !== null) return result;
  }
  throw new Error("a record kept changing while it was being changed");
};

/**
 * Runs a statement that is limited to the caller's scope. If it finds no record, `reason` explains why. If `reason`
 * returns `null`, the record has come into the scope meanwhile, and the statement runs again.
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
