import { Database } from "bun:sqlite";
import { serveBare } from "./bare.ts";
import { DURABILITY, sqliteInventory } from "./sqlite-inventory.ts";

/** The base on Bun's own SQLite. */
const connection = new Database(process.env.DATABASE_FILE ?? "");
for (const pragma of DURABILITY) connection.run(`PRAGMA ${pragma}`);

serveBare(sqliteInventory((text) => connection.prepare(text)));
