import type BetterSqlite3 from "better-sqlite3";
import { MIGRATIONS } from "../../../migrations/index.ts";
import { Sqlite } from "./addon.ts";

type Connection = BetterSqlite3.Database;

/** Thrown if a SQLite file cannot be used. The message tells the operator why. */
export class UnusableFile extends Error {
  override readonly name = "UnusableFile";
}

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

/** The reason why SQLite could not read a file; `null` if the error is not about the file's content. */
export const damageOf = (error: unknown): string | null => {
  const code = codeOf(error);
  if (code === "SQLITE_NOTADB") return "it is damaged, or not a SQLite database";
  return code.startsWith("SQLITE_CORRUPT") ? "it is damaged" : null;
};

/** True if the error was caused by a lock of another connection. */
export const isInUse = (error: unknown): boolean => /^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error));

const damageIn = (connection: Connection): string | null => {
  const verdict = connection.pragma("integrity_check(1)", { simple: true });
  if (verdict !== "ok") return `it is damaged: ${String(verdict).replaceAll(/\s+/g, " ")}`;
  const [orphan] = connection.pragma("foreign_key_check") as { table: string }[];
  return orphan === undefined ? null : `it is damaged: rows of ${orphan.table} belong to nothing`;
};

const NAMES = "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

const namesIn = (connection: Connection): Set<unknown> => new Set(connection.prepare(NAMES).pluck().all());

/** The names of all tables, indexes and triggers that exist after these migrations. */
const namesAfter = (migrations: ReadonlySet<unknown>): Set<unknown> => {
  const model = new Sqlite(":memory:");
  try {
    for (const migration of MIGRATIONS)
      if (migrations.has(migration.name)) for (const text of migration.statements("sqlite")) model.exec(text);
    return namesIn(model);
  } finally {
    model.close();
  }
};

/** The migrations that were applied to a database. There are none if this service did not create it. */
const migrationsIn = (connection: Connection): Set<unknown> => {
  try {
    return new Set(connection.prepare("SELECT name FROM schema_migrations ORDER BY name").pluck().all());
  } catch (error) {
    if (codeOf(error) === "SQLITE_ERROR") return new Set();
    throw error;
  }
};

const mismatchIn = (connection: Connection): string | null => {
  const present = namesIn(connection);
  const applied = migrationsIn(connection);
  const newer = [...applied].filter((name) => !MIGRATIONS.some((migration) => migration.name === name));
  const missing = [...namesAfter(applied)].filter((name) => !present.has(name));
  if (newer.length === applied.size || missing.length > 0) return "it is not a database of this service";
  return newer.length > 0 ? `it was made by a newer version of this program (it has ${newer.join(", ")})` : null;
};

/**
 * The reason why a file cannot serve as the database, as the rest of a sentence that begins with the file's name;
 * `null` if it can. Reads the whole file. Nobody else may use the file meanwhile: its `-wal` and `-shm` files, which
 * could still be written into it, are removed.
 */
export const faultOf = (file: string): string | null => {
  let connection: Connection | undefined;
  try {
    connection = new Sqlite(file, { fileMustExist: true });
    connection.pragma("journal_mode = DELETE");
    return damageIn(connection) ?? mismatchIn(connection);
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    return damage;
  } finally {
    connection?.close();
  }
};
