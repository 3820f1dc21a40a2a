import { describe, expect, test } from "bun:test";
import type { Principal } from "../../../core/access/principal.ts";
import { permissionSet, ROLE_PERMISSIONS } from "../../../core/permissions.ts";
import { DEFAULT_QUOTAS } from "../../../core/quotas.ts";
import { presentUser, type UserQuery } from "../../../core/users/user.ts";
import { allBut, dealerKey, superAdminKey, userKey } from "../callers.ts";
import { openFixture } from "../use-case-fixture.ts";
import { causeOf, createDealerRecords, newUserBody, pathsOf, succeeded } from "../use-cases.ts";

const core = openFixture();

const admin = superAdminKey();
let people = 0;
const email = () => `colleague-${++people}@harbor.example.com`;

describe("a new user", () => {
  for (const role of ["super_admin", "dealer_admin", "user"] as const)
    test(`who is a ${role} has the role's permissions, unless others are named`, async () => {
      const dealer = role === "super_admin" ? {} : { dealer_id: core.records.dealerId };
      expect((await core.newUser({ role, ...dealer })).permissions).toBe(ROLE_PERMISSIONS[role]);
      expect((await core.newUser({ role, ...dealer, permissions: [] })).permissions).toBe(0);
    });

  test("is active unless it is made inactive, by a boolean or a bit", async () => {
    expect((await core.newUser()).active).toBe(true);
    for (const [active, answered] of [
      [true, true],
      [1, true],
      [false, false],
      [0, false],
    ] as const)
      expect((await core.newUser({ active })).active).toBe(answered);
  });

  test("needs an unused email address, without regard to case", async () => {
    const taken = await core.newUser();
    for (const again of [taken.email, taken.email.toUpperCase()])
      expect(causeOf(await core.users.create(admin, newUserBody(again)))).toEqual({ kind: "email-taken" });
    const other = await core.newUser();
    expect(causeOf(await core.users.update(admin, other.id, { email: taken.email }))).toEqual({ kind: "email-taken" });
    expect(succeeded(await core.users.update(admin, taken.id, { email: taken.email.toUpperCase() })).id).toBe(taken.id);
  });

  test("has a dealer exactly when its role requires one", async () => {
    for (const fields of [
      { role: "dealer_admin" },
      { role: "dealer_admin", dealer_id: null },
      { role: "super_admin", dealer_id: core.records.dealerId },
      { role: "user", dealer_id: 9_999_999 },
    ])
      expect(pathsOf(await core.users.create(admin, newUserBody(email(), fields)))).toEqual(["dealer_id"]);
  });
});

describe("nobody creates or changes a user with more rights than their own", () => {
  const bound = () => dealerKey(core.records.dealerId, { permissions: allBut("audit:read") });
  const READ_AUDIT = { resource: "audit", action: "read" };

  test("a bound caller creates no super-admin and no user with pairs it lacks", async () => {
    for (const fields of [{ role: "super_admin", permissions: [] }, { permissions: [READ_AUDIT] }])
      expect(causeOf(await core.users.create(bound(), newUserBody(email(), fields)))?.kind).toBe("escalation");
  });

  test("a regular user creates no dealer admin who sees keys of others", async () => {
    const caller = userKey("user", core.records.dealerId, { userId: core.records.userId });
    const body = newUserBody(email(), { role: "dealer_admin", permissions: [{ resource: "keys", action: "read" }] });
    expect(causeOf(await core.users.create(caller, body))?.kind).toBe("escalation");
  });

  test("a bound caller does not change, deactivate, promote, move or unbind a user with pairs it lacks", async () => {
    const strong = await core.newUser({ dealer_id: core.records.dealerId, permissions: [READ_AUDIT] });
    const weak = await core.newUser({ dealer_id: core.records.dealerId });
    for (const outcome of [
      await core.users.update(bound(), strong.id, { name: "Mine" }),
      await core.users.update(bound(), strong.id, { permissions: [] }),
      await core.users.deactivate(bound(), strong.id),
      await core.users.update(bound(), weak.id, { permissions: [READ_AUDIT] }),
      await core.users.update(bound(), weak.id, { role: "super_admin", dealer_id: null }),
      await core.users.update(bound(), weak.id, { dealer_id: null }),
      await core.users.update(bound(), weak.id, { dealer_id: core.records.dealerId + 1 }),
    ])
      expect(causeOf(outcome)?.kind).toBe("escalation");
    expect(succeeded(await core.users.get(admin, strong.id))).toEqual(strong);
    expect(succeeded(await core.users.get(admin, weak.id))).toEqual(weak);
  });

  test("a super-admin hands out no pair that its key lacks", async () => {
    const caller = superAdminKey({ permissions: permissionSet(["users:write"]) });
    expect(causeOf(await core.users.create(caller, newUserBody(email())))?.kind).toBe("escalation");
    expect(succeeded(await core.users.create(caller, newUserBody(email(), { permissions: [] }))).permissions).toBe(0);
  });
});

describe("a change of a user", () => {
  test("that sends back what was read changes only updated_at", async () => {
    const user = await core.newUser({ dealer_id: core.records.dealerId });
    const changed = succeeded(await core.users.update(admin, user.id, presentUser(user)));
    expect({ ...changed, updatedAt: "" }).toEqual({ ...user, updatedAt: "" });
  });

  test("of the role leaves the pairs unchanged", async () => {
    const user = await core.newUser({ dealer_id: core.records.dealerId });
    const changed = succeeded(await core.users.update(admin, user.id, { role: "dealer_admin" }));
    expect([changed.role, changed.permissions]).toEqual(["dealer_admin", user.permissions]);
  });

  test("may not leave a dealer admin without a dealer or a super-admin with one", async () => {
    const user = await core.newUser({ role: "dealer_admin", dealer_id: core.records.dealerId });
    for (const body of [{ dealer_id: null }, { role: "super_admin" }])
      expect(pathsOf(await core.users.update(admin, user.id, body))).toEqual(["dealer_id"]);
  });

  test("to inactive is no error the second time", async () => {
    const user = await core.newUser();
    for (const round of [1, 2])
      expect([round, succeeded(await core.users.deactivate(admin, user.id)).active]).toEqual([round, false]);
  });

  test("leaves every field unchanged that it does not name, including active", async () => {
    for (const active of [true, false]) {
      const user = await core.newUser({ active, dealer_id: core.records.dealerId });
      const changed = succeeded(await core.users.update(admin, user.id, { name: "Renamed" }));
      expect(changed).toEqual({ ...user, name: "Renamed", updatedAt: changed.updatedAt });
    }
  });

  test("must name a changeable field", async () => {
    const user = await core.newUser();
    for (const body of [{}, { id: 1, created_at: null }])
      expect(pathsOf(await core.users.update(admin, user.id, body))).toEqual([""]);
  });
});

test("a list of users has exactly those of the requested dealer, role and state", async () => {
  const { dealerId: dealer_id } = await createDealerRecords(core);
  const chief = await core.newUser({ dealer_id, role: "dealer_admin" });
  const gone = await core.newUser({ dealer_id, active: false });
  const listed = async (query: UserQuery) => succeeded(await core.users.list(admin, query)).items.map(({ id }) => id);
  expect(await listed({ dealer_id, role: "dealer_admin" })).toEqual([chief.id]);
  expect(await listed({ dealer_id, active: false })).toEqual([gone.id]);
  expect(await listed({ dealer_id, active: true, role: "user" })).toHaveLength(1);
  expect(await listed({ dealer_id, limit: 1 })).toEqual([gone.id]);
  expect(await listed({ dealer_id, limit: 1, offset: 1 })).toEqual([chief.id]);
});

test("a caller makes so many invitations in an hour; what is refused does not count, and the operator has no limit", async () => {
  const { id } = await core.newUser();
  const gone = await core.newUser({ active: false });
  const invite = async (caller: Principal, userId = id) =>
    causeOf(await core.accounts.invite(caller, userId, (token) => token))?.kind ?? "invited";
  const many = async (caller: Principal): Promise<string[]> => {
    const made: string[] = [];
    for (let round = 0; round <= DEFAULT_QUOTAS.invitationsPerHour; round++) made.push(await invite(caller));
    return made;
  };
  const invited = Array<string>(DEFAULT_QUOTAS.invitationsPerHour).fill("invited");
  const user = superAdminKey({ keyId: null, userId: 999 });
  for (const caller of [superAdminKey({ keyId: 998 }), user]) {
    expect(await invite(caller, gone.id)).toBe("invalid");
    expect(await many(caller)).toEqual([...invited, "too-often"]);
  }
  // Each key and user has an hour of its own.
  expect([await invite(superAdminKey({ keyId: 997 })), await invite({ ...user, userId: 996 })]).toEqual(
    Array(2).fill("invited"),
  );
  expect(await many(superAdminKey({ keyId: null }))).toEqual([...invited, "invited"]);
});
