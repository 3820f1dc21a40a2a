import { Failure } from "../../failure.ts";
import type { Powers } from "../principal.ts";

/**
 * Nobody changes their own sign-in the way they change another's: a stolen session or key could then keep the account.
 * The account's page does it, and asks for the present password. `null` allows.
 */
export const ownSignInIsChangedOnTheAccountPage = (caller: Powers, userId: number): Failure | null =>
  caller.userId === userId ? new Failure({ kind: "own-account" }) : null;

/** The same for the email address, which is part of the record. `null` allows. */
export const ownEmailIsChangedOnTheAccountPage = (
  caller: Powers,
  before: { readonly id: number; readonly email: string },
  after: { readonly email: string },
): Failure | null => (after.email === before.email ? null : ownSignInIsChangedOnTheAccountPage(caller, before.id));
