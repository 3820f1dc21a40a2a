import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Principal } from "../../../core/access/principal.ts";
import { type AuditQuery, type AuditSight, sightOfAudit } from "../../../core/audit/audit.ts";
import { dealerKey, superAdminKey, userKey } from "../callers.ts";
import { newKeyBody, newUserBody, openUseCases, succeeded, type UseCases } from "../use-cases.ts";

const SIGHTS: readonly (readonly [string, Principal, AuditSight])[] = [
  ["a super-admin key", superAdminKey(), "everything"],
  ["the key of a super-admin user", userKey("super_admin", null), "everything"],
  ["a dealer's key", dealerKey(7), { dealerId: 7 }],
  ["a dealer admin's key", userKey("dealer_admin", 7), { dealerId: 7 }],
  ["the key of a user without a dealer", userKey("user", null, { keyId: 12 }), { byKeyId: 12 }],
  ["a caller without a key, a dealer or a role above", userKey("user", null, { keyId: null }), { byKeyId: 0 }],
];

describe("sight of the audit log", () => {
  for (const [name, caller, sight] of SIGHTS)
    test(`of ${name} is ${JSON.stringify(sight)}`, () => {
      expect(sightOfAudit(caller)).toEqual(sight);
    });
});

describe("the audit log", () => {
  let core: UseCases;
  let keyId: number;
  let userId: number;
  let secrets: string[];
  const admin = superAdminKey({ keyId: 42 });

  beforeAll(async () => {
    core = await openUseCases();
    const made = succeeded(await core.keys.create(admin, newKeyBody()));
    keyId = made.record.id;
    succeeded(await core.keys.update(admin, keyId, { name: "Renamed" }));
    const rotated = succeeded(await core.keys.rotate(admin, keyId, {}));
    succeeded(await core.keys.remove(admin, keyId));
    userId = succeeded(await core.users.create(admin, newUserBody("robin@harbor.example.com"))).id;
    succeeded(await core.users.deactivate(admin, userId));
    secrets = [made.apiKey, rotated.apiKey];
  });
  afterAll(() => core.db.close());

  const told = async (query: AuditQuery) =>
    succeeded(await core.audit.list(admin, query)).items.map(({ action, subject_id }) => [action, subject_id]);

  test("tells every change to keys and users, newest first, and by which key it was made", async () => {
    expect<unknown>(await told({})).toEqual([
      ["user.changed", userId],
      ["user.created", userId],
      ["key.removed", keyId],
      ["key.rotated", keyId],
      ["key.changed", keyId],
      ["key.created", keyId],
    ]);
    const { items } = succeeded(await core.audit.list(admin, {}));
    expect(new Set(items.map(({ by_key_id }) => by_key_id))).toEqual(new Set([42]));
  });

  test("keeps what a key was after it is removed, and never a secret or its hash", async () => {
    const { items } = succeeded(await core.audit.list(admin, { action: "key.removed" }));
    expect(items.map(({ record }) => record)).toMatchObject([{ id: keyId, name: "Renamed", app_id: "showroom-site" }]);
    const text = JSON.stringify(succeeded(await core.audit.list(admin, {})));
    for (const secret of secrets) {
      expect(text).not.toInclude(secret);
      expect(text).not.toInclude(new Bun.CryptoHasher("sha256").update(secret).digest("hex"));
    }
  });

  test("is narrowed to one kind of change, to one key or user, or to both", async () => {
    expect<unknown>(await told({ action: "user.created" })).toEqual([["user.created", userId]]);
    expect((await told({ subject_id: keyId })).filter(([, id]) => id !== keyId)).toEqual([]);
    expect<unknown>(await told({ action: "key.rotated", subject_id: keyId })).toEqual([["key.rotated", keyId]]);
    expect(await told({ action: "key.rotated", subject_id: keyId + 1000 })).toEqual([]);
  });

  test("is told page by page", async () => {
    const whole = await told({});
    expect([await told({ limit: 2 }), await told({ limit: 2, offset: 2 })]).toEqual([
      whole.slice(0, 2),
      whole.slice(2, 4),
    ]);
  });
});
