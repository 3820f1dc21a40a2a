import Sqlite from "better-sqlite3";
import { serveBare } from "./bare.ts";
import { DURABILITY, sqliteInventory } from "./sqlite-inventory.ts";
import type { Value } from "./vehicle.ts";

/** The base of the comparisons on SQLite: as little as possible between a socket and better-sqlite3. */
const connection = new Sqlite(process.env.DATABASE_FILE ?? "");
for (const pragma of DURABILITY) connection.pragma(pragma);

serveBare(sqliteInventory((text) => connection.prepare<Value[]>(text)));
