import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { MIGRATIONS } from "../../migrations/index.ts";
import type { Migration } from "../../migrations/migration.ts";

const migrateWith = (db: SqlDatabase, migrations: readonly Migration[]): Promise<void> =>
  db.migrate(async (run) => {
    await run("CREATE TABLE schema_migrations (name TEXT PRIMARY KEY)");
    for (const { name, statements } of migrations) {
      for (const text of statements(db.engine)) await run(text);
      await run(`INSERT INTO schema_migrations (name) VALUES ('${name}')`);
    }
  });

/** Migrates an empty database without some migrations; it can be brought up to date later. */
export const migrateWithout = (db: SqlDatabase, ...without: readonly Migration[]): Promise<void> =>
  migrateWith(
    db,
    MIGRATIONS.filter((one) => !without.includes(one)),
  );

/** Migrates an empty database to the schema before a migration; it can be brought up to date later. */
export const migrateBefore = (db: SqlDatabase, migration: Migration): Promise<void> =>
  migrateWith(db, MIGRATIONS.slice(0, MIGRATIONS.indexOf(migration)));
