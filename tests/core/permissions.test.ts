import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type AppType,
  covers,
  DEFAULT_PERMISSIONS,
  EVERY_PERMISSION,
  holds,
  type Permission,
  type PermissionPair,
  pairsOfSet,
  permissionBit,
  permissionSet,
  permissionsOf,
  ROLE_PERMISSIONS,
  type Role,
  setOfPairs,
} from "../../core/permissions.ts";
import { STORED_ORDER } from "./access/specified-policy.ts";

// Interface 5.4.
const BY_APP_TYPE: Readonly<Record<AppType, readonly Permission[]>> = {
  web: ["vehicles:read"],
  desktop: ["vehicles:read", "vehicles:write", "dealers:read", "dealers:write"],
  mobile: ["vehicles:read", "dealers:read"],
};

// Interface 5.4.
const BY_ROLE: Readonly<Record<Role, readonly Permission[]>> = {
  super_admin: STORED_ORDER,
  dealer_admin: [
    "vehicles:read",
    "vehicles:write",
    "vehicles:delete",
    "dealers:read",
    "dealers:write",
    "keys:read",
    "keys:write",
    "keys:delete",
    "users:read",
    "users:write",
    "audit:read",
    "feeds:read",
    "feeds:write",
    "feeds:delete",
    "webhooks:read",
    "webhooks:write",
    "webhooks:delete",
  ],
  user: ["vehicles:read", "dealers:read", "keys:read"],
};

describe("default permissions", () => {
  test("exactly the three app types have default permissions", () => {
    expect(Object.keys(DEFAULT_PERMISSIONS).sort()).toEqual(Object.keys(BY_APP_TYPE).sort());
  });

  test("exactly the three roles have default permissions", () => {
    expect(Object.keys(ROLE_PERMISSIONS).sort()).toEqual(Object.keys(BY_ROLE).sort());
  });

  for (const appType of ["web", "desktop", "mobile"] as const)
    test(`a new ${appType} key has ${BY_APP_TYPE[appType].join(", ")} and no other pair`, () => {
      expect(permissionsOf(DEFAULT_PERMISSIONS[appType])).toEqual([...BY_APP_TYPE[appType]]);
    });

  for (const role of ["super_admin", "dealer_admin", "user"] as const)
    test(`a new ${role} has exactly the permissions of the role`, () => {
      expect(permissionsOf(ROLE_PERMISSIONS[role])).toEqual([...BY_ROLE[role]]);
    });
});

const pairs = fc.subarray([...STORED_ORDER]);

describe("permission sets", () => {
  test("the bit of each pair never changes, because databases store it", () => {
    expect(STORED_ORDER.map(permissionBit)).toEqual(STORED_ORDER.map((_, index) => 2 ** index));
    expect(EVERY_PERMISSION).toBe(2 ** STORED_ORDER.length - 1);
  });

  test("a set contains exactly its pairs", () => {
    fc.assert(
      fc.property(pairs, (held) => {
        const set = permissionSet(held);
        expect(permissionsOf(set)).toEqual(held);
        expect(STORED_ORDER.filter((pair) => holds(set, pair))).toEqual(held);
      }),
    );
  });

  test("a set covers another exactly when it has all of its pairs", () => {
    fc.assert(
      fc.property(pairs, pairs, (held, wanted) => {
        expect(covers(permissionSet(held), permissionSet(wanted))).toBe(wanted.every((pair) => held.includes(pair)));
      }),
    );
  });

  test("pairs in the clients' form survive the conversion to a set and back, without duplicates", () => {
    fc.assert(
      fc.property(pairs, (held) => {
        const seen = held.map((pair): PermissionPair => {
          const [resource, action] = pair.split(":");
          return { resource, action } as PermissionPair;
        });
        expect(pairsOfSet(setOfPairs([...seen, ...seen]))).toEqual(seen);
      }),
    );
  });
});
