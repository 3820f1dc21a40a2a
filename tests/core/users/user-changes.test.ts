import { describe, expect, test } from "bun:test";
import { EVERY_PERMISSION } from "../../../core/permissions.ts";
import { userLeft } from "../../../core/users/offboarding.ts";
import { userReturned } from "../../../core/users/undo-offboarding.ts";
import type { UserRecord } from "../../../core/users/user.ts";
import { userChanged } from "../../../core/users/user-changes.ts";
import { dealerKey, superAdminKey } from "../callers.ts";
import { holder, userKeyRecord } from "../keys/key-records.ts";
import { causeOf, succeeded } from "../use-cases.ts";

const NOW = "2026-06-01T00:00:00.000Z";
const admin = superAdminKey();
const person = (fields: Partial<UserRecord> = {}): UserRecord => ({
  id: 5,
  name: "Kim",
  email: "kim@harbor.example.com",
  role: "user",
  dealerId: 1,
  permissions: EVERY_PERMISSION,
  active: true,
  endedBy: null,
  invited: false,
  createdAt: NOW,
  updatedAt: NOW,
  ...fields,
});
const key = (id: number, fields: object = {}) =>
  userKeyRecord(holder({ dealerId: 1 }), { id, userId: 5, updatedAt: NOW, ...fields });

describe("what is decided about a user, without a database:", () => {
  const wanted = { operation: "user.update", plan: (user: UserRecord) => ({ ...user, name: "Robin" }) } as const;

  test("every key of the user gets a new secret if that is asked for, in their order", () => {
    const present = { user: person(), keys: [key(9), key(7, { active: false })] };
    const secrets = { issue: () => ({ key: "new", hash: "hash", start: "start" }) };
    expect(succeeded(userChanged(admin, wanted, present)).rotations).toBeNull();
    const { fields, rotations } = succeeded(userChanged(admin, { ...wanted, secrets }, present));
    expect([fields.name, rotations?.map((one) => one.key.id)]).toEqual(["Robin", [9, 7]]);
  });

  test("a key that holds more than the caller refuses the whole change", () => {
    const keys = [key(9), userKeyRecord(holder({ role: "super_admin" }), { id: 7, userId: 5 })];
    const secrets = { issue: () => ({ key: "new", hash: "hash", start: "start" }) };
    const decided = userChanged(dealerKey(1), { ...wanted, secrets }, { user: person(), keys });
    expect(causeOf(decided)?.kind).toBe("escalation");
  });
});

describe("what is decided about a user who leaves, without a database:", () => {
  const leave = (present: Parameters<typeof userLeft>[2], by = admin) =>
    userLeft(by, { newOwnerId: present.newOwner?.id ?? null, now: NOW }, present);

  test("keys are revoked, except those that somebody of the same rank or a higher one revoked before", () => {
    const keys = [
      key(1),
      key(2, { active: false, endedBy: "super_admin" }),
      key(3, { active: false, endedBy: "dealer_admin" }),
    ];
    const changed = (by = admin) =>
      succeeded(leave({ user: person(), keys, newOwner: null }, by)).changes.map(({ after }) => [
        after.id,
        after.active,
        after.endedBy,
      ]);
    expect(changed()).toEqual([
      [1, false, "super_admin"],
      [3, false, "super_admin"],
    ]);
    expect(changed(dealerKey(1))).toEqual([[1, false, "dealer_admin"]]);
  });

  test("keys that another user gets stay as they are otherwise", () => {
    const newOwner = person({ id: 6, dealerId: 2 });
    const keys = [key(1), key(2, { active: false, endedBy: "user" })];
    const { changes } = succeeded(leave({ user: person(), keys, newOwner }));
    expect(changes.map(({ after }) => [after.userId, after.holder?.dealerId, after.active, after.endedBy])).toEqual([
      [6, 2, true, null],
      [6, 2, false, "user"],
    ]);
  });

  test("nobody gets them who is missing, inactive, the leaving user or beyond the caller", () => {
    const at = { user: person(), keys: [key(1)] };
    const wanted = { newOwnerId: 6, now: NOW };
    expect(causeOf(userLeft(admin, wanted, { ...at, newOwner: null }))?.kind).toBe("invalid");
    for (const newOwner of [person(), person({ id: 6, active: false })])
      expect(causeOf(leave({ ...at, newOwner }))?.kind).toBe("invalid");
    const stronger = person({ id: 6, role: "super_admin", dealerId: null });
    expect(causeOf(leave({ ...at, newOwner: stronger }, dealerKey(1)))?.kind).toBe("escalation");
  });
});

describe("what is decided about a user who is given back, without a database:", () => {
  const left = { at: NOW, wasActive: true, newOwnerId: null, keys: [1, 2, 3, 4].map((id) => ({ id, updatedAt: NOW })) };
  const user = person({ active: false, endedBy: "super_admin" });
  const revoked = { active: false, endedBy: "super_admin" } as const;

  test("it is for a day, for whoever left", () => {
    const present = { user, left, keys: [] };
    expect(causeOf(userReturned(admin, "2026-06-02T00:00:00.001Z", present))?.kind).toBe("invalid");
    expect(causeOf(userReturned(admin, NOW, { ...present, left: null }))?.kind).toBe("invalid");
    expect(succeeded(userReturned(admin, "2026-06-02T00:00:00.000Z", present)).fields).toMatchObject({
      active: true,
      endedBy: null,
    });
  });

  test("who had been deactivated before stays so", () => {
    const present = { user, left: { ...left, wasActive: false }, keys: [] };
    expect(succeeded(userReturned(admin, NOW, present)).fields).toMatchObject({
      active: false,
      endedBy: "super_admin",
    });
  });

  const LATER = "2026-06-01T00:00:00.001Z";

  test("a key comes back unless somebody has changed what the leave did to it", () => {
    const keys = [
      key(1, revoked),
      key(2, { active: true }),
      key(3, { ...revoked, userId: 6 }),
      key(4, { ...revoked, updatedAt: LATER }),
    ];
    const { keys: changes, omitted } = succeeded(userReturned(admin, NOW, { user, left, keys }));
    expect(changes.map(({ after }) => [after.id, after.active, after.endedBy])).toEqual([[1, true, null]]);
    expect(omitted).toBe(3);
    const transferred = { user, left: { ...left, newOwnerId: 6 }, keys: [key(1), key(2, { ...revoked, userId: 6 })] };
    const back = succeeded(userReturned(admin, NOW, transferred)).keys;
    expect(back.map(({ after }) => [after.id, after.userId, after.active])).toEqual([[2, 5, false]]);
  });

  test("whoever may not activate the user or a key again gives nothing back", () => {
    const ofDealer = person({ active: false, endedBy: "dealer_admin" });
    for (const present of [
      { user, left, keys: [] },
      { user: ofDealer, left, keys: [key(1, revoked)] },
      {
        user: ofDealer,
        left: { ...left, newOwnerId: 6 },
        keys: [key(1, { userId: 6, holder: holder({ dealerId: 2 }) })],
      },
    ])
      expect(causeOf(userReturned(dealerKey(1), NOW, present))?.kind).toBe("escalation");
    expect(succeeded(userReturned(dealerKey(1), NOW, { user: ofDealer, left, keys: [] })).keys).toEqual([]);
  });
});
