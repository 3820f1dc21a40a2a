import type { SqlDatabase } from "../../adapters/sql/database.ts";
import { MIGRATIONS } from "../../migrations/index.ts";
import type { Migration } from "../../migrations/migration.ts";

/** Brings an empty database to the schema as it is without one migration; it can be brought up to date later. */
export const migrateWithout = (db: SqlDatabase, migration: Migration): Promise<void> =>
  db.migrate(async (run) => {
    await run("CREATE TABLE schema_migrations (name TEXT PRIMARY KEY)");
    for (const { name, statements } of MIGRATIONS.filter((one) => one !== migration)) {
      for (const text of statements(db.engine)) await run(text);
      await run(`INSERT INTO schema_migrations (name) VALUES ('${name}')`);
    }
  });
