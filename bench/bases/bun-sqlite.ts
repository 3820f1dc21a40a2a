import { Database } from "bun:sqlite";
import { DURABILITY, serveBare } from "./bare.ts";

/** The base on Bun's own SQLite. */
const connection = new Database(process.env.DATABASE_FILE ?? "");
for (const pragma of DURABILITY) connection.run(`PRAGMA ${pragma}`);

serveBare((text) => connection.prepare(text));
