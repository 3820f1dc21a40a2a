import { escalation, type Failure } from "../../failure.ts";
import type { DealerScope } from "../decide.ts";

/**
 * A caller that is bound to a dealer cannot activate or deactivate it, but may send the current value. `null` allows.
 */
export const dealersKeyMayNotChangeActiveOfDealer = (
  scope: DealerScope,
  before: { readonly active: 0 | 1 },
  after: { readonly active: 0 | 1 },
): Failure | null =>
  scope === null || after.active === before.active
    ? null
    : escalation("You may not change `active` of a dealer that you are bound to");
