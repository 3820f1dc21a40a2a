import type { DealerScope } from "../decide.ts";

/**
 * The dealer of a new vehicle, key or user. For a bound caller it is always the caller's own dealer. Other callers may
 * name a dealer.
 */
export const newRecordsBelongToTheCallersDealer = <Asked>(scope: DealerScope, asked: Asked): number | Asked =>
  scope ?? asked;

/**
 * The dealer of a new user. The same rule applies, but a super-admin never gets the caller's dealer, because
 * super-admins have no dealer.
 */
export const newUserBelongsToTheCallersDealer = <Asked>(scope: DealerScope, role: unknown, asked: Asked) =>
  role === "super_admin" ? asked : newRecordsBelongToTheCallersDealer(scope, asked);
