import { escalation, type Failure } from "../../failure.ts";
import type { UserTraits } from "../authority.ts";
import type { Powers } from "../principal.ts";

/**
 * A key is tied only to a user whose keys the caller manages: one that the caller sees (`null` for others); for a regular
 * user, only themselves. `null` allows.
 */
export const callerMustManageUserOfKey = (
  caller: Pick<Powers, "role" | "userId">,
  userId: number,
  user: UserTraits | null,
): Failure | null =>
  user === null || (caller.role === "user" && caller.userId !== userId)
    ? escalation("You may not manage keys of this user")
    : null;
