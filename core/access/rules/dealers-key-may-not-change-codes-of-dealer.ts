import { escalation, type Failure } from "../../failure.ts";
import type { DealerScope } from "../decide.ts";

type Codes = { readonly codes: readonly string[] };

/**
 * A caller that is bound to a dealer cannot change its codes, but may send the current ones: with the code of another
 * dealer it would get that dealer's vehicles from a file for several dealers. `null` allows.
 */
export const dealersKeyMayNotChangeCodesOfDealer = (scope: DealerScope, before: Codes, after: Codes): Failure | null =>
  scope === null || JSON.stringify(after.codes) === JSON.stringify(before.codes)
    ? null
    : escalation("You may not change `codes` of a dealer that you are bound to");
