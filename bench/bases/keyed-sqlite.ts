import { hash } from "node:crypto";
import Sqlite from "better-sqlite3";
import { SQLITE_SETTINGS } from "../../adapters/sql/sqlite/settings.ts";
import { sqliteInventory } from "./sqlite-inventory.ts";
import type { Value } from "./vehicle.ts";

/**
 * A hand-written service over better-sqlite3 without its routes: the vehicles, and the check of API keys. It runs on
 * Bun and on Node.
 */
export const openKeyedSqlite = (file: string) => {
  const connection = new Sqlite(file);
  for (const setting of SQLITE_SETTINGS) connection.pragma(setting);
  const secrets = connection
    .prepare<[], { hash: string; key_id: number }>("SELECT hash, key_id FROM key_secrets")
    .all();
  const keys = new Map(secrets.map((secret) => [secret.hash, secret.key_id]));
  return {
    inventory: sqliteInventory((text) => connection.prepare<Value[]>(text)),
    /** Whether the database had this key when the server started. */
    isKnown: (key: string | undefined): boolean => key !== undefined && keys.has(hash("sha256", key)),
  };
};
