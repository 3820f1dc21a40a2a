import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Visibility } from "../../../core/access/visibility.ts";
import type { UsageCounts, UsageHour, UsageRepository, VisibleKey } from "../../../core/keys/usage-repository.ts";
import { OUTCOMES } from "../../../core/keys/usage-repository.ts";
import { IS_KEY_VISIBLE, isKeyVisible, USAGE_VISIBLE_AFTER } from "../access/key-visibility.ts";
import { REFUSED } from "../access/refusals.ts";
import { kindOf, type VisibilityKind, visibilityValues } from "../access/visibility.ts";
import type { SqlDatabase } from "../query/database.ts";
import { isOneOf } from "../query/slices.ts";
import { param, type Statement, sqlStatement, statement } from "../query/statement.ts";

const within = sql<SqlBool>`hour >= ${param("first")} AND hour <= ${param("last")}`;
const requests = sql<number>`served + denied + limited + failed + unauthorized`;
// They are summed as 32-bit integers: PostgreSQL adds up 64-bit ones as decimals, which is slower. No hour of a key has
// more.
const total = (column: string) => sql<number>`SUM(CAST(${sql.ref(column)} AS INTEGER)) AS ${sql.ref(column)}`;

const END_OF_TIME = sql<string>`'9999'`;

const statementsOf = (db: SqlDatabase) => {
  const byVisibility = <Row>(query: (sees: RawBuilder<SqlBool>, visibility: VisibilityKind) => Statement<Row>) => ({
    everything: query(IS_KEY_VISIBLE.everything, "everything"),
    dealer: query(IS_KEY_VISIBLE.dealer, "dealer"),
    user: query(IS_KEY_VISIBLE.user, "user"),
  });
  const seenKeys = db.jsonRows(param<string>("keys"), { seen_id: "integer", visible_after: "text" });
  return {
    byKey: sqlStatement(
      db,
      sql<{ keyId: number; hour: string; requests: number; refused: number }>`
      SELECT key_id AS ${sql.ref("keyId")}, hour, ${requests} AS requests, ${REFUSED} AS refused FROM ${seenKeys} AS seen
      JOIN key_usage_hours ON key_id = seen_id AND hour > visible_after WHERE ${within}`,
    ),
    sums: sqlStatement(
      db,
      sql<UsageCounts & { keyId: number }>`
      SELECT key_id AS ${sql.ref("keyId")}, ${sql.join(OUTCOMES.map(total))} FROM ${seenKeys} AS seen
      JOIN key_usage_hours ON key_id = seen_id AND hour > visible_after WHERE ${within} GROUP BY key_id`,
    ),
    totals: byVisibility((sees, visibility) => {
      if (visibility === "everything") {
        const allHours = db.selectFrom("usage_hours").select(["hour", ...OUTCOMES]);
        // The usage of deleted keys is subtracted, so that an hour may have no requests left.
        return statement(() => allHours.where(within).where(requests, ">", 0).orderBy("hour"));
      }
      // A key's periods at a dealer never overlap, so that no hour is counted twice.
      const present = sql`SELECT api_keys.id AS bound_id, ${USAGE_VISIBLE_AFTER[visibility]} AS since, ${END_OF_TIME} AS until
        FROM api_keys WHERE ${sees}`;
      const past = sql`SELECT key_id, since, until FROM past_bindings WHERE dealer_id = ${param("visibleDealer")}`;
      const bound = visibility === "dealer" ? sql`${present} UNION ALL ${past}` : present;
      return sqlStatement(
        db,
        sql<UsageHour>`SELECT hour, ${sql.join(OUTCOMES.map(total))} FROM (${bound}) AS bound
        JOIN key_usage_hours ON key_id = bound_id AND hour > since AND hour < until
        WHERE ${within} GROUP BY hour ORDER BY hour`,
      );
    }),
  };
};

const seenListOf = (keys: readonly VisibleKey[]): string => JSON.stringify(keys.map(({ id, after }) => [id, after]));

/** Stored usage of keys; see the port for what it guarantees. */
export const makeUsageRepository = (db: SqlDatabase): UsageRepository => {
  const statements = statementsOf(db);
  return {
    // `after` restricts usage to the time since the key was bound to its dealer, unless the reader may see all of it.
    async of({ id, after }, { first, last }) {
      const lastUse = await db
        .selectFrom("key_usage")
        .select(["last_used_at as at", "address", "user_agent"])
        .where("key_id", "=", id)
        .where("last_used_at", ">", after)
        .executeTakeFirst();
      const hours = await db
        .selectFrom("key_usage_hours")
        .select(["hour", ...OUTCOMES])
        .where("key_id", "=", id)
        .where("hour", ">", after)
        .where("hour", ">=", first)
        .where("hour", "<=", last)
        .orderBy("hour")
        .execute();
      const denials = await db
        .selectFrom("key_denials")
        .select(["at", "status", "code", "method", "route", "address"])
        .where("key_id", "=", id)
        .where("at", ">", after)
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        .execute();
      return { hours, lastUse: lastUse ?? null, denials };
    },

    async visibleKeys(visibility: Visibility, keyIds) {
      if (keyIds.length === 0) return [];
      return db
        .selectFrom("api_keys")
        .select(["api_keys.id", USAGE_VISIBLE_AFTER[kindOf(visibility)].as("after")])
        .where(isOneOf(db, keyIds))
        .where(isKeyVisible(visibility))
        .execute();
    },

    async byKey(keys, { first, last }) {
      return keys.length === 0 ? [] : db.all(statements.byKey, { keys: seenListOf(keys), first, last });
    },

    async sums(keys, { first, last }) {
      return keys.length === 0 ? [] : db.all(statements.sums, { keys: seenListOf(keys), first, last });
    },

    async totals(visibility: Visibility, { first, last }) {
      return db.all(statements.totals[kindOf(visibility)], { ...visibilityValues(visibility), first, last });
    },
  };
};
