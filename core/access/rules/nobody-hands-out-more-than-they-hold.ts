import { escalation, type Failure } from "../../failure.ts";
import { covers, type PermissionSet, permissionSet } from "../../permissions.ts";
import type { Authority } from "../authority.ts";
import { type DealerScope, scopeOf } from "../decide.ts";
import { isSuperAdmin, type Powers } from "../principal.ts";

const KEYS = permissionSet(["keys:read", "keys:write", "keys:delete"]);
// With these permissions, a caller without a dealer sees only its own user and entries, and a caller with a dealer sees
// all of that dealer.
const USERS_AND_AUDIT = permissionSet([
  "users:read",
  "users:write",
  "users:delete",
  "audit:read",
  "audit:write",
  "audit:delete",
]);

// With this permission, a dealer's admin or key can activate users whom another admin has deactivated. A regular user
// cannot.
const USERS_CHANGE = permissionSet(["users:write"]);

const holdsAny = (held: PermissionSet, some: PermissionSet): boolean => (held & some) !== 0;

type Exceeds = (wanted: Authority, caller: Powers, scope: DealerScope) => boolean;

/**
 * The ways in which a key or user can have more rights than a caller who is not a super-admin, each with a sentence for
 * the client.
 */
const EXCESSES: readonly (readonly [exceeds: Exceeds, reason: string])[] = [
  [({ superAdmin }) => superAdmin, "Only a super-admin may do this to a super-admin's key or account"],
  [({ dealerId }, _, scope) => scope !== null && dealerId !== scope, "It could reach data outside your dealer"],
  [
    ({ rateLimit }, caller) => rateLimit !== null && rateLimit > caller.rateLimit,
    "Its rate limit is higher than you may give",
  ],
  [
    ({ seesDealer, permissions }, { role }) => role === "user" && seesDealer && holdsAny(permissions, KEYS),
    "It could read other users' keys that you cannot",
  ],
  [
    ({ seesDealer, permissions }, { role }) => role === "user" && seesDealer && holdsAny(permissions, USERS_CHANGE),
    "It could activate users whom a dealer's admin deactivated",
  ],
  [
    ({ dealerId, permissions }, _, scope) =>
      scope === null && dealerId !== null && holdsAny(permissions, USERS_AND_AUDIT),
    "It could read other users or audit entries that you cannot",
  ],
];

/**
 * Nobody creates, edits, rotates, revokes or deletes a key or user that has more rights than they have. `null` allows.
 */
export const nobodyHandsOutMoreThanTheyHold = (caller: Powers, wanted: Authority): Failure | null => {
  if (!covers(caller.permissions, wanted.permissions)) return escalation("It has permissions that you do not have");
  if (isSuperAdmin(caller)) return null;
  const excess = EXCESSES.find(([exceeds]) => exceeds(wanted, caller, scopeOf(caller)));
  return excess === undefined ? null : escalation(excess[1]);
};
