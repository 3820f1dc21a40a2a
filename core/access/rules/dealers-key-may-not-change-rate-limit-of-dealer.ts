import { escalation, type Failure } from "../../failure.ts";
import type { DealerScope } from "../decide.ts";

type Limit = { readonly rate_limit: number | null };

/**
 * A caller that is bound to a dealer cannot change the limit that the dealer's keys share, but may send the current one:
 * the limit protects the others from the dealer. `null` allows.
 */
export const dealersKeyMayNotChangeRateLimitOfDealer = (
  scope: DealerScope,
  before: Limit,
  after: Limit,
): Failure | null =>
  scope === null || after.rate_limit === before.rate_limit
    ? null
    : escalation("You may not change `rate_limit` of a dealer that you are bound to");
