import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import { LOCK_WAIT_MS } from "../../adapters/sql/postgres/until-unlocked.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { proofs } from "../../migrations/0010-proofs.ts";
import { settings } from "../../migrations/0016-settings.ts";
import { MIGRATIONS } from "../../migrations/index.ts";
import { migrateWithout } from "../support/earlier-schema.ts";
import { connect } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { postgres } from "../support/postgres.ts";
import { keyFields, MOMENT, made, momentAfter, newSecret, OPERATOR } from "../support/records.ts";

setDefaultTimeout(300_000);

/** True while a session waits for a lock in this database. */
const isWaitedFor = async (observer: SQL): Promise<boolean> => {
  const [{ waiting }] = await observer.unsafe(
    "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return waiting > 0;
};

/** A database with two connections: one acts like an instance of the previous version, and one observes. */
const beside = async <Result>(
  work: (parts: { url: string; before: SQL; onlooker: SQL }) => Promise<Result>,
): Promise<Result> => {
  const url = await (await postgres()).freshDatabase();
  const [before, onlooker] = [new SQL(url, { max: 1 }), new SQL(url, { max: 1 })];
  try {
    return await work({ url, before, onlooker });
  } finally {
    await Promise.all([before.close(), onlooker.close()]);
  }
};

describe("while instances of the previous version run beside new ones on PostgreSQL,", () => {
  test("two concurrent changes of one key do not deadlock: the second one changes what the first one left", () =>
    beside(async ({ url, before, onlooker }) => {
      const db = connect(url);
      await migrateToLatest(db);
      const keys = makeKeyRepository(db, () => {});
      const key = made(await keys.insert({ key: keyFields(), secret: newSecret(), now: MOMENT, by: OPERATOR }));

      // The previous version updates the key first and then, through a trigger, the version of access.
      await before.unsafe("BEGIN");
      await before.unsafe(`SELECT 1 FROM api_keys WHERE id = ${key.id} FOR UPDATE`);
      const context = { id: key.id, visibility: "everything", now: momentAfter(1000), by: OPERATOR } as const;
      const changed = keys.change(context, (now) => ({ does: "change", fields: { ...now, name: "By the new one" } }));
      await eventually(() => isWaitedFor(onlooker), Boolean);
      const moment = momentAfter(2000);
      await before.unsafe(`UPDATE api_keys SET description = 'Changed', updated_at = '${moment}' WHERE id = ${key.id}`);
      await before.unsafe("COMMIT");

      await changed;
      const after = { name: "By the new one", description: "Changed" };
      expect(made(await keys.find(key.id, "everything"))).toMatchObject(after);
      await db.close();
    }));

  test("a schema update that cannot start yet blocks nobody, and runs as soon as it can", () =>
    beside(async ({ url, before, onlooker }) => {
      const db = connect(url);
      await migrateWithout(db, proofs);
      // A long read, such as a dump.
      await before.unsafe("BEGIN");
      await before.unsafe("SELECT 1 FROM sessions");
      const migrated = migrateToLatest(db);
      await eventually(() => isWaitedFor(onlooker), Boolean);

      // The update may stand before others in the queue only for so short a time that nothing of theirs is cancelled.
      const [{ ms }] = await onlooker.unsafe(
        "SELECT setting::int AS ms FROM pg_settings WHERE name = 'deadlock_timeout'",
      );
      expect(LOCK_WAIT_MS).toBeLessThan(ms);
      expect(await onlooker.unsafe("SELECT count(*)::int AS count FROM sessions")).toEqual([{ count: 0 }]);
      await before.unsafe("COMMIT");
      expect(await migrated).toEqual([proofs.name]);
      await db.close();
    }));

  const isUsable = async (onlooker: SQL): Promise<boolean> =>
    (await onlooker.unsafe("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('vehicles_by_vin')"))[0]
      ?.indisvalid === true;

  test("an index of vehicles is created while others change them", () =>
    beside(async ({ url, before, onlooker }) => {
      const db = connect(url);
      await migrateToLatest(db);
      await before.unsafe("DROP INDEX vehicles_by_vin");
      // The index has to wait for this change.
      await before.unsafe("BEGIN");
      await before.unsafe("DELETE FROM vehicles");
      const migrated = migrateToLatest(db);
      await eventually(() => isWaitedFor(onlooker), Boolean);

      await onlooker.unsafe("DELETE FROM vehicles");
      expect(await isUsable(onlooker)).toBe(false);
      await before.unsafe("COMMIT");
      await migrated;
      expect(await isUsable(onlooker)).toBe(true);
      await db.close();
    }));

  test("an interrupted creation of an index is repeated, by one of the processes that start", () =>
    beside(async ({ url, onlooker }) => {
      const [one, other] = [connect(url), connect(url)];
      await migrateToLatest(one);
      await onlooker.unsafe("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'vehicles_by_vin'::regclass");
      await Promise.all([migrateToLatest(one), migrateToLatest(other)]);
      expect(await isUsable(onlooker)).toBe(true);
      await Promise.all([one.close(), other.close()]);
    }));

  test("no later migration creates an index of an existing table in its transaction, which would lock the table", () => {
    for (const { name, statements } of MIGRATIONS.slice(MIGRATIONS.indexOf(settings) + 1)) {
      const texts = statements("postgres");
      const own = texts.flatMap((text) => /^CREATE TABLE (\w+)/.exec(text)?.[1] ?? []);
      const indexed = texts.flatMap((text) => /^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/.exec(text)?.[1] ?? []);
      expect([name, indexed.filter((table) => !own.includes(table))]).toEqual([name, []]);
    }
  });
});
