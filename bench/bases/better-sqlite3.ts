import Sqlite from "better-sqlite3";
import { SQLITE_SETTINGS } from "../../adapters/sql/sqlite/settings.ts";
import { serveBare } from "./bare.ts";
import { sqliteInventory } from "./sqlite-inventory.ts";
import type { Value } from "./vehicle.ts";

/** The base of the comparisons on SQLite, with as little as possible between the socket and better-sqlite3. */
const connection = new Sqlite(process.env.DATABASE_FILE ?? "");
for (const setting of SQLITE_SETTINGS) connection.pragma(setting);
// A crash of the machine may then lose the last writes, which the service must not.
if (process.argv[2] === "lazy") connection.pragma("synchronous = NORMAL");

serveBare(sqliteInventory((text) => connection.prepare<Value[]>(text)));
