import postgres from "postgres";
import { serveBare } from "./bare.ts";
import { postgresInventory } from "./postgres-inventory.ts";

/** The same with postgres.js, also with prepared statements. */
const pool = postgres(process.env.DATABASE_URL ?? "", { max: Number(process.env.DATABASE_CONNECTIONS) });

serveBare(postgresInventory({ unsafe: (text, values) => pool.unsafe(text, values, { prepare: true }) }));
