import type { Failure, Outcome } from "./failure.ts";

// Each round is lost only to somebody else's change that came in between.
const ROUNDS = 1000;

/**
 * Runs a statement that touches a record only within the caller's scope, until it hits or its miss has a reason. The
 * reason is asked for after the miss: when there is none any more, the record has come back into reach meanwhile.
 */
export const hitOrReason = async <Value>(
  attempt: () => Promise<Value | null>,
  reason: () => Promise<Failure | null>,
): Promise<Outcome<Value>> => {
  for (let round = 0; round < ROUNDS; round++) {
    const hit = await attempt();
    if (hit !== null) return hit;
    const why = await reason();
    if (why !== null) return why;
  }
  throw new Error("a record kept changing hands while it was asked for");
};
