import { Failure } from "../failure.ts";
import { holds } from "./permissions.ts";
import { type Operation, POLICY, type Rule } from "./policy.ts";
import { isSuperAdmin, type Powers } from "./principal.ts";

/** Whose records a statement may touch: one dealer's, or (`null`) everybody's. Goes into the WHERE of every statement. */
export type DealerScope = number | null;

/**
 * Step 5 of a request, before its body or id is looked at: the permission, and the operations that a bound key
 * may not do at all. `null` admits. The same decision opens every use case, so that none can be reached around it.
 */
export const admit = (caller: Powers, operation: Operation): Failure | null => {
  const rule: Rule = POLICY[operation];
  if (!holds(caller.permissions, rule.needs)) return new Failure({ kind: "permission-missing", needs: rule.needs });
  if (rule.bound === "never" && scopeOf(caller) !== null) return new Failure({ kind: "never-for-bound-keys" });
  return null;
};

/**
 * Whose records the caller reaches. The one place that knows of the super-admin bypass (interface 5.5):
 * a super-admin reaches every dealer's, a bound key its dealer's, an unbound user's key every dealer's.
 */
export const scopeOf = (caller: Powers): DealerScope => (isSuperAdmin(caller) ? null : caller.dealerId);

/**
 * The whole decision for a record of one dealer: permission, then binding. `null` allows.
 * Denies by default: an operation whose rule gives a bound key no way to a record refuses it.
 */
export const decide = (
  caller: Powers,
  operation: Operation,
  { subject, dealerId }: { readonly subject: "vehicle" | "dealer"; readonly dealerId: number },
): Failure | null => {
  const refused = admit(caller, operation);
  if (refused !== null) return refused;
  const scope = scopeOf(caller);
  return scope === null || scope === dealerId ? null : new Failure({ kind: "foreign", subject });
};
