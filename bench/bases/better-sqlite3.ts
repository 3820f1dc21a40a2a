import { Sqlite } from "../../adapters/sql/sqlite-addon.ts";
import { DURABILITY, serveBare } from "./bare.ts";
import type { Value } from "./vehicle.ts";

/** The base of all comparisons: as little as possible between a socket and better-sqlite3. */
const connection = new Sqlite(process.env.DATABASE_FILE ?? "");
for (const pragma of DURABILITY) connection.pragma(pragma);

serveBare((text) => connection.prepare<Value[]>(text));
