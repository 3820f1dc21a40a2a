import { describe, expect, test } from "bun:test";
import { refusalOf } from "../../../core/keys/credentials.ts";
import type { KeyRecord } from "../../../core/keys/key.ts";
import { allowsOrigin } from "../../../core/keys/origins.ts";
import { permissionSet } from "../../../core/permissions.ts";
import { changeStoredKey } from "../../support/key-changes.ts";
import { superAdminKey } from "../callers.ts";
import { openFixture } from "../use-case-fixture.ts";
import { newKeyBody, pathsOf, succeeded } from "../use-cases.ts";
import { dealerKeyRecord, holder, keyRecord, userKeyRecord } from "./key-records.ts";

const core = openFixture();
const admin = superAdminKey();
const READ = [
  { resource: "vehicles", action: "read" },
  { resource: "dealers", action: "read" },
] as const;
const WRITE = { resource: "vehicles", action: "write" } as const;

describe("a public key", () => {
  const body = ({
    permissions = READ,
    ...fields
  }: {
    readonly permissions?: unknown;
    readonly [field: string]: unknown;
  } = {}) =>
    newKeyBody({
      dealer_id: core.records.dealerId,
      public: true,
      ...(permissions !== null && { permissions }),
      ...fields,
    });
  const publicKey = async (): Promise<KeyRecord> => succeeded(await core.keys.create(admin, body())).record;

  test("is a dealer's web key that reads vehicles and dealers, or less", async () => {
    expect(await publicKey()).toMatchObject({ isPublic: true, allowedOrigins: null, association: "dealer" });
    for (const permissions of [[], [READ[0]], null])
      expect(succeeded(await core.keys.create(admin, body({ permissions, public: 1 }))).record.isPublic).toBe(true);
  });

  for (const [name, fields, paths] of [
    ["another app type", { app_type: "mobile" }, ["app_type"]],
    ["no dealer", { dealer_id: null }, ["public"]],
    ["more permissions", { permissions: [...READ, WRITE] }, ["permissions"]],
    ["a permission to read something else", { permissions: [{ resource: "keys", action: "read" }] }, ["permissions"]],
    ["all of these", { app_type: "desktop", dealer_id: null, permissions: null }, ["app_type", "public"]],
  ] as const)
    test(`is not made with ${name}, and each field is named`, async () => {
      expect(pathsOf(await core.keys.create(admin, body(fields)))).toEqual([...paths]);
    });

  test("is not made for a user, whose rights may grow", async () => {
    const fields = { dealer_id: null, user_id: core.records.userId, permissions: null };
    expect(pathsOf(await core.keys.create(admin, body(fields)))).toEqual(["user_id"]);
  });

  test("never comes to hold more: by its permissions, app type, dealer or user", async () => {
    const { id } = await publicKey();
    const put = async (changes: object) => pathsOf(await core.keys.update(admin, id, changes));
    expect(await put({ permissions: [WRITE] })).toEqual(["permissions"]);
    expect(await put({ app_type: "desktop" })).toEqual(["app_type"]);
    expect(await put({ dealer_id: null })).toEqual(["public"]);
    expect(await put({ user_id: core.records.userId })).toEqual(["user_id"]);
    expect(pathsOf(await core.keys.grant(admin, id, WRITE))).toEqual(["permissions"]);
    expect(succeeded(await core.keys.get(admin, id))).toMatchObject({ isPublic: true, appType: "web" });
    expect(await put({ dealer_id: core.otherRecords.dealerId, name: "Moved" })).toBeNull();
    succeeded(await core.keys.grant(admin, id, READ[0]));
    expect(await put({ public: false, permissions: [WRITE] })).toBeNull();
  });

  test("is not made of a key that holds more already", async () => {
    const made = async (fields: Readonly<Record<string, unknown>>) =>
      succeeded(await core.keys.create(admin, newKeyBody(fields))).record.id;
    const dealer_id = core.records.dealerId;
    const turned = async (fields: Readonly<Record<string, unknown>>) =>
      pathsOf(await core.keys.update(admin, await made({ dealer_id, ...fields }), { public: true }));
    expect(await turned({ permissions: [WRITE] })).toEqual(["public"]);
    expect(await turned({ app_type: "mobile" })).toEqual(["public"]);
    expect(await turned({})).toBeNull();
  });

  test("that holds more nevertheless is refused, and can be ended", async () => {
    const reads = permissionSet(["vehicles:read"]);
    const marked = { isPublic: true, ownPermissions: reads };
    expect(refusalOf(dealerKeyRecord(7, marked))).toBeNull();
    for (const key of [
      dealerKeyRecord(7, { ...marked, ownPermissions: permissionSet(["vehicles:write"]) }),
      dealerKeyRecord(7, { ...marked, appType: "mobile" }),
      keyRecord(marked),
      userKeyRecord(holder({ dealerId: 7, permissions: reads }), marked),
    ])
      expect(refusalOf(key)).toBe("too_strong_for_public");
    const { id } = await publicKey();
    const strong = { ...(await core.storedKeys.find(id, "everything")), ownPermissions: permissionSet(["keys:read"]) };
    const seen = succeeded(await core.keys.get(admin, id));
    await changeStoredKey(core.storedKeys, seen, {
      does: "change",
      fields: { ...seen, ownPermissions: strong.ownPermissions },
      now: core.clock.now(),
      by: admin,
    });
    expect(pathsOf(await core.keys.update(admin, id, { active: false }))).toBeNull();
    expect(succeeded(await core.keys.revoke(admin, id)).active).toBe(false);
  });
});

describe("the origins of a key", () => {
  test("allow pages of these origins as browsers name them, and programs, which name none", () => {
    const allowed = ["https://WWW.harbor.example.com:443", "http://localhost:3000", "http://127.0.0.1:80"];
    for (const origin of [null, "https://www.harbor.example.com", "http://localhost:3000", "http://127.0.0.1"])
      expect(allowsOrigin(allowed, origin)).toBe(true);
    for (const origin of [
      "",
      "null",
      "http://www.harbor.example.com",
      "https://harbor.example.com",
      "https://www.harbor.example.com.evil.example",
      "https://www.harbor.example.com:8443",
      "http://localhost",
    ])
      expect([origin, allowsOrigin(allowed, origin)]).toEqual([origin, false]);
  });
});
