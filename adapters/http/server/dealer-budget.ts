import type { Principal } from "../../../core/access/principal.ts";
import type { Admission, RateLimiter } from "../../../core/access/rate-limits.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { type Budget, budgetOf } from "../protocol/headers.ts";

const POLICY = "dealer";

/**
 * The limit that all keys of the caller's dealer share, in addition to the limits of each key; `null` if there is none.
 */
export const dealerBudget = ({ dealerId }: Principal, limit: number | null): Budget | null =>
  limit === null || dealerId === null ? null : budgetOf({ subject: `dealer:${dealerId}`, policy: POLICY, limit });

/** True if it is the limit that all keys of a dealer share. */
export const isDealerBudget = ({ policy }: Pick<Budget, "policy">): boolean => policy === POLICY;

/** Of the limits of a request, the one that is closest to being reached, with what remains of it. */
export interface AdmittedBy {
  readonly budget: Budget;
  readonly admission: Admission;
}

/**
 * Counts a request against the shared limit, after the caller's own limit has admitted it. If the shared limit refuses
 * it, it is no longer counted against the caller's own: a refused request counts nowhere.
 */
export const takeShared = (limiter: RateLimiter, own: AdmittedBy, shared: Budget): MaybePromise<AdmittedBy> =>
  andThen(limiter.take(shared.subject, shared.limit), (second): AdmittedBy => {
    if (!second.admitted) limiter.giveBack(own.budget.subject);
    return !second.admitted || second.remaining < own.admission.remaining ? { budget: shared, admission: second } : own;
  });
