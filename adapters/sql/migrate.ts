import { MIGRATIONS } from "../../migrations/index.ts";
import type { SqlDatabase } from "./database.ts";

/** The database was made by a newer version of the service, whose changes this one does not know. */
export class NewerSchema extends Error {
  override readonly name = "NewerSchema";
}

const CREATE_LEDGER = "CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY)";
const READ_LEDGER = "SELECT name FROM schema_migrations ORDER BY name";

/**
 * Brings the schema up to date, all pending migrations in one transaction, and returns their names. Safe when several
 * processes start at once. Throws NewerSchema, with nothing changed, when the database knows migrations that this program does not.
 */
export const migrateToLatest = async (db: SqlDatabase): Promise<string[]> => {
  const applied: string[] = [];
  await db.migrate(async (run) => {
    await run(CREATE_LEDGER);
    const done = new Set((await run(READ_LEDGER)).map(({ name }) => name));
    for (const { name } of MIGRATIONS) done.delete(name) || applied.push(name);
    if (done.size > 0)
      throw new NewerSchema(
        `the database was made by a newer version of this program (it has ${[...done].join(", ")}); start that version`,
      );
    for (const migration of MIGRATIONS) {
      if (!applied.includes(migration.name)) continue;
      for (const text of migration.statements(db.engine)) await run(text);
      await run(`INSERT INTO schema_migrations (name) VALUES ('${migration.name}')`);
    }
  });
  return applied;
};
