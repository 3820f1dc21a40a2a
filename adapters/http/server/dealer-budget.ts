import type { Principal } from "../../../core/access/principal.ts";
import type { Admission, RateLimiter } from "../../../core/access/rate-limits.ts";
import type { SteadyClock } from "../../../core/clock.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { type Budget, budgetOf } from "../protocol/headers.ts";

const POLICY = "dealer";

/** By default, the keys of a dealer may together send as much as ten of the largest, and at least this much. */
const DEFAULT_KEYS = 10;
const LEAST_DEFAULT = 1000;
/** How long the limit of a key counts after its last request. */
const REMEMBERED_MS = 60 * 60 * 1000;

/** The limit of a dealer. Unless it is `fixed`, it follows the largest key that was used lately. */
interface DealerLimit {
  readonly fixed: number | null;
  readonly largest: number;
  readonly budget: Budget;
  usedAtMs: number;
}

/** Strangers use public keys, as much as they like: what they use up is not missing in the dealer's own programs. */
const PUBLIC = " public";

const sharedBudget = (keys: string, limit: number): Budget =>
  budgetOf({ subject: `dealer:${keys}`, policy: POLICY, limit });

/**
 * Finds the limit that all keys of the caller's dealer share, in addition to the limits of each key; `null` for callers
 * without a dealer. A dealer's own limit goes before `limit`, which is that of every other one. Without either, it is ten times that of the largest key in use, so that many keys do not
 * multiply what a dealer may send. Its public keys share another limit of that kind. The same object is returned while
 * the limit stays the same.
 */
export const dealerBudgets = (limit: number | null, clock: SteadyClock): ((principal: Principal) => Budget | null) => {
  const limits = new Map<number, DealerLimit>();
  const publicLimits = new Map<number, DealerLimit>();
  /** True if what is known of a dealer still holds for a request of a key with this limit. */
  const holds = (known: DealerLimit, rateLimit: number): boolean => {
    if (known.fixed !== null || known.largest === rateLimit) return true;
    return rateLimit < known.largest && clock.steadyMs() - known.usedAtMs < REMEMBERED_MS;
  };
  return ({ dealerId, rateLimit, dealerRateLimit, isPublic = false }) => {
    if (dealerId === null) return null;
    const fixed = dealerRateLimit ?? limit;
    const ofKind = isPublic ? publicLimits : limits;
    const known = ofKind.get(dealerId);
    if (known !== undefined && known.fixed === fixed && holds(known, rateLimit)) {
      if (fixed === null && known.largest === rateLimit) known.usedAtMs = clock.steadyMs();
      return known.budget;
    }
    const present = fixed ?? Math.max(LEAST_DEFAULT, DEFAULT_KEYS * rateLimit);
    const budget = sharedBudget(`${dealerId}${isPublic ? PUBLIC : ""}`, present);
    const made = { fixed, largest: rateLimit, budget, usedAtMs: clock.steadyMs() };
    ofKind.set(dealerId, made);
    return made.budget;
  };
};

/** True if it is the limit that all keys of a dealer share. */
export const isDealerBudget = ({ policy }: Pick<Budget, "policy">): boolean => policy === POLICY;

/** Of the limits of a request, the one that is closest to being reached, with what remains of it. */
export interface AdmittedBy {
  readonly budget: Budget;
  readonly admission: Admission;
}

/**
 * Counts a request against a limit and all limits that it shares. If one of them refuses the request, it is no longer
 * counted against the others: a refused request counts nowhere.
 */
export const takeAll = (limiter: RateLimiter, budget: Budget): MaybePromise<AdmittedBy> =>
  andThen(limiter.take(budget.subject, budget.limit), (admission): MaybePromise<AdmittedBy> => {
    const own = { budget, admission };
    if (budget.shared === null || !admission.admitted) return own;
    return andThen(takeAll(limiter, budget.shared), (shared): AdmittedBy => {
      if (!shared.admission.admitted) limiter.giveBack(budget.subject);
      return !shared.admission.admitted || shared.admission.remaining < admission.remaining ? shared : own;
    });
  });
