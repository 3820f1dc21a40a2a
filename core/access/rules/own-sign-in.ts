import { escalation, Failure } from "../../failure.ts";
import { ROLES, type Role } from "../permissions.ts";
import type { Principal } from "../principal.ts";

/** What of a user decides who they are at sign-in, and what they are. */
interface SignInFields {
  readonly email: string;
  readonly role: Role;
}

/** From the one who may most to the one who may least. */
const rankOf = (role: Role): number => ROLES.indexOf(role);

/**
 * Nobody changes their own sign-in the way they change another's: whoever holds their session or key could then keep
 * the account. The own account's page does it, and asks for the present password. `null` allows.
 */
export const refuseOwnSignIn = (principal: Principal, userId: number): Failure | null =>
  principal.userId === userId ? new Failure({ kind: "own-account" }) : null;

/** Of one's own record, the address is the own account's, and one's role is raised by others. `null` allows. */
export const refuseOwnChange = (
  principal: Principal,
  userId: number,
  before: SignInFields,
  after: SignInFields,
): Failure | null => {
  if (principal.userId !== userId) return null;
  if (after.email !== before.email) return new Failure({ kind: "own-account" });
  return rankOf(after.role) < rankOf(before.role) ? escalation("Nobody raises their own role") : null;
};
