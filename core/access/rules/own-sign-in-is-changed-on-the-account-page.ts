import { Failure } from "../../failure.ts";
import type { Powers } from "../principal.ts";

/**
 * Nobody changes how they sign in through the endpoints for other users, because a stolen session or key could then
 * take over the account. The account page is for that, and asks for the current password. `null` allows.
 */
export const ownSignInIsChangedOnTheAccountPage = (caller: Powers, userId: number): Failure | null =>
  caller.userId === userId ? new Failure({ kind: "own-account" }) : null;

/** The same rule for the email address, which is a field of the user. `null` allows. */
export const ownEmailIsChangedOnTheAccountPage = (
  caller: Powers,
  before: { readonly id: number; readonly email: string },
  after: { readonly email: string },
): Failure | null => (after.email === before.email ? null : ownSignInIsChangedOnTheAccountPage(caller, before.id));
