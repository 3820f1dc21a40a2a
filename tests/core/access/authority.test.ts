import { describe, expect, test } from "bun:test";
import { authorityOfKey, authorityOfUser, powersOfKey } from "../../../core/access/authority.ts";
import { permissionSet } from "../../../core/permissions.ts";
import { dealerKeyRecord, holder, keyRecord, userKeyRecord } from "../keys/key-records.ts";

const [OWN, THEIRS] = [permissionSet(["vehicles:read"]), permissionSet(["keys:read"])];

describe("a key acts", () => {
  const ofUser = (role: "super_admin" | "dealer_admin" | "user", dealerId: number | null) =>
    userKeyRecord(holder({ role, dealerId, permissions: THEIRS }), { ownPermissions: OWN, dealerId: 9 });
  for (const [what, key, powers, superAdmin, seesDealer] of [
    [
      "by itself, if it is tied to nobody",
      keyRecord({ ownPermissions: OWN }),
      { permissions: OWN, dealerId: null, role: null },
      true,
      true,
    ],
    [
      "by itself at its dealer",
      dealerKeyRecord(7, { ownPermissions: OWN }),
      { permissions: OWN, dealerId: 7, role: null },
      false,
      true,
    ],
    [
      "as its super-admin",
      ofUser("super_admin", null),
      { permissions: THEIRS, dealerId: null, role: "super_admin" },
      true,
      true,
    ],
    [
      "as its dealer's admin",
      ofUser("dealer_admin", 7),
      { permissions: THEIRS, dealerId: 7, role: "dealer_admin" },
      false,
      true,
    ],
    ["as its regular user", ofUser("user", 7), { permissions: THEIRS, dealerId: 7, role: "user" }, false, false],
    [
      "not at all, if its user has vanished",
      userKeyRecord(null, { ownPermissions: OWN, dealerId: 9 }),
      { permissions: 0, dealerId: null, role: null },
      false,
      true,
    ],
  ] as const)
    test(what, () => {
      const { permissions, dealerId } = powers;
      expect(powersOfKey(key)).toMatchObject(powers);
      expect(authorityOfKey(key)).toMatchObject({ permissions, dealerId, superAdmin, seesDealer });
    });

  test("at its own rate, or else at that of its app type", () => {
    expect([keyRecord({ rateLimit: 7 }), keyRecord()].map((key) => powersOfKey(key).rateLimit)).toEqual([7, 100]);
  });
});

test("only super-admins have that authority, and regular users do not see all of their dealer", () => {
  const of = (role: "super_admin" | "dealer_admin" | "user") => {
    const { superAdmin, seesDealer } = authorityOfUser({ role, dealerId: 7, permissions: OWN });
    return [superAdmin, seesDealer];
  };
  expect([of("super_admin"), of("dealer_admin"), of("user")]).toEqual([
    [true, true],
    [false, true],
    [false, false],
  ]);
});
