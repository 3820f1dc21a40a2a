import { Failure } from "../failure.ts";
import { holds } from "./permissions.ts";
import { type Operation, POLICY, type Rule } from "./policy.ts";
import { isSuperAdmin, type Principal } from "./principal.ts";

/** Whose records a statement may touch: one dealer's, or (`null`) everybody's. Goes into the WHERE of every statement. */
export type DealerScope = number | null;

/**
 * Step 5 of a request, before its body or id is looked at: the permission, and the operations that a bound key
 * may not do at all. `null` admits. The same decision opens every use case, so that none can be reached around it.
 */
export const admit = (principal: Principal, operation: Operation): Failure | null => {
  const rule: Rule = POLICY[operation];
  if (!holds(principal.permissions, rule.needs)) return new Failure({ kind: "permission-missing", needs: rule.needs });
  if (rule.bound === "never" && scopeOf(principal) !== null) return new Failure({ kind: "never-for-bound-keys" });
  return null;
};

/**
 * Whose records the caller reaches. The one place that knows of the super-admin bypass (specification 4.4):
 * a super-admin reaches every dealer's, a bound key its dealer's, an unbound user's key every dealer's.
 */
export const scopeOf = (principal: Principal): DealerScope => (isSuperAdmin(principal) ? null : principal.dealerId);

/**
 * The whole decision for a record of one dealer: permission, then binding. `null` allows.
 * Denies by default: an operation whose rule gives a bound key no way to a record refuses it.
 */
export const decide = (
  principal: Principal,
  operation: Operation,
  subject: "vehicle" | "dealer",
  dealerId: number,
): Failure | null => {
  const refused = admit(principal, operation);
  if (refused !== null) return refused;
  const scope = scopeOf(principal);
  return scope === null || scope === dealerId ? null : new Failure({ kind: "foreign", subject });
};
