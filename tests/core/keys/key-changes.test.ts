import { describe, expect, test } from "bun:test";
import { credentialOf } from "../../../core/keys/credentials.ts";
import { type KeyRecord, presentKey } from "../../../core/keys/key.ts";
import { graceEnded, keyChanged, keyRemoved, keyRotated } from "../../../core/keys/key-changes.ts";
import { DEFAULT_PERMISSIONS, permissionSet } from "../../../core/permissions.ts";
import { superAdminKey, userKey } from "../callers.ts";
import { openFixture } from "../use-case-fixture.ts";
import { causeOf, newKeyBody, newUserBody, pathsOf, succeeded } from "../use-cases.ts";
import { holder, keyRecord, userKeyRecord } from "./key-records.ts";

const core = openFixture();
const admin = superAdminKey();

describe("a change of a key", () => {
  test("of its app type does not change its permissions", async () => {
    const { record } = await core.newKey({ app_type: "desktop" });
    const changed = succeeded(await core.keys.update(admin, record.id, { app_type: "web" }));
    expect([changed.appType, changed.ownPermissions]).toEqual(["web", DEFAULT_PERMISSIONS.desktop]);
  });

  test("that sends back what was read changes only updated_at, whatever the key is tied to", async () => {
    for (const ties of [{}, { dealer_id: core.records.dealerId }, { user_id: core.records.userId }]) {
      const { record } = await core.newKey({ ...ties, expires_at: "2030-01-01T00:00:00Z", rate_limit: 7 });
      const changed = succeeded(await core.keys.update(admin, record.id, presentKey(record, core.clock.now())));
      expect({ ...changed, updatedAt: "" }).toEqual({ ...record, updatedAt: "" });
    }
  });

  test("leaves every field unchanged that it does not name", async () => {
    for (const ties of [{}, { dealer_id: core.records.dealerId }, { user_id: core.records.userId }]) {
      const { record } = await core.newKey({
        ...ties,
        expires_at: "2030-01-01T00:00:00Z",
        rate_limit: 7,
        description: "Kept",
      });
      const changed = succeeded(await core.keys.update(admin, record.id, { name: "Renamed" }));
      expect(changed).toEqual({ ...record, name: "Renamed", updatedAt: changed.updatedAt });
    }
  });

  test("of an expired key may send back its expiry, although that is past", async () => {
    const { record } = await core.newKey({ expires_at: core.clock.after(1) });
    core.clock.advance(2000);
    const sent = { ...presentKey(record, core.clock.now()), name: "Renamed" };
    expect(succeeded(await core.keys.update(admin, record.id, sent))).toMatchObject({
      name: "Renamed",
      expiresAt: record.expiresAt,
    });
  });

  test("to null removes the dealer or user that it names, never the other", async () => {
    const { record: ofDealer } = await core.newKey({ dealer_id: core.records.dealerId });
    const { record: ofUser } = await core.newKey({ user_id: core.records.userId });
    const change = async (id: number, body: object) => succeeded(await core.keys.update(admin, id, body));
    expect(await change(ofDealer.id, { user_id: null })).toMatchObject({
      association: "dealer",
      dealerId: core.records.dealerId,
    });
    expect(await change(ofUser.id, { dealer_id: null })).toMatchObject({
      association: "user",
      userId: core.records.userId,
    });
  });

  test("is refused when its association contradicts its ties", async () => {
    const { record } = await core.newKey({ dealer_id: core.records.dealerId });
    for (const body of [
      { association: "none" },
      { association: "user" },
      { association: "dealer", dealer_id: null },
      { association: "none", user_id: core.records.userId },
    ])
      expect(pathsOf(await core.keys.update(admin, record.id, body))).toEqual(["association"]);
    expect(succeeded(await core.keys.update(admin, record.id, { association: "dealer" })).association).toBe("dealer");
  });

  test("never changes its app_id", async () => {
    const { record } = await core.newKey();
    expect(pathsOf(await core.keys.update(admin, record.id, { app_id: "another" }))).toEqual(["app_id"]);
  });

  test("must name a changeable field", async () => {
    const { record } = await core.newKey();
    for (const body of [{}, { id: 5, api_key: "x", created_at: null }])
      expect(pathsOf(await core.keys.update(admin, record.id, body))).toEqual([""]);
  });

  test("from one tie to another drops the first", async () => {
    const { record } = await core.newKey({ dealer_id: core.records.dealerId });
    const { id } = record;
    const tied = async (body: object) => succeeded(await core.keys.update(admin, id, body));
    expect(await tied({ user_id: core.records.userId })).toMatchObject({
      association: "user",
      dealerId: null,
      ownPermissions: 0,
    });
    expect(await tied({ dealer_id: core.otherRecords.dealerId })).toMatchObject({
      association: "dealer",
      userId: null,
      ownPermissions: 0,
    });
    expect(await tied({ dealer_id: null })).toMatchObject({ association: "none", dealerId: null, userId: null });
  });

  test("of its dealer or user is refused to a regular user", async () => {
    const user = succeeded(await core.users.create(admin, newUserBody("mover@harbor.example.com")));
    const { record } = await core.newKey({ user_id: user.id });
    const caller = userKey("user", null, { userId: user.id });
    expect(succeeded(await core.keys.update(caller, record.id, { name: "Renamed" })).name).toBe("Renamed");
    for (const body of [{ dealer_id: core.records.dealerId }, { user_id: core.records.userId }, { user_id: null }])
      expect<unknown>(causeOf(await core.keys.update(caller, record.id, body))).toEqual({
        kind: "escalation",
        reason: expect.stringMatching(/that a key is tied to/),
      });
  });

  test("to a missing dealer or user is refused", async () => {
    const { record } = await core.newKey({ dealer_id: core.records.dealerId });
    for (const field of ["dealer_id", "user_id"])
      expect(pathsOf(await core.keys.update(admin, record.id, { [field]: 9_999_999 }))).toEqual([field]);
  });

  test("to a user who can do more than the caller is refused", async () => {
    const { record } = await core.newKey({ dealer_id: core.records.dealerId, permissions: [] });
    const caller = superAdminKey({ permissions: permissionSet(["keys:write"]) });
    expect(causeOf(await core.keys.update(caller, record.id, { user_id: core.records.userId }))?.kind).toBe(
      "escalation",
    );
  });

  test("never turns a key that lost its dealer into a super-admin's", async () => {
    const { record } = await core.newKey({ dealer_id: core.records.dealerId });
    const removed = { text: `DELETE FROM dealer_keys WHERE key_id = ${record.id}`, bind: () => [] };
    await core.db.write(async (tx) => void (await tx.all(removed, {})));
    for (const outcome of [
      await core.keys.update(admin, record.id, { name: "Renamed" }),
      await core.keys.grant(admin, record.id, { resource: "vehicles", action: "write" }),
      await core.keys.revoke(admin, record.id),
    ])
      expect(succeeded(outcome)).toMatchObject({ association: "dealer", dealerId: null });
    const key = succeeded(await core.keys.get(admin, record.id));
    expect(credentialOf({ ...key, active: true }, "", null)).toBeNull();
  });

  test("of active is stored, whether sent as a boolean or a bit", async () => {
    const { record } = await core.newKey();
    for (const [active, answered] of [
      [false, false],
      [1, true],
      [0, false],
      [true, true],
    ] as const)
      expect(succeeded(await core.keys.update(admin, record.id, { active })).active).toBe(answered);
  });

  test("of a user key's permissions is refused, as they are its user's; sending those is no change", async () => {
    const { record } = await core.newKey({ user_id: core.records.userId });
    const pair = { resource: "audit", action: "read" } as const;
    expect(pathsOf(await core.keys.grant(admin, record.id, pair))).toEqual(["permissions"]);
    expect(pathsOf(await core.keys.withdraw(admin, record.id, pair))).toEqual(["permissions"]);
    expect(pathsOf(await core.keys.update(admin, record.id, { permissions: [pair] }))).toEqual(["permissions"]);
    const body = newKeyBody({ user_id: core.records.userId, permissions: [pair] });
    expect(pathsOf(await core.keys.create(admin, body))).toEqual(["permissions"]);
    const { permissions } = presentKey(record, core.clock.now());
    expect(succeeded(await core.keys.update(admin, record.id, { permissions })).ownPermissions).toBe(0);
    expect((await core.newKey({ user_id: core.records.userId, permissions })).record.ownPermissions).toBe(0);
  });

  test("adds a permission once and removes it once; repeating either is no error", async () => {
    const { record } = await core.newKey({ permissions: [] });
    const pair = { resource: "audit", action: "read" } as const;
    for (const [change, expected] of [
      [core.keys.grant, [pair]],
      [core.keys.grant, [pair]],
      [core.keys.withdraw, []],
      [core.keys.withdraw, []],
    ] as const)
      expect(presentKey(succeeded(await change(admin, record.id, pair)), core.clock.now()).permissions).toEqual([
        ...expected,
      ]);
  });
});

describe("what is decided about a key, without a database:", () => {
  const now = "2026-06-01T00:00:00.000Z";
  const clock = { after: (seconds: number) => new Date(Date.parse(now) + seconds * 1000).toISOString() };
  const issued = { key: "vis_web_site_new", hash: "hash", start: "vis_web" };
  const rotated = (fields: Partial<KeyRecord>, graceSeconds: number) =>
    keyRotated(admin, keyRecord(fields), { graceSeconds, secrets: { issue: () => issued }, clock });

  test("the previous secret works as long as was asked for, never after the key's expiry, and not at all once it ended", () => {
    const ends = (fields: Partial<KeyRecord>) => {
      const decided = succeeded(rotated(fields, 60));
      return decided.does === "rotate" ? decided.previousEndsAt : decided.does;
    };
    expect(ends({})).toBe(clock.after(60));
    expect(ends({ expiresAt: clock.after(90) })).toBe(clock.after(60));
    expect(ends({ expiresAt: clock.after(30) })).toBe(clock.after(30));
    expect(ends({ active: false })).toBe(now);
    expect(ends(userKeyRecord(holder({ active: false })))).toBe(now);
    expect(ends(userKeyRecord(holder()))).toBe(clock.after(60));
  });

  test("the end of an old secret changes nothing if there is none that works", () => {
    const old = (endsAt: string) => ({ start: "vis", endsAt, lastUsedAt: null, uses: 0, usesDay: null });
    expect(graceEnded(admin, keyRecord(), now)).toBeNull();
    expect(graceEnded(admin, keyRecord({ oldSecret: old(now) }), now)).toBeNull();
    expect(graceEnded(admin, keyRecord({ oldSecret: old(clock.after(1)) }), now)).toEqual({ does: "end-grace" });
  });

  test("whoever holds less than the key may neither change, rotate nor remove it, nor end its old secret", () => {
    const weak = superAdminKey({ association: "dealer", dealerId: 1 });
    const key = keyRecord();
    const wanted = { operation: "key.update", plan: () => key } as const;
    const rotation = { graceSeconds: 0, secrets: { issue: () => issued }, clock };
    for (const decided of [
      keyChanged(weak, wanted, { key, named: null }),
      keyRotated(weak, key, rotation),
      graceEnded(weak, key, now),
      keyRemoved(weak, key),
    ])
      expect(causeOf(decided)?.kind).toBe("escalation");
  });
});
