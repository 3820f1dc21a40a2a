import type { DealerScope } from "../decide.ts";

/**
 * The dealer of a new vehicle, key or user: the dealer of a bound caller, whatever dealer it names; for other callers the
 * one they name, if any.
 */
export const newRecordsBelongToTheCallersDealer = <Asked>(scope: DealerScope, asked: Asked): number | Asked =>
  scope ?? asked;
