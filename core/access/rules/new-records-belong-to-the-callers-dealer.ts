import type { DealerScope } from "../decide.ts";

/**
 * The dealer of a new vehicle, key or user. For a bound caller it is always the caller's own; other callers name one,
 * or none.
 */
export const newRecordsBelongToTheCallersDealer = <Asked>(scope: DealerScope, asked: Asked): number | Asked =>
  scope ?? asked;

/** The dealer of a new user: as of any new record, but a super-admin has none, whoever creates them. */
export const newUserBelongsToTheCallersDealer = <Asked>(scope: DealerScope, role: unknown, asked: Asked) =>
  role === "super_admin" ? asked : newRecordsBelongToTheCallersDealer(scope, asked);
