import { describe, expect, test } from "bun:test";
import type { Principal } from "../../../core/access/principal.ts";
import { permissionSet } from "../../../core/permissions.ts";
import { rotationsOfKeys } from "../../../core/users/key-rotation.ts";
import { userLeft } from "../../../core/users/offboarding.ts";
import { userReturned } from "../../../core/users/undo-offboarding.ts";
import type { UserRecord } from "../../../core/users/user.ts";
import { fieldsAfter, userChanged } from "../../../core/users/user-changes.ts";
import { allBut, dealerKey, superAdminKey, userKey } from "../callers.ts";
import { holder, userKeyRecord } from "../keys/key-records.ts";
import { causeOf, pathsOf, succeeded } from "../use-cases.ts";
import { NOW, person } from "./user-records.ts";

const admin = superAdminKey();
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

  test("nobody changes a user who is beyond them, or who would be, or without the proof that it needs", () => {
    const movedTo = (dealerId: number) => ({ ...wanted, plan: (user: UserRecord) => ({ ...user, dealerId }) });
    const change = (of: Parameters<typeof userChanged>[1], user: UserRecord, by = dealerKey(1)) =>
      causeOf(userChanged(by, of, { user, keys: [] }))?.kind;
    expect(change(wanted, person())).toBeUndefined();
    expect([change(movedTo(1), person({ dealerId: 2 })), change(movedTo(2), person())]).toEqual([
      "escalation",
      "escalation",
    ]);
    expect(change(movedTo(2), person(), superAdminKey({ via: "portal", provedRecently: false }))).toBe("proof-too-old");
  });

  test("a key that holds more than the caller refuses the whole change", () => {
    const keys = [key(9), userKeyRecord(holder({ role: "super_admin" }), { id: 7, userId: 5 })];
    const secrets = { issue: () => ({ key: "new", hash: "hash", start: "start" }) };
    const decided = userChanged(dealerKey(1), { ...wanted, secrets }, { user: person(), keys });
    expect(causeOf(decided)?.kind).toBe("escalation");
  });
});

describe("new secrets for the keys of a user, without a database:", () => {
  const secrets = { issue: () => ({ key: "new", hash: "hash", start: "start" }) };
  const rotated = (by: Principal, { after = person(), keys = [key(9)] } = {}) =>
    causeOf(rotationsOfKeys(by, secrets, { user: person(), keys, after }))?.kind;

  test("are made by who may rotate each of them alone", () => {
    expect(rotated(dealerKey(1))).toBeUndefined();
    expect(rotated(dealerKey(1, { permissions: allBut("keys:write") }))).toBe("permission-missing");
    expect(rotated(userKey("user", 1, { userId: 6 }))).toBe("escalation");
    expect(rotated(dealerKey(1), { keys: [key(9, { holder: holder({ dealerId: 2 }) })] })).toBe("escalation");
    expect(rotated(dealerKey(1), { after: person({ dealerId: 2 }) })).toBe("escalation");
    expect(rotated(dealerKey(1, { allowedNetworks: ["192.0.2.0/24"] }))).toBe("escalation");
    const inPortal = { via: "portal", provedRecently: false } as const;
    expect(rotated(userKey("dealer_admin", 1, inPortal))).toBe("proof-too-old");
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
    const regular = userKey("user", 1, { userId: 7 });
    expect(causeOf(leave({ ...at, keys: [], newOwner: person({ id: 6 }) }, regular))?.kind).toBe("escalation");
  });

  test("who may not change the user, or one of the keys as it is, changes nothing", () => {
    const newOwner = person({ id: 6 });
    const ofOther = key(1, { holder: holder({ dealerId: 2 }) });
    const keys = [key(2), ofOther];
    for (const present of [
      { user: person({ dealerId: 2 }), keys: [], newOwner: null },
      { user: person(), keys, newOwner: null },
      { user: person(), keys, newOwner },
      { user: person({ active: false, endedBy: "super_admin" }), keys: [key(2)], newOwner },
    ])
      expect(causeOf(leave(present, dealerKey(1)))?.kind).toBe("escalation");
    const gone = person({ active: false, endedBy: "super_admin" });
    expect(succeeded(leave({ user: gone, keys: [], newOwner }, dealerKey(1))).changes).toEqual([]);
  });

  test("keys are revoked and handed on only by who may change keys; without any, nobody needs to", () => {
    const by = dealerKey(1, { permissions: allBut("keys:write") });
    const few = { permissions: permissionSet(["vehicles:read"]) };
    const [user, newOwner] = [person(few), person({ id: 6, ...few })];
    const keys = [key(1, { holder: holder({ dealerId: 1, ...few }) })];
    const outcome = (present: object) => causeOf(leave({ user, keys, newOwner: null, ...present }, by))?.kind;
    expect([outcome({}), outcome({ newOwner })]).toEqual(["permission-missing", "permission-missing"]);
    expect([outcome({ keys: [] }), outcome({ keys: [], newOwner })]).toEqual([undefined, undefined]);
  });

  test("recent proof is asked for what it is asked for alone: a super-admin's keys, and keys that change users", () => {
    const inPortal = superAdminKey({ via: "portal", provedRecently: false });
    const boss = { role: "super_admin", dealerId: null } as const;
    const newOwner = person({ id: 6, ...boss });
    const few = { permissions: permissionSet(["vehicles:read"]) };
    const outcome = (present: object) =>
      causeOf(leave({ user: person(few), keys: [], newOwner: null, ...present }, inPortal))?.kind;
    expect(outcome({})).toBeUndefined();
    expect(outcome({ newOwner })).toBe("proof-too-old");
    expect(outcome({ user: person(boss) })).toBe("proof-too-old");
    expect(outcome({ keys: [key(1)], newOwner: person({ id: 6 }) })).toBe("proof-too-old");
    expect(outcome({ keys: [key(1)] })).toBeUndefined();
  });

  test("keys that had been revoked come back with the leave only if they went to another user", () => {
    const keys = [key(1), key(2, { active: false, endedBy: "user" })];
    const left = (newOwner: UserRecord | null) => succeeded(leave({ user: person(), keys, newOwner })).keyIds;
    expect(left(null)).toEqual([1]);
    expect(left(person({ id: 6 }))).toEqual([1, 2]);
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

  test("who is active again stays so", () => {
    const present = { user: person(), left: { ...left, wasActive: false }, keys: [] };
    expect(succeeded(userReturned(admin, NOW, present)).fields.active).toBe(true);
  });

  test("keys come back only by who may change keys; without any, nobody needs to", () => {
    const by = dealerKey(1, { permissions: allBut("keys:write") });
    const few = { permissions: permissionSet(["vehicles:read"]) };
    const ended = { active: false, endedBy: "dealer_admin" } as const;
    const keys = [key(1, { ...ended, holder: holder({ dealerId: 1, ...few }) })];
    const outcome = (present: object) =>
      causeOf(userReturned(by, NOW, { user: person({ ...ended, ...few }), left, keys, ...present }))?.kind;
    expect(outcome({})).toBe("permission-missing");
    expect(outcome({ keys: [] })).toBeUndefined();
  });

  const LATER = "2026-06-01T00:00:00.001Z";

  test("a key does not come back as another one was left", () => {
    const of = {
      ...left,
      keys: [
        { id: 1, updatedAt: NOW },
        { id: 2, updatedAt: LATER },
      ],
    };
    const keys = [key(1, { ...revoked, updatedAt: LATER }), key(2, { ...revoked, updatedAt: LATER })];
    expect(succeeded(userReturned(admin, NOW, { user, left: of, keys })).keys.map(({ after }) => after.id)).toEqual([
      2,
    ]);
  });

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

describe("what a PUT makes of a user, without a database:", () => {
  const ofKim = userKey("dealer_admin", 1, { userId: 5 });

  test("what is not named stays, and what is named is stored", () => {
    const user = person({ active: false, endedBy: "super_admin" });
    const { id, invited, createdAt, updatedAt, ...before } = user;
    expect(succeeded(fieldsAfter(admin, user, {}))).toStrictEqual(before);
    expect(succeeded(fieldsAfter(admin, person(), {})).active).toBe(true);
    for (const [body, stored] of [
      [{ name: "Robin" }, { name: "Robin" }],
      [{ email: "robin@harbor.example.com" }, { email: "robin@harbor.example.com" }],
      [{ role: "dealer_admin" }, { role: "dealer_admin" }],
      [
        { role: "super_admin", dealer_id: null },
        { role: "super_admin", dealerId: null },
      ],
      [{ dealer_id: 2 }, { dealerId: 2 }],
      [{ permissions: [] }, { permissions: 0 }],
      [{ active: 1 }, { active: true }],
    ] as const)
      expect(succeeded(fieldsAfter(admin, user, { ...body } as object))).toStrictEqual({ ...before, ...stored });
    expect(pathsOf(fieldsAfter(admin, user, { role: "super_admin" }))).toEqual(["dealer_id"]);
  });

  test("nobody changes their own address here, or raises their own role", () => {
    const kindOf = (by: Principal, body: object) => causeOf(fieldsAfter(by, person(), body))?.kind;
    const [address, role] = [{ email: "other@harbor.example.com" }, { role: "dealer_admin" }];
    expect([kindOf(ofKim, address), kindOf(admin, address)]).toEqual(["own-account", undefined]);
    expect([kindOf(ofKim, role), kindOf(admin, role)]).toEqual(["escalation", undefined]);
    expect(kindOf(ofKim, { name: "Robin" })).toBeUndefined();
  });
});
