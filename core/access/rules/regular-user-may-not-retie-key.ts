import { escalation, type Failure } from "../../failure.ts";
import type { Powers } from "../principal.ts";

/** The dealer and user that a key is tied to. */
interface Ties {
  readonly dealerId: number | null;
  readonly userId: number | null;
}

/** A regular user may not change the dealer or user that a key is tied to. `null` allows. */
export const regularUserMayNotRetieKey = (caller: Pick<Powers, "role">, before: Ties, after: Ties): Failure | null =>
  caller.role === "user" && (after.userId !== before.userId || after.dealerId !== before.dealerId)
    ? escalation("You may not change the dealer or user that a key is tied to")
    : null;
