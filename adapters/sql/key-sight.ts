import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Seen } from "./sight.ts";
import { param } from "./statement.ts";

/** Keys bound to a dealer, themselves or through their user. */
const boundTo = (dealer: RawBuilder<number>): RawBuilder<SqlBool> => sql<SqlBool>`api_keys.id IN (
  SELECT key_id FROM dealer_keys WHERE dealer_id = ${dealer}
  UNION ALL SELECT of_user.id FROM api_keys AS of_user JOIN users AS holder ON holder.id = of_user.user_id
  WHERE holder.dealer_id = ${dealer} AND of_user.association = 'user')`;

/** The moment behind which what a key was used for is told; the empty text, which is before all, for the whole past. */
export const TOLD_AFTER: Readonly<Record<Seen, RawBuilder<string>>> = {
  everything: sql<string>`''`,
  dealer: sql<string>`COALESCE(api_keys.bound_since, '')`,
  user: sql<string>`COALESCE(api_keys.bound_since, '')`,
};

const sinceBound = (moment: string): RawBuilder<SqlBool> => sql<SqlBool>`${sql.ref(moment)} > ${TOLD_AFTER.dealer}`;

/** Whether something of a moment is told: only super-admins hear of what was before the key came to its dealer. */
export const TOLD: Readonly<Record<Seen, (moment: string) => RawBuilder<SqlBool>>> = {
  everything: () => sql<SqlBool>`1 = 1`,
  dealer: sinceBound,
  user: sinceBound,
};

/** The part of the WHERE that a sight of keys demands. */
export const SEES: Readonly<Record<Seen, RawBuilder<SqlBool>>> = {
  everything: sql<SqlBool>`1 = 1`,
  dealer: boundTo(param<number>("sightDealer")),
  user: sql<SqlBool>`api_keys.user_id = ${param("sightUser")}`,
};
