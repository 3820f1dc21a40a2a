import { scopeOf } from "../access/decide.ts";
import { covers, type PermissionSet, permissionSet, type Role } from "../access/permissions.ts";
import { isSuperAdmin, type Principal } from "../access/principal.ts";
import { escalation, type Failure } from "../failure.ts";
import type { Holder, KeyRecord } from "./key.ts";
import { boundDealerOf, permissionsOfKey, rateLimitOfKey } from "./key.ts";
import type { Sight } from "./key-repository.ts";

/** What a key, or a user, can do: compared with what the caller can. */
export interface Reach {
  readonly permissions: PermissionSet;
  readonly dealerId: number | null;
  readonly superAdmin: boolean;
  /** True when it sees all keys of its dealer, not only its own. */
  readonly seesDealer: boolean;
  /** Requests a minute; `null` for users. */
  readonly rateLimit: number | null;
}

export const reachOfKey = (key: KeyRecord): Reach => ({
  permissions: permissionsOfKey(key),
  dealerId: boundDealerOf(key),
  superAdmin: key.association === "none" || key.holder?.role === "super_admin",
  seesDealer: key.association !== "user" || key.holder?.role !== "user",
  rateLimit: rateLimitOfKey(key),
});

export const reachOfUser = (user: { role: Role; dealerId: number | null; permissions: PermissionSet }): Reach => ({
  permissions: user.permissions,
  dealerId: user.dealerId,
  superAdmin: user.role === "super_admin",
  seesDealer: user.role !== "user",
  rateLimit: null,
});

const KEYS = permissionSet(["keys:read", "keys:write", "keys:delete"]);
// A user without a dealer sees of users and of the audit log its own only; who has a dealer, that dealer's.
const USERS_AND_AUDIT = permissionSet([
  "users:read",
  "users:write",
  "users:delete",
  "audit:read",
  "audit:write",
  "audit:delete",
]);

/** Nobody creates, edits, rotates, revokes or deletes what can do more than they can. `null` allows. */
export const refuseMore = (principal: Principal, reach: Reach): Failure | null => {
  if (!covers(principal.permissions, reach.permissions)) return escalation("It has permissions that you do not have");
  if (isSuperAdmin(principal)) return null;
  if (reach.superAdmin) return escalation("Only a super-admin may do this to a super-admin's key or account");
  const scope = scopeOf(principal);
  if (scope !== null && reach.dealerId !== scope) return escalation("It reaches beyond your dealer");
  if (reach.rateLimit !== null && reach.rateLimit > principal.rateLimit)
    return escalation("It may make more requests a minute than you may hand out");
  if (principal.role === "user" && reach.seesDealer && (reach.permissions & KEYS) !== 0)
    return escalation("It sees keys of others, which you do not");
  if (scope === null && reach.dealerId !== null && (reach.permissions & USERS_AND_AUDIT) !== 0)
    return escalation("It sees users or doings of others, which you do not");
  return null;
};

/** The keys a caller sees: super-admins all, a dealer's admins and keys that dealer's, a user its own. */
export const sightOfKeys = (principal: Principal): Sight => {
  if (isSuperAdmin(principal)) return "everything";
  if (principal.role !== "user" && principal.dealerId !== null) return { dealerId: principal.dealerId };
  return { userId: principal.userId ?? 0 };
};

/** The users a caller sees: super-admins all, bound callers their dealer's, others themselves. */
export const sightOfUsers = (principal: Principal): Sight => {
  if (isSuperAdmin(principal)) return "everything";
  if (principal.dealerId !== null) return { dealerId: principal.dealerId };
  return { userId: principal.userId ?? 0 };
};

/** May the caller tie a key to this user? A regular user's key only to its own user. */
export const refuseUser = (principal: Principal, userId: number, holder: Holder | null): Failure | null => {
  if (holder === null || (principal.role === "user" && principal.userId !== userId))
    return escalation("You may not manage keys of this user");
  return null;
};
