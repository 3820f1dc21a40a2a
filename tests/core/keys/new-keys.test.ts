import { describe, expect, test } from "bun:test";
import { type KeyQuery, presentKey } from "../../../core/keys/key.ts";
import { DEFAULT_PERMISSIONS, permissionsOf } from "../../../core/permissions.ts";
import { dealerKey, superAdminKey, userKey } from "../callers.ts";
import { openFixture } from "../use-case-fixture.ts";
import { causeOf, createDealerRecords, newKeyBody, pathsOf, succeeded } from "../use-cases.ts";

const core = openFixture();
const admin = superAdminKey();

describe("a new key", () => {
  for (const appType of ["web", "desktop", "mobile"] as const)
    test(`of a ${appType} application has its app type's permissions, unless others are named`, async () => {
      expect((await core.newKey({ app_type: appType })).record.ownPermissions).toBe(DEFAULT_PERMISSIONS[appType]);
      expect((await core.newKey({ app_type: appType, permissions: [] })).record.ownPermissions).toBe(0);
      const { record } = await core.newKey({ app_type: appType, permissions: [{ resource: "audit", action: "read" }] });
      expect(permissionsOf(record.ownPermissions)).toEqual(["audit:read"]);
    });

  test("is active, without an expiry and a rate limit, and its secret is answered once", async () => {
    const { record, apiKey } = await core.newKey();
    expect(record).toMatchObject({
      active: true,
      expiresAt: null,
      rateLimit: null,
      description: null,
      lastUsedAt: null,
    });
    expect(apiKey.startsWith(`${record.keyStart}`)).toBe(true);
    const stored = succeeded(await core.keys.get(admin, record.id));
    expect(stored).toEqual(record);
    expect(JSON.stringify([stored, presentKey(stored, core.clock.now())])).not.toContain(apiKey);
  });

  test("is tied to dealer_id or user_id, never to both", async () => {
    const { dealerId, userId } = core.records;
    expect((await core.newKey()).record).toMatchObject({ association: "none", dealerId: null, userId: null });
    expect((await core.newKey({ dealer_id: dealerId })).record).toMatchObject({ association: "dealer", dealerId });
    const user = (await core.newKey({ user_id: userId })).record;
    expect(user).toMatchObject({ association: "user", userId, dealerId: null, ownPermissions: 0 });
    expect(presentKey(user, core.clock.now()).bound_dealer_id).toBe(dealerId);
    expect(pathsOf(await core.keys.create(admin, newKeyBody({ dealer_id: dealerId, user_id: userId })))).toEqual([
      "user_id",
    ]);
  });

  test("of a bound caller for a user of its dealer is tied to that user only", async () => {
    const { dealerId, userId } = core.records;
    const body = newKeyBody({ user_id: userId });
    const { record } = succeeded(await core.keys.create(dealerKey(dealerId, { rateLimit: 100 }), body));
    expect(record).toMatchObject({ association: "user", userId, dealerId: null });
  });

  test("may be created inactive, by a boolean or a bit", async () => {
    for (const [active, answered] of [
      [true, true],
      [1, true],
      [false, false],
      [0, false],
    ] as const)
      expect((await core.newKey({ active })).record.active).toBe(answered);
  });

  test("is refused when its association contradicts its ties", async () => {
    const { dealerId, userId } = core.records;
    for (const fields of [
      { association: "none", dealer_id: dealerId },
      { association: "none", user_id: userId },
      { association: "dealer" },
      { association: "dealer", user_id: userId },
      { association: "user", dealer_id: dealerId },
    ])
      expect(pathsOf(await core.keys.create(admin, newKeyBody(fields)))).toEqual(["association"]);
    for (const fields of [
      { association: "none" },
      { association: "dealer", dealer_id: dealerId },
      { association: "user", user_id: userId },
    ])
      expect((await core.newKey(fields)).record).toMatchObject({ association: fields.association });
  });

  test("is refused for a dealer or user who does not exist", async () => {
    for (const field of ["dealer_id", "user_id"])
      expect(pathsOf(await core.keys.create(admin, newKeyBody({ [field]: 9_999_999 })))).toEqual([field]);
  });

  test("without an association can be created only by a super-admin", async () => {
    const refusal = { kind: "escalation", reason: expect.stringMatching(/^Only a super-admin may/) };
    for (const caller of [
      dealerKey(core.records.dealerId),
      userKey("dealer_admin", core.records.dealerId),
      userKey("user", null),
    ])
      expect<unknown>(causeOf(await core.keys.create(caller, newKeyBody({ association: "none" })))).toEqual(refusal);
    expect<unknown>(causeOf(await core.keys.create(userKey("user", null), newKeyBody()))).toEqual(refusal);
  });

  test("for a user whom the caller may not manage is refused, whether the user exists or not", async () => {
    for (const user_id of [core.otherRecords.userId, 9_999_999])
      for (const caller of [
        dealerKey(core.records.dealerId),
        userKey("user", core.records.dealerId, { userId: core.records.userId }),
      ])
        expect(causeOf(await core.keys.create(caller, newKeyBody({ user_id })))?.kind).toBe("escalation");
  });
});

test("a list of keys has exactly those of the requested dealer, user, app type, state and words", async () => {
  const { dealerId: dealer_id, userId: user_id } = await createDealerRecords(core);
  const mobile = (await core.newKey({ dealer_id, app_type: "mobile", name: "Jardín" })).record.id;
  const revoked = (await core.newKey({ dealer_id, active: false, description: "100% gone" })).record.id;
  const personal = (await core.newKey({ user_id, app_id: "robin_phone" })).record.id;
  const listed = async (query: KeyQuery) => succeeded(await core.keys.list(admin, query)).items.map(({ id }) => id);
  expect(await listed({ dealer_id, app_type: "mobile" })).toEqual([mobile]);
  expect(await listed({ dealer_id, active: false })).toEqual([revoked]);
  expect(await listed({ user_id })).toEqual([personal]);
  expect(await listed({ dealer_id, q: "JARDÍN" })).toEqual([mobile]);
  expect(await listed({ dealer_id, q: "0% G" })).toEqual([revoked]);
  expect(await listed({ user_id, q: "n_p" })).toEqual([personal]);
  expect(await listed({ dealer_id, q: "gone 100" })).toEqual([revoked]);
  expect(await listed({ dealer_id, q: "0% gxyzzy" })).toEqual([]);
  expect(await listed({ dealer_id, limit: 1, offset: 1 })).toEqual((await listed({ dealer_id })).slice(1, 2));
});
