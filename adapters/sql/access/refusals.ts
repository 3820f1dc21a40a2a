import { type SqlBool, sql } from "kysely";

/** The refused requests of an hour of a key. */
export const REFUSED = sql<number>`denied + limited + unauthorized`;

/** Whether there are any. It is the condition of an index, word for word. */
export const HAS_REFUSED = sql<SqlBool>`denied + limited + unauthorized > 0`;
