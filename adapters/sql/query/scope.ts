import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";

/** The WHERE condition for the records of a caller's scope, in a query of one table. */
export const isWithin = (scope: DealerScope): RawBuilder<SqlBool> =>
  scope === null ? sql<SqlBool>`1 = 1` : sql<SqlBool>`dealer_id = ${scope}`;
