import { describe, expect, test } from "bun:test";
import { type Authority, authorityOfKey, authorityOfUser } from "../../../../core/access/authority.ts";
import type { Principal } from "../../../../core/access/principal.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../../../../core/access/rules/nobody-hands-out-more-than-they-hold.ts";
import { type Permission, permissionSet } from "../../../../core/permissions.ts";
import { allBut, dealerKey, superAdminKey, userKey } from "../../callers.ts";
import { dealerKeyRecord, keyRecord, userKeyRecord } from "../../keys/key-records.ts";
import { causeOf } from "../../use-cases.ts";

const READ = permissionSet(["vehicles:read"]);
const FEW = { ownPermissions: READ };

const superAdmin = superAdminKey();
const dealerSeven = dealerKey(7);
const adminOfSeven = userKey("dealer_admin", 7);
const userOfSeven = userKey("user", 7);
const userOfNone = userKey("user", null);

const REASONS = {
  permissions: "It has permissions that you do not have",
  superAdmin: "Only a super-admin may do this to a super-admin's key or account",
  dealer: "It could reach data outside your dealer",
  rate: "Its rate limit is higher than you may give",
  keysOfOthers: "It could read other users' keys that you cannot",
  activation: "It could activate users whom a dealer's admin deactivated",
  usersOrEntriesOfOthers: "It could read other users or audit entries that you cannot",
} as const;

type Verdict = "allowed" | keyof typeof REASONS;

// [what is handed out or changed, its authority, the verdict for each caller].
const VERDICTS: readonly (readonly [string, Authority, Readonly<Record<string, readonly [Principal, Verdict]>>])[] = [
  [
    "a super-admin key with one pair",
    authorityOfKey(keyRecord(FEW)),
    {
      "a super-admin key": [superAdmin, "allowed"],
      "a super-admin user's key": [userKey("super_admin", null), "allowed"],
      "a dealer's key": [dealerSeven, "superAdmin"],
      "a dealer admin's key": [adminOfSeven, "superAdmin"],
      "a dealer's user's key": [userOfSeven, "superAdmin"],
      "an unbound user's key": [userOfNone, "superAdmin"],
    },
  ],
  [
    "a key of dealer 7 with one pair",
    authorityOfKey(dealerKeyRecord(7, FEW)),
    {
      "a super-admin key": [superAdmin, "allowed"],
      "a key of dealer 7": [dealerSeven, "allowed"],
      "an admin of dealer 7": [adminOfSeven, "allowed"],
      "a user of dealer 7": [userOfSeven, "allowed"],
      "a key of dealer 8": [dealerKey(8), "dealer"],
      "an admin of dealer 8": [userKey("dealer_admin", 8), "dealer"],
      "an unbound user's key": [userOfNone, "allowed"],
    },
  ],
  [
    "a key of dealer 7 with every pair",
    authorityOfKey(dealerKeyRecord(7)),
    {
      "a key of dealer 7 with every pair": [dealerSeven, "allowed"],
      "a key of dealer 7 that lacks one": [dealerKey(7, { permissions: allBut("audit:delete") }), "permissions"],
      "a super-admin key that lacks one": [superAdminKey({ permissions: allBut("audit:delete") }), "permissions"],
      "a user of dealer 7, who sees fewer keys": [userOfSeven, "keysOfOthers"],
    },
  ],
  [
    "a key of dealer 7 that may make 101 requests a minute",
    authorityOfKey(dealerKeyRecord(7, { ...FEW, rateLimit: 101 })),
    {
      "a key that may make 100": [dealerSeven, "rate"],
      "a key that may make 101": [dealerKey(7, { rateLimit: 101 }), "allowed"],
      "a super-admin key that may make 100": [superAdmin, "allowed"],
    },
  ],
  [
    "a desktop key of dealer 7, by its app type good for 300 requests a minute",
    authorityOfKey(dealerKeyRecord(7, { ...FEW, appType: "desktop" })),
    { "a key that may make 299": [dealerKey(7, { rateLimit: 299 }), "rate"] },
  ],
  [
    "a key whose dealer link has vanished",
    authorityOfKey(dealerKeyRecord(null, FEW)),
    { "a key of dealer 7": [dealerSeven, "dealer"], "a super-admin key": [superAdmin, "allowed"] },
  ],
  [
    "a key whose user has vanished",
    authorityOfKey(userKeyRecord(null)),
    { "an admin of dealer 7": [adminOfSeven, "dealer"], "a super-admin key": [superAdmin, "allowed"] },
  ],
  [
    "a dealer admin of dealer 7",
    authorityOfUser({ role: "dealer_admin", dealerId: 7, permissions: permissionSet(["keys:read"]) }),
    {
      "an admin of dealer 7": [adminOfSeven, "allowed"],
      "a user of dealer 7": [userOfSeven, "keysOfOthers"],
      "an admin of dealer 8": [userKey("dealer_admin", 8), "dealer"],
    },
  ],
  [
    "a super-admin user with one pair",
    authorityOfUser({ role: "super_admin", dealerId: null, permissions: READ }),
    { "an admin of dealer 7": [adminOfSeven, "superAdmin"], "a super-admin key": [superAdmin, "allowed"] },
  ],
  [
    "a key of dealer 7 that reads its users",
    authorityOfKey(dealerKeyRecord(7, { ownPermissions: permissionSet(["users:read"]) })),
    {
      "a key of dealer 7": [dealerSeven, "allowed"],
      "a user of dealer 7": [userOfSeven, "allowed"],
      "an unbound user's key": [userOfNone, "usersOrEntriesOfOthers"],
    },
  ],
  [
    "a key of dealer 7 that changes its users",
    authorityOfKey(dealerKeyRecord(7, { ownPermissions: permissionSet(["users:write"]) })),
    {
      "a key of dealer 7": [dealerSeven, "allowed"],
      "an admin of dealer 7": [adminOfSeven, "allowed"],
      "a user of dealer 7": [userOfSeven, "activation"],
    },
  ],
  [
    "a dealer admin of dealer 7 who changes its users",
    authorityOfUser({ role: "dealer_admin", dealerId: 7, permissions: permissionSet(["users:write"]) }),
    { "an admin of dealer 7": [adminOfSeven, "allowed"], "a user of dealer 7": [userOfSeven, "activation"] },
  ],
  [
    "a user of dealer 7 who changes its users",
    authorityOfUser({ role: "user", dealerId: 7, permissions: permissionSet(["users:write"]) }),
    { "a user of dealer 7": [userOfSeven, "allowed"] },
  ],
  [
    "a user without a dealer",
    authorityOfUser({ role: "user", dealerId: null, permissions: READ }),
    { "an admin of dealer 7": [adminOfSeven, "dealer"], "an unbound user's key": [userOfNone, "allowed"] },
  ],
];

describe("nobody hands out or changes more than they hold", () => {
  for (const [subject, authority, verdicts] of VERDICTS)
    for (const [name, [caller, verdict]] of Object.entries(verdicts))
      test(`${subject}: ${name} is ${verdict === "allowed" ? "allowed" : `refused for ${verdict}`}`, () => {
        const refused = verdict === "allowed" ? null : { kind: "escalation" as const, reason: REASONS[verdict] };
        expect(causeOf(nobodyHandsOutMoreThanTheyHold(caller, authority))).toEqual(refused);
      });
});

const ofSeven = (permission: Permission) =>
  authorityOfKey(dealerKeyRecord(7, { ownPermissions: permissionSet([permission]) }));
const reasonFor = (caller: Principal, authority: Authority): unknown =>
  causeOf(nobodyHandsOutMoreThanTheyHold(caller, authority));

for (const permission of ["keys:read", "keys:write", "keys:delete"] as const)
  test(`a regular user gives ${permission} to no key that sees the keys of others, but to another regular user`, () => {
    expect(reasonFor(userOfSeven, ofSeven(permission))).toMatchObject({ reason: REASONS.keysOfOthers });
    const ofUser = authorityOfUser({ role: "user", dealerId: 7, permissions: permissionSet([permission]) });
    expect(reasonFor(userOfSeven, ofUser)).toBeNull();
  });

for (const resource of ["users", "audit"] as const)
  for (const action of ["read", "write", "delete"] as const)
    test(`who has no dealer gives ${resource}:${action} only to others without one`, () => {
      const permissions = permissionSet([`${resource}:${action}`]);
      const ofUser = (dealerId: number | null) => authorityOfUser({ role: "user", dealerId, permissions });
      expect(reasonFor(userOfNone, ofUser(7))).toMatchObject({ reason: REASONS.usersOrEntriesOfOthers });
      expect(reasonFor(userOfNone, ofUser(null))).toBeNull();
    });
