import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { scopeOf } from "../../../core/access/decide.ts";
import { isSuperAdmin, type Principal } from "../../../core/access/principal.ts";
import { credentialOf, isCurrent } from "../../../core/keys/credentials.ts";
import type { KeyRecord } from "../../../core/keys/key.ts";
import { DEFAULT_PERMISSIONS, permissionSet } from "../../../core/permissions.ts";
import { anyKey, dealerKeyRecord, holder, keyRecord, userKeyRecord } from "./key-records.ts";

const READ = permissionSet(["vehicles:read"]);
const WRITE = permissionSet(["vehicles:write"]);
const EARLY = "2026-11-20T09:11:00.000Z";
const LATE = "2026-11-20T09:11:00.001Z";

const REFUSED: readonly (readonly [reason: string, key: KeyRecord])[] = [
  ["a revoked super-admin key", keyRecord({ active: false })],
  ["a revoked dealer key", dealerKeyRecord(7, { active: false })],
  ["a revoked user key", userKeyRecord(holder(), { active: false })],
  ["a dealer key whose link has vanished", dealerKeyRecord(null)],
  ["a user key whose user has vanished", userKeyRecord(null)],
  ["a user key whose user has vanished and that has a dealer on record", userKeyRecord(null, { dealerId: 7 })],
  ["a user key whose user has vanished and that has pairs on record", userKeyRecord(null, { ownPermissions: READ })],
  ["the key of an inactive user", userKeyRecord(holder({ active: false }))],
  ["the key of an inactive super-admin user", userKeyRecord(holder({ active: false, role: "super_admin" }))],
  ["the key of an inactive dealer admin", userKeyRecord(holder({ active: false, role: "dealer_admin", dealerId: 7 }))],
  ["the key of a dealer admin without a dealer", userKeyRecord(holder({ role: "dealer_admin" }))],
  ["a public key that an earlier version gave more", dealerKeyRecord(7, { isPublic: true, ownPermissions: WRITE })],
  [
    "a public key of a user that has a dealer on record",
    userKeyRecord(holder({ dealerId: 7, permissions: 0 }), { isPublic: true, dealerId: 7 }),
  ],
];

describe("a refused key", () => {
  for (const [reason, key] of REFUSED)
    test(`${reason} authenticates nobody`, () => {
      expect(credentialOf(key, "", null)).toBeNull();
    });
});

const ACCEPTED: readonly (readonly [name: string, key: KeyRecord, principal: Partial<Principal>])[] = [
  [
    "a super-admin key",
    keyRecord({ id: 12, ownPermissions: READ }),
    { keyId: 12, association: "none", dealerId: null, userId: null, role: null, permissions: READ, rateLimit: 100 },
  ],
  [
    "a dealer key",
    dealerKeyRecord(7, { appType: "mobile", ownPermissions: DEFAULT_PERMISSIONS.mobile }),
    { association: "dealer", dealerId: 7, role: null, permissions: DEFAULT_PERMISSIONS.mobile, rateLimit: 200 },
  ],
  [
    "the key of a dealer's user, which has the user's permissions and none of its own",
    userKeyRecord(holder({ dealerId: 7, permissions: READ }), { userId: 5, ownPermissions: WRITE, appType: "desktop" }),
    { association: "user", dealerId: 7, userId: 5, role: "user", permissions: READ, rateLimit: 300 },
  ],
  [
    "the key of a user without a dealer, whatever dealer the key has on record",
    userKeyRecord(holder({ permissions: READ }), { dealerId: 7 }),
    { dealerId: null, role: "user", permissions: READ },
  ],
  [
    "the key of a dealer's admin",
    userKeyRecord(holder({ role: "dealer_admin", dealerId: 7 })),
    { dealerId: 7, role: "dealer_admin" },
  ],
  [
    "the key of a super-admin user",
    userKeyRecord(holder({ role: "super_admin" })),
    { dealerId: null, role: "super_admin" },
  ],
  ["a key with a limit of its own", keyRecord({ rateLimit: 5 }), { rateLimit: 5 }],
];

describe("a working key", () => {
  for (const [name, key, principal] of ACCEPTED)
    test(`${name} authenticates exactly its caller`, () => {
      expect(credentialOf(key, "", null)?.principal).toMatchObject(principal);
    });

  test("authenticates its caller with where and until when it may be used, and with nothing that does not hold", () => {
    const principalOf = (fields: Partial<KeyRecord>, secretEndsAt: string | null) =>
      credentialOf(dealerKeyRecord(7, { ownPermissions: READ, ...fields }), "hash", secretEndsAt)?.principal;
    const optional = ["oldSecret", "expiresAt", "isPublic", "allowedOrigins", "allowedNetworks"];
    const plain = principalOf({}, null);
    expect(plain).toBeDefined();
    for (const field of optional) expect(plain).not.toHaveProperty(field);
    const limits = {
      expiresAt: LATE,
      isPublic: true,
      allowedOrigins: ["https://www.harbor.example.com"],
      allowedNetworks: ["192.0.2.0/24"],
    };
    expect(principalOf(limits, EARLY)).toMatchObject({ ...limits, oldSecret: "hash" });
  });

  test("fails closed: only an unassociated key, or one of a user without a dealer or above dealers, is unbound", () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        const principal = credentialOf(key, "", null)?.principal;
        fc.pre(principal !== undefined && scopeOf(principal) === null);
        const { association, holder: user } = key;
        const above = user?.role === "super_admin" || (user?.role === "user" && user.dealerId === null);
        expect(association === "none" || (association === "user" && above)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("the loss of its dealer or user never turns a key into a super-admin's", () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        for (const broken of [{ dealerId: null }, { holder: null }, { userId: null, holder: null, dealerId: null }]) {
          const principal = credentialOf({ ...key, ...broken }, "", null)?.principal;
          const before = credentialOf(key, "", null)?.principal;
          if (principal !== undefined && isSuperAdmin(principal)) expect(before && isSuperAdmin(before)).toBe(true);
        }
      }),
    );
  });
});

describe("the end of a secret", () => {
  for (const [expiresAt, secretEndsAt, endsAt] of [
    [null, null, null],
    [EARLY, null, EARLY],
    [null, EARLY, EARLY],
    [EARLY, LATE, EARLY],
    [LATE, EARLY, EARLY],
    [EARLY, EARLY, EARLY],
  ] as const)
    test(`of a key that expires ${expiresAt ?? "never"}, itself ending ${secretEndsAt ?? "never"}, is ${endsAt ?? "never"}`, () => {
      expect(credentialOf(keyRecord({ expiresAt }), "", secretEndsAt)?.endsAt).toBe(endsAt);
    });

  for (const [endsAt, now, current] of [
    [null, LATE, true],
    [LATE, EARLY, true],
    [EARLY, EARLY, false],
    [EARLY, LATE, false],
  ] as const)
    test(`of ${endsAt ?? "never"} at ${now}: the key ${current ? "works" : "no longer works"}`, () => {
      const credential = credentialOf(keyRecord({ expiresAt: endsAt }), "", null);
      expect(credential !== null && isCurrent(credential, now)).toBe(current);
    });
});
