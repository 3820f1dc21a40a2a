import { escalation, Failure } from "../failure.ts";
import { holds, type Permission } from "../permissions.ts";
import { type Operation, POLICY, type Rule } from "./policy.ts";
import { isSuperAdmin, type Powers, type Principal } from "./principal.ts";

/** A caller with its powers. Public keys, which pages show to everybody, are refused some of what these allow. */
type Caller = Powers & Pick<Principal, "isPublic">;

/** The dealer whose records a statement may touch, or `null` for all dealers. It is part of every statement's WHERE. */
export type DealerScope = number | null;

const lacks = ({ permissions }: Powers, needed: Permission | null | undefined): needed is Permission =>
  needed !== null && needed !== undefined && !holds(permissions, needed);

/**
 * Step 5 of a request, before its body or id is read: checks the permission, and refuses what a bound key may never do.
 * `null` allows. Every use case begins with the same check, so no entry point can skip it.
 */
export const admit = (caller: Caller, operation: Operation): Failure | null => {
  const rule: Rule = POLICY[operation];
  const { needs, alsoNeeds } = rule;
  if (lacks(caller, needs)) return new Failure({ kind: "permission-missing", needs });
  if (lacks(caller, alsoNeeds)) return new Failure({ kind: "permission-missing", needs: alsoNeeds });
  if (rule.bound === "never" && scopeOf(caller) !== null) return new Failure({ kind: "never-for-bound-keys" });
  if (rule.public === "never" && caller.isPublic) return new Failure({ kind: "never-for-public-keys" });
  if (rule.bound === "super-admins" && !isSuperAdmin(caller)) return escalation("Only a super-admin may do this");
  return null;
};

/**
 * The scope of a caller: a super-admin and an unbound user's key reach the records of every dealer, a bound key only
 * those of its dealer. The super-admin bypass (interface 5.5) is implemented only here.
 */
export const scopeOf = (caller: Powers): DealerScope => (isSuperAdmin(caller) ? null : caller.dealerId);

/**
 * The whole decision for a record of one dealer: first the permission, then the binding. `null` allows. The default is
 * to deny: a bound key is refused unless the rule of the operation lets it reach the record.
 */
export const decide = (
  caller: Caller,
  operation: Operation,
  { subject, dealerId }: { readonly subject: "vehicle" | "dealer"; readonly dealerId: number },
): Failure | null => {
  const refused = admit(caller, operation);
  if (refused !== null) return refused;
  const scope = scopeOf(caller);
  return scope === null || scope === dealerId ? null : new Failure({ kind: "foreign", subject });
};
