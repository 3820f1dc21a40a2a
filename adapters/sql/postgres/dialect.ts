import { PostgresJSDialect } from "kysely-postgres-js";
import { rejectConnection } from "../query/dialect.ts";

/** How Kysely compiles statements for PostgreSQL. Its own driver is never used. */
export const postgresDialect = new PostgresJSDialect({ postgres: rejectConnection });
