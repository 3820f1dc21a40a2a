import { escalation, type Failure } from "../../failure.ts";
import { ROLES, type Role } from "../../permissions.ts";
import type { Powers } from "../principal.ts";

/** Users cannot raise their own role. Others can. `null` allows. */
export const nobodyRaisesTheirOwnRole = (
  caller: Pick<Powers, "userId">,
  before: { readonly id: number; readonly role: Role },
  after: { readonly role: Role },
): Failure | null =>
  caller.userId === before.id && ROLES.indexOf(after.role) < ROLES.indexOf(before.role)
    ? escalation("You cannot raise your own role")
    : null;
