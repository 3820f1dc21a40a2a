import type { Issue } from "../../issues.ts";
import type { DealerScope } from "../decide.ts";

/** What is wrong with a new record if a caller that is not bound to a dealer names none. */
export const DEALER_MISSING: Issue = {
  path: "dealer_id",
  message: "is required: the caller is not bound to a dealer",
};

/** The issue of a body without a `dealer_id` that its caller must send. One that is sent is judged by the schema. */
export const missingDealerIssues = (scope: DealerScope, input: unknown): readonly Issue[] =>
  scope === null && !(typeof input === "object" && input !== null && "dealer_id" in input) ? [DEALER_MISSING] : [];

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
