import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeAuditLog } from "../../adapters/sql/audit.ts";
import type { SqlDatabase } from "../../adapters/sql/database.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers.ts";
import { makeKeyRepository } from "../../adapters/sql/keys.ts";
import { makeUserRepository } from "../../adapters/sql/users.ts";
import type { AuditEntry, AuditLog, AuditSight } from "../../core/audit/audit.ts";
import { ENGINES } from "../support/engines.ts";
import {
  actingKey,
  dealerFields,
  keyFields,
  made,
  momentAfter,
  newSecret,
  OPERATOR,
  userFields,
} from "../support/records.ts";

const PAGE = { limit: 100, offset: 0 };
const EVERYTHING = "everything" as const;
const [FIRST_KEY, SECOND_KEY] = [7, 8];

for (const engine of ENGINES)
  describe(`audit log on ${engine.name}`, () => {
    let db: SqlDatabase;
    let log: AuditLog;
    let north: number;
    let keyId: number;
    let userId: number;
    const secrets = [newSecret(), newSecret()] as const;

    beforeAll(async () => {
      db = await engine.open();
      log = makeAuditLog(db);
      const keys = makeKeyRepository(db, () => {});
      const users = makeUserRepository(db, () => {});
      const dealers = makeDealerRepository(db);
      north = (await dealers.insert(dealerFields(), OPERATOR)).id;
      const south = (await dealers.insert(dealerFields(), OPERATOR)).id;

      const by = actingKey(FIRST_KEY);
      let key = made(await keys.insert(keyFields({ dealerId: north }), secrets[0], momentAfter(0), by));
      keyId = key.id;
      const renamed = keyFields({ dealerId: north, name: "Renamed" });
      key = made(await keys.update(key, EVERYTHING, renamed, momentAfter(1), by));
      key = made(await keys.rotate(key, EVERYTHING, secrets[1], momentAfter(2), momentAfter(2), by));
      await keys.remove(key, EVERYTHING, momentAfter(3), by);
      const user = made(await users.insert(userFields({ dealerId: north }), momentAfter(4), actingKey(SECOND_KEY)));
      userId = user.id;
      await users.update(user, EVERYTHING, { ...user, active: false }, momentAfter(5), OPERATOR);
      await keys.insert(keyFields({ dealerId: south }), newSecret(), momentAfter(6), actingKey(SECOND_KEY));
    });
    afterAll(() => db.close());

    const actions = async (sight: AuditSight, filter: Parameters<AuditLog["list"]>[1] = {}): Promise<string[]> =>
      (await log.list(sight, filter, PAGE)).items.map(({ action, at }) => `${action} ${Date.parse(at) % 1000}`);

    test("has every change to keys and users, newest first, with when and by whom", async () => {
      const entries = (await log.list(EVERYTHING, {}, PAGE)).items;
      expect(entries.map(({ action, at, by_key_id }) => [action, at, by_key_id])).toEqual([
        ["key.created", momentAfter(6), SECOND_KEY],
        ["user.changed", momentAfter(5), null],
        ["user.created", momentAfter(4), SECOND_KEY],
        ["key.removed", momentAfter(3), FIRST_KEY],
        ["key.rotated", momentAfter(2), FIRST_KEY],
        ["key.changed", momentAfter(1), FIRST_KEY],
        ["key.created", momentAfter(0), FIRST_KEY],
      ]);
    });

    test("has what the record became, or was when it was removed", async () => {
      const records = (await log.list(EVERYTHING, { subjectId: keyId }, PAGE)).items
        .filter(({ action }) => action.startsWith("key."))
        .map((entry: AuditEntry) => [entry.record.id, entry.record.name, entry.dealer_id]);
      expect(records).toEqual([
        [keyId, "Renamed", north],
        [keyId, "Renamed", north],
        [keyId, "Renamed", north],
        [keyId, "Showroom website", north],
      ]);
      const [changed] = (await log.list(EVERYTHING, { action: "user.changed" }, PAGE)).items;
      expect(changed?.record).toMatchObject({ id: userId, active: false });
    });

    test("never has a secret or its hash", async () => {
      const everything = JSON.stringify(await log.list(EVERYTHING, {}, PAGE));
      expect(everything).toContain(secrets[1].start);
      for (const { key, hash } of secrets) {
        expect(everything).not.toContain(key);
        expect(everything).not.toContain(key.slice(-28));
        expect(everything).not.toContain(hash);
      }
    });

    test("a change that did not happen leaves no entry", async () => {
      const before = (await log.list(EVERYTHING, {}, PAGE)).total;
      const keys = makeKeyRepository(db, () => {});
      await keys.insert(keyFields({ dealerId: 999_999 }), newSecret(), momentAfter(9), OPERATOR);
      await makeUserRepository(db, () => {}).insert(userFields({ dealerId: 999_999 }), momentAfter(9), OPERATOR);
      expect((await log.list(EVERYTHING, {}, PAGE)).total).toBe(before);
    });

    const NORTH_ENTRIES = [
      "user.changed 5",
      "user.created 4",
      "key.removed 3",
      "key.rotated 2",
      "key.changed 1",
      "key.created 0",
    ];

    test("in the sight of a dealer has that dealer's entries only, in the sight of a key what it did", async () => {
      await actions(EVERYTHING);
      expect(await actions({ dealerId: north })).toEqual(NORTH_ENTRIES);
      expect((await log.list({ dealerId: north }, {}, PAGE)).total).toBe(NORTH_ENTRIES.length);
      expect(await actions({ byKeyId: SECOND_KEY })).toEqual(["key.created 6", "user.created 4"]);
      expect((await log.list({ byKeyId: SECOND_KEY }, {}, PAGE)).total).toBe(2);
    });

    test("is narrowed by action and subject, within the sight", async () => {
      expect(await actions({ dealerId: north }, { action: "key.created" })).toEqual(["key.created 0"]);
      expect(await actions({ byKeyId: SECOND_KEY }, { action: "key.removed" })).toEqual([]);
      expect(await actions({ byKeyId: FIRST_KEY }, { subjectId: keyId, action: "key.rotated" })).toEqual([
        "key.rotated 2",
      ]);
    });

    test("is paged, and the total counts all", async () => {
      const page = await log.list({ dealerId: north }, {}, { limit: 2, offset: 1 });
      expect(page.items.map(({ action }) => action)).toEqual(["user.created", "key.removed"]);
      expect(page.total).toBe(NORTH_ENTRIES.length);
    });
  });
