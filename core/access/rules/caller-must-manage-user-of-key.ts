import { escalation, type Failure } from "../../failure.ts";
import type { UserTraits } from "../authority.ts";
import type { Powers } from "../principal.ts";

/**
 * A key may be tied only to a user whose keys the caller manages. Regular users manage only their own keys. `user` is
 * `null` if the caller cannot see the user. `null` allows.
 */
export const callerMustManageUserOfKey = (
  caller: Pick<Powers, "role" | "userId">,
  userId: number,
  user: UserTraits | null,
): Failure | null =>
  user === null || (caller.role === "user" && caller.userId !== userId)
    ? escalation("You may not manage keys of this user")
    : null;
