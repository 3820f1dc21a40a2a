import { MIGRATIONS } from "../../../migrations/index.ts";
import { DatabaseUnavailable, type SqlDatabase } from "../query/database.ts";
import type { Statement } from "../query/statement.ts";
import { storedFigures } from "../report/stored-figures.ts";
import { vehicleSpellings } from "../search/spellings.ts";
import { searchWords } from "../search/words.ts";
import { refoldEmails } from "./refold-emails.ts";

/** Thrown if a newer version of the service has updated the database, so that this version does not know its schema. */
export class NewerSchema extends Error {
  override readonly name = "NewerSchema";
}

const newer = (unknown: ReadonlySet<unknown>): NewerSchema =>
  new NewerSchema(
    `the database was made by a newer version of this program (it has ${[...unknown].join(", ")}); start that version`,
  );

const CREATE_LEDGER = "CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY)";
const READ_LEDGER = "SELECT name FROM schema_migrations ORDER BY name";
const READ_APPLIED: Statement<{ name: string }> = { text: READ_LEDGER, bind: () => [] };

/** Thrown if the database lacks migrations, and the program was told not to apply them. */
class OlderSchema extends Error {
  override readonly name = "OlderSchema";
}

/** The migrations that were applied to a database. There are none if the table of migrations is missing. */
const appliedIn = async (db: SqlDatabase): Promise<readonly { readonly name: string }[]> => {
  try {
    return await db.all(READ_APPLIED, {});
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    return [];
  }
};

/** Checks that the schema is exactly the one that this program knows. Changes nothing. */
export const requireLatest = async (db: SqlDatabase): Promise<void> => {
  const rows = await appliedIn(db);
  const done = new Set(rows.map(({ name }) => name));
  const missing = MIGRATIONS.filter(({ name }) => !done.delete(name));
  if (done.size > 0) throw newer(done);
  if (missing.length > 0)
    throw new OlderSchema(
      `the database lacks ${missing.map(({ name }) => name).join(", ")}; run the migrate command, or start with MIGRATE=on`,
    );
};

/** What is said of a start that waits for the lock of the schema. */
export const WAITS_FOR_SCHEMA =
  "the start waits for another process that holds the lock of the database's schema, as one that updates it does";
/** It is said after this many pauses, which come to two seconds. A process that stands still has one pause, not many. */
const SILENT_PAUSES = 20;
const PAUSE_MS = 100;

/** Runs work that first waits for other processes, and then calls `begun`. If that takes two seconds, `onWait` is called. */
export const tellingOfWait = async (onWait: () => void, work: (begun: () => void) => Promise<void>): Promise<void> => {
  let pauses = 0;
  const waiting = setInterval(() => {
    pauses += 1;
    if (pauses === SILENT_PAUSES) onWait();
  }, PAUSE_MS);
  const begun = (): void => clearInterval(waiting);
  await work(begun).finally(begun);
};

/**
 * Applies all pending migrations in one transaction, and returns their names. Long work on many records follows in
 * steps; after an interruption, the next call continues. Several processes may start at once: if one of them keeps this
 * one waiting for two seconds, `onWait` is called. Throws NewerSchema, with nothing changed, if the database has
 * migrations that this program does not know.
 */
export const migrateToLatest = async (db: SqlDatabase, onWait: () => void = () => {}): Promise<string[]> => {
  let applied: string[] = [];
  const migrate = async (run: Parameters<Parameters<SqlDatabase["migrate"]>[0]>[0]): Promise<void> => {
    // It begins empty each time, as the work may be restarted.
    applied = [];
    await run(CREATE_LEDGER);
    const done = new Set((await run(READ_LEDGER)).map(({ name }) => name));
    for (const { name } of MIGRATIONS) done.delete(name) || applied.push(name);
    if (done.size > 0) throw newer(done);
    for (const migration of MIGRATIONS) {
      if (!applied.includes(migration.name)) continue;
      for (const text of migration.statements(db.engine)) await run(text);
      await run(`INSERT INTO schema_migrations (name) VALUES ('${migration.name}')`);
    }
  };
  await tellingOfWait(onWait, (begun) =>
    db.migrate((run) => {
      begun();
      return migrate(run);
    }),
  );
  const indexes = MIGRATIONS.flatMap((migration) => migration.indexes?.(db.engine) ?? []);
  await tellingOfWait(onWait, (begun) => db.addIndexes(indexes, begun));
  await refoldEmails(db);
  await vehicleSpellings(db).fill();
  await searchWords(db).fill();
  await storedFigures(db).fill();
  return applied;
};
