import type { DealerScope } from "../decide.ts";

/**
 * The dealer of a new vehicle, key or user. For a bound caller it is always the caller's own; other callers name one,
 * or none.
 */
export const newRecordsBelongToTheCallersDealer = <Asked>(scope: DealerScope, asked: Asked): number | Asked =>
  scope ?? asked;
