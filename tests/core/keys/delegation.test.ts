import { describe, expect, test } from "bun:test";
import { permissionSet } from "../../../core/access/permissions.ts";
import type { Principal } from "../../../core/access/principal.ts";
import {
  type Reach,
  reachOfKey,
  reachOfUser,
  refuseMore,
  refuseUser,
  sightOfKeys,
  sightOfUsers,
} from "../../../core/keys/delegation.ts";
import type { Holder } from "../../../core/keys/key.ts";
import type { Sight } from "../../../core/keys/key-repository.ts";
import { allBut, dealerKey, superAdminKey, userKey } from "../callers.ts";
import { causeOf } from "../use-cases.ts";
import { dealerKeyRecord, holder, keyRecord, userKeyRecord } from "./key-records.ts";

const READ = permissionSet(["vehicles:read"]);
const FEW = { ownPermissions: READ };

const superAdmin = superAdminKey();
const dealerSeven = dealerKey(7);
const adminOfSeven = userKey("dealer_admin", 7);
const userOfSeven = userKey("user", 7);
const userOfNone = userKey("user", null);

const REASONS = {
  permissions: /permissions that you do not have/,
  superAdmin: /Only a super-admin/,
  dealer: /beyond your dealer/,
  rate: /more requests a minute/,
  keysOfOthers: /keys of others/,
  doingsOfOthers: /users or doings of others/,
} as const;

type Verdict = "allowed" | keyof typeof REASONS;

// [what is handed out or touched, its reach, then the verdict on each caller].
const VERDICTS: readonly (readonly [string, Reach, Readonly<Record<string, readonly [Principal, Verdict]>>])[] = [
  [
    "a super-admin key with one pair",
    reachOfKey(keyRecord(FEW)),
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
    reachOfKey(dealerKeyRecord(7, FEW)),
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
    reachOfKey(dealerKeyRecord(7)),
    {
      "a key of dealer 7 with every pair": [dealerSeven, "allowed"],
      "a key of dealer 7 that lacks one": [dealerKey(7, { permissions: allBut("audit:delete") }), "permissions"],
      "a super-admin key that lacks one": [superAdminKey({ permissions: allBut("audit:delete") }), "permissions"],
      "a user of dealer 7, who sees fewer keys": [userOfSeven, "keysOfOthers"],
    },
  ],
  [
    "a key of dealer 7 that may make 101 requests a minute",
    reachOfKey(dealerKeyRecord(7, { ...FEW, rateLimit: 101 })),
    {
      "a key that may make 100": [dealerSeven, "rate"],
      "a key that may make 101": [dealerKey(7, { rateLimit: 101 }), "allowed"],
      "a super-admin key that may make 100": [superAdmin, "allowed"],
    },
  ],
  [
    "a desktop key of dealer 7, by its app type good for 300 requests a minute",
    reachOfKey(dealerKeyRecord(7, { ...FEW, appType: "desktop" })),
    { "a key that may make 299": [dealerKey(7, { rateLimit: 299 }), "rate"] },
  ],
  [
    "a key whose dealer link has vanished",
    reachOfKey(dealerKeyRecord(null, FEW)),
    { "a key of dealer 7": [dealerSeven, "dealer"], "a super-admin key": [superAdmin, "allowed"] },
  ],
  [
    "a key whose user has vanished",
    reachOfKey(userKeyRecord(null)),
    { "an admin of dealer 7": [adminOfSeven, "dealer"], "a super-admin key": [superAdmin, "allowed"] },
  ],
  [
    "a dealer admin of dealer 7",
    reachOfUser({ role: "dealer_admin", dealerId: 7, permissions: permissionSet(["keys:read"]) }),
    {
      "an admin of dealer 7": [adminOfSeven, "allowed"],
      "a user of dealer 7": [userOfSeven, "keysOfOthers"],
      "an admin of dealer 8": [userKey("dealer_admin", 8), "dealer"],
    },
  ],
  [
    "a super-admin user with one pair",
    reachOfUser({ role: "super_admin", dealerId: null, permissions: READ }),
    { "an admin of dealer 7": [adminOfSeven, "superAdmin"], "a super-admin key": [superAdmin, "allowed"] },
  ],
  [
    "a key of dealer 7 that reads its users",
    reachOfKey(dealerKeyRecord(7, { ownPermissions: permissionSet(["users:read"]) })),
    {
      "a key of dealer 7": [dealerSeven, "allowed"],
      "a user of dealer 7": [userOfSeven, "allowed"],
      "an unbound user's key": [userOfNone, "doingsOfOthers"],
    },
  ],
  [
    "a user without a dealer",
    reachOfUser({ role: "user", dealerId: null, permissions: READ }),
    { "an admin of dealer 7": [adminOfSeven, "dealer"], "an unbound user's key": [userOfNone, "allowed"] },
  ],
];

describe("nobody hands out, or touches, more than they hold", () => {
  for (const [subject, reach, verdicts] of VERDICTS)
    for (const [name, [caller, verdict]] of Object.entries(verdicts))
      test(`${subject}: ${name} is ${verdict === "allowed" ? "allowed" : `refused for ${verdict}`}`, () => {
        const cause = causeOf(refuseMore(caller, reach));
        if (verdict === "allowed") expect(cause).toBeNull();
        else expect(cause).toEqual({ kind: "escalation", reason: expect.stringMatching(REASONS[verdict]) });
      });
});

// Specification 5.7: [caller, keys it sees, users it sees].
const SIGHTS: readonly (readonly [string, Principal, keys: Sight, users: Sight])[] = [
  ["a super-admin key", superAdmin, "everything", "everything"],
  ["a super-admin user's key", userKey("super_admin", null), "everything", "everything"],
  ["a dealer's key", dealerSeven, { dealerId: 7 }, { dealerId: 7 }],
  ["a dealer admin's key", adminOfSeven, { dealerId: 7 }, { dealerId: 7 }],
  ["a dealer's user's key", userKey("user", 7, { userId: 5 }), { userId: 5 }, { dealerId: 7 }],
  ["an unbound user's key", userKey("user", null, { userId: 5 }), { userId: 5 }, { userId: 5 }],
];

describe("sight", () => {
  for (const [name, caller, keys, users] of SIGHTS)
    test(`of ${name}: keys of ${JSON.stringify(keys)}, users of ${JSON.stringify(users)}`, () => {
      expect(sightOfKeys(caller)).toEqual(keys);
      expect(sightOfUsers(caller)).toEqual(users);
    });

  test("of a caller whose dealer and user are gone is nothing, not everything", () => {
    expect(sightOfKeys(dealerKey(0, { dealerId: null }))).toEqual({ userId: 0 });
    expect(sightOfUsers(dealerKey(0, { dealerId: null }))).toEqual({ userId: 0 });
  });
});

const MANAGED: readonly (readonly [string, Principal, userId: number, Holder | null, allowed: boolean])[] = [
  ["a super-admin: any user it sees", superAdmin, 5, holder(), true],
  ["a super-admin: a user who does not exist", superAdmin, 5, null, false],
  ["a dealer's admin: a user in its sight", adminOfSeven, 5, holder({ dealerId: 7 }), true],
  ["a dealer's admin: a user out of its sight", adminOfSeven, 5, null, false],
  ["a dealer's key: a user in its sight", dealerSeven, 5, holder({ dealerId: 7 }), true],
  ["a regular user: itself", userKey("user", 7, { userId: 5 }), 5, holder({ dealerId: 7 }), true],
  ["a regular user: a colleague in its sight", userKey("user", 7, { userId: 5 }), 6, holder({ dealerId: 7 }), false],
];

describe("tying a key to a user", () => {
  for (const [name, caller, userId, user, allowed] of MANAGED)
    test(`${name} is ${allowed ? "allowed" : "refused"}`, () => {
      const refusal = { kind: "escalation", reason: expect.stringMatching(/may not manage keys of this user/) };
      expect<unknown>(causeOf(refuseUser(caller, userId, user))).toEqual(allowed ? null : refusal);
    });
});
