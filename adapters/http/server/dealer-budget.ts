import type { Principal } from "../../../core/access/principal.ts";
import type { Admission, RateLimiter } from "../../../core/access/rate-limits.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { type Budget, budgetOf } from "../protocol/headers.ts";

const POLICY = "dealer";

/**
 * The budget that all keys bound to the caller's dealer share, in addition to their own; `null` if there is no such
 * limit.
 */
export const dealerBudget = ({ dealerId }: Principal, limit: number | null): Budget | null =>
  limit === null || dealerId === null ? null : budgetOf({ subject: `dealer:${dealerId}`, policy: POLICY, limit });

/** True for the limit that all keys of a dealer share. */
export const isDealerBudget = ({ policy }: Pick<Budget, "policy">): boolean => policy === POLICY;

/** What remains of the tighter of a request's limits. */
export interface AdmittedBy {
  readonly budget: Budget;
  readonly admission: Admission;
}

/**
 * Counts a request against the shared budget after its own budget has admitted it. If the shared one refuses, the own
 * count is taken back: a refused request counts nowhere.
 */
export const takeShared = (limiter: RateLimiter, own: AdmittedBy, shared: Budget): MaybePromise<AdmittedBy> =>
  andThen(limiter.take(shared.subject, shared.limit), (second): AdmittedBy => {
    if (!second.admitted) limiter.giveBack(own.budget.subject);
    return !second.admitted || second.remaining < own.admission.remaining ? { budget: shared, admission: second } : own;
  });
