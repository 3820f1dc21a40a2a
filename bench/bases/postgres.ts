import { SQL } from "bun";
import { serveBare } from "./bare.ts";
import { postgresInventory } from "./postgres-inventory.ts";

/** The base of the comparisons on PostgreSQL: Bun's own driver with the same number of connections as the service. */
const pool = new SQL(process.env.DATABASE_URL ?? "", { max: Number(process.env.DATABASE_CONNECTIONS), prepare: true });

serveBare(postgresInventory(pool));
