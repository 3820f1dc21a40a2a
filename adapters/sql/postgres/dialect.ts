import { PostgresJSDialect } from "kysely-postgres-js";
import { queriesOf, rejectConnection } from "../query/driver.ts";

/** Kysely's queries of PostgreSQL, for whatever runs statements there. */
export const postgresQueries = queriesOf(new PostgresJSDialect({ postgres: rejectConnection }));
