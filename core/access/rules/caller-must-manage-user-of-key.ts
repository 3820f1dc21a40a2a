import { escalation, type Failure } from "../../failure.ts";
import type { UserTraits } from "../authority.ts";
import type { Powers } from "../principal.ts";

/**
 * A key may be tied only to a user whose keys the caller manages. `user` is `null` if the caller does not see the user;
 * regular users manage only their own keys. `null` allows.
 */
export const callerMustManageUserOfKey = (
  caller: Pick<Powers, "role" | "userId">,
  userId: number,
  user: UserTraits | null,
): Failure | null =>
  user === null || (caller.role === "user" && caller.userId !== userId)
    ? escalation("You may not manage keys of this user")
    : null;
