import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { Value } from "typebox/value";
import { sqlStatement } from "../../../adapters/sql/query/statement.ts";
import { AuditQuery } from "../../../core/audit/audit.ts";
import { changesBetween, resourceOf } from "../../../core/audit/audit-entry.ts";
import { superAdminKey } from "../callers.ts";
import { newKeyBody, newUserBody, openUseCases, succeeded, type UseCases } from "../use-cases.ts";

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

  const listed = async (query: AuditQuery) =>
    succeeded(await core.audit.list(admin, query)).items.map(({ action, resource_id }) => [action, resource_id]);

  test("lists every change of keys and users, newest first, with the key that made it", async () => {
    expect<unknown>(await listed({})).toEqual([
      ["user.deactivated", userId],
      ["user.created", userId],
      ["key.removed", keyId],
      ["key.rotated", keyId],
      ["key.changed", keyId],
      ["key.created", keyId],
    ]);
    const { items } = succeeded(await core.audit.list(admin, {}));
    expect(new Set(items.map(({ actor }) => actor.id))).toEqual(new Set([42]));
  });

  test("can be filtered by one of four channels, and by no other word", async () => {
    const accepts = (via: string): boolean => Value.Check(AuditQuery, { via });
    expect(["api", "portal", "command", "service", "browser", ""].filter(accepts)).toEqual([
      "api",
      "portal",
      "command",
      "service",
    ]);
    expect(await listed({ via: "portal" })).toEqual([]);
    expect(await listed({ via: "api" })).toEqual(await listed({}));
  });

  test("keeps the fields of a removed key, and never a secret or its hash", async () => {
    const { items } = succeeded(await core.audit.list(admin, { action: "key.removed" }));
    expect(items.map(({ before }) => before)).toMatchObject([{ id: keyId, name: "Renamed", app_id: "showroom-site" }]);
    const text = JSON.stringify(succeeded(await core.audit.list(admin, {})));
    for (const secret of secrets) {
      expect(text).not.toInclude(secret);
      expect(text).not.toInclude(new Bun.CryptoHasher("sha256").update(secret).digest("hex"));
    }
  });

  test("can be filtered by one kind of change, one key or user, or both", async () => {
    expect<unknown>(await listed({ action: "user.created" })).toEqual([["user.created", userId]]);
    expect((await listed({ id: keyId })).filter(([, id]) => id !== keyId)).toEqual([]);
    expect<unknown>(await listed({ action: "key.rotated", id: keyId })).toEqual([["key.rotated", keyId]]);
    expect(await listed({ action: "key.rotated", id: keyId + 1000 })).toEqual([]);
  });

  test("accepts times in any time zone", async () => {
    expect(await listed({ to: "2001-01-01T00:00:00+02:00" })).toEqual([]);
  });

  test("is answered page by page", async () => {
    const whole = await listed({});
    expect([await listed({ limit: 2 }), await listed({ limit: 2, offset: 2 })]).toEqual([
      whole.slice(0, 2),
      whole.slice(2, 4),
    ]);
  });
});

describe("the difference between two states of a record", () => {
  const state = { id: 1, name: "Harbor", hours: { monday: "9-5" }, updated_at: "1", last_used_at: null };

  test("is every field that differs, at any depth, and no other", () => {
    const after = { ...state, name: "Harbour", hours: { monday: "9-6" }, updated_at: "2", last_used_at: "2" };
    expect(changesBetween(state, after)).toEqual({
      before: { name: "Harbor", hours: { monday: "9-5" } },
      after: { name: "Harbour", hours: { monday: "9-6" } },
    });
  });

  test("is nothing if nothing differs, and everything if the other state is missing", () => {
    expect(changesBetween(state, { ...state })).toEqual({ before: {}, after: {} });
    expect(changesBetween(null, state)).toEqual({ before: null, after: state });
    expect(changesBetween(state, null)).toEqual({ before: state, after: null });
  });
});

test("every operation is about the resource that its name begins with", () => {
  expect([
    resourceOf("vehicle.list"),
    resourceOf("image.add"),
    resourceOf("key.grant"),
    resourceOf("audit.list"),
  ]).toEqual(["vehicles", "images", "keys", null]);
});

describe("an export of the audit log", () => {
  let core: UseCases;
  /** Not a multiple of what is read at once. */
  const ENTRIES = 20_005;

  beforeAll(async () => {
    core = await openUseCases();
    const rows = sql`INSERT INTO audit_entries (created_at, actor_name, via, action, resource, resource_id)
      WITH RECURSIVE numbers (number) AS
        (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${sql.lit(ENTRIES)})
      SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + number, 'unixepoch'), 'Service', 'service', 'vehicle.seeded', 'vehicles', number FROM numbers`;
    await core.db.writeOne(sqlStatement(core.db, rows), {});
  });
  afterAll(() => core.db.close());

  test("has every entry once, newest first, reads them in small slices, and states the total", async () => {
    const { total, entries } = succeeded(await core.audit.export(superAdminKey(), {}));
    expect(total).toBe(ENTRIES);
    let next = ENTRIES;
    let most = 0;
    for (const read of entries) {
      const slice = await read();
      most = Math.max(most, slice.length);
      if (slice.some(({ resource_id }) => resource_id !== next--)) throw new Error(`not in order before ${next}`);
    }
    expect(next).toBe(0);
    // What is in memory at once.
    expect(most).toBe(200);
  });
});
