import { Database } from "bun:sqlite";
import { SQLITE_SETTINGS } from "../../adapters/sql/sqlite/settings.ts";
import { serveBare } from "./bare.ts";
import { sqliteInventory } from "./sqlite-inventory.ts";

/** The base on Bun's own SQLite. */
const connection = new Database(process.env.DATABASE_FILE ?? "");
for (const setting of SQLITE_SETTINGS) connection.run(`PRAGMA ${setting}`);

serveBare(sqliteInventory((text) => connection.prepare(text)));
