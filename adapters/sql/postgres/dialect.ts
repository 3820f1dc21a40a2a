import { PostgresJSDialect } from "kysely-postgres-js";
import { rejectConnection } from "../query/dialect.ts";
import { queriesOf } from "../query/driver.ts";

/** How Kysely compiles statements for PostgreSQL. Its own driver is never used. */
export const postgresDialect = new PostgresJSDialect({ postgres: rejectConnection });

/** Kysely's queries of PostgreSQL, for whatever runs statements there. */
export const postgresQueries = queriesOf(postgresDialect);
