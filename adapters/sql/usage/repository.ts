import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Visibility } from "../../../core/access/visibility.ts";
import type { UsageCounts, UsageHour, UsageRepository, VisibleKey } from "../../../core/keys/usage-repository.ts";
import { OUTCOMES } from "../../../core/keys/usage-repository.ts";
import { IS_KEY_VISIBLE, USAGE_VISIBLE_AFTER } from "../access/key-visibility.ts";
import { REFUSED } from "../access/refusals.ts";
import { kindOf, type VisibilityKind, visibilityValues } from "../access/visibility.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, type Statement, sqlStatement, statement } from "../query/statement.ts";

const within = sql<SqlBool>`hour >= ${param("first")} AND hour <= ${param("last")}`;
/** Restricts usage to the time since the key was bound to its dealer, unless the reader may see all of it. */
const isVisible = (column: "hour" | "at" | "last_used_at") => sql<SqlBool>`${sql.ref(column)} > ${param("after")}`;
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
  const listed = sql<number>`(SELECT key_id FROM ${db.jsonRows(param<string>("keys"), { key_id: "integer" })} AS named)`;
  const seenKeys = db.jsonRows(param<string>("keys"), { seen_id: "integer", visible_after: "text" });
  return {
    hours: statement(() =>
      db
        .selectFrom("key_usage_hours")
        .select(["hour", ...OUTCOMES])
        .where("key_id", "=", param("key_id"))
        .where(isVisible("hour"))
        .where(within)
        .orderBy("hour"),
    ),
    lastUse: statement(() =>
      db
        .selectFrom("key_usage")
        .select(["last_used_at as at", "address", "user_agent"])
        .where("key_id", "=", param("key_id"))
        .where(isVisible("last_used_at")),
    ),
    denials: statement(() =>
      db
        .selectFrom("key_denials")
        .select(["at", "status", "code", "method", "route", "address"])
        .where("key_id", "=", param("key_id"))
        .where(isVisible("at"))
        .orderBy("at", "desc")
        .orderBy("id", "desc"),
    ),
    visible: byVisibility((sees, visibility) =>
      statement(() =>
        db
          .selectFrom("api_keys")
          .select(["api_keys.id", USAGE_VISIBLE_AFTER[visibility].as("after")])
          .where("api_keys.id", "in", listed)
          .where(sees),
      ),
    ),
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

const listOf = (keyIds: readonly number[]): string => JSON.stringify(keyIds.map((id) => [id]));
const seenListOf = (keys: readonly VisibleKey[]): string => JSON.stringify(keys.map(({ id, after }) => [id, after]));

/** Stored usage of keys; see the port for what it guarantees. */
export const makeUsageRepository = (db: SqlDatabase): UsageRepository => {
  const statements = statementsOf(db);
  return {
    async of({ id, after }, { first, last }) {
      const key = { key_id: id, after };
      const [lastUse] = await db.all(statements.lastUse, key);
      return {
        hours: await db.all(statements.hours, { ...key, first, last }),
        lastUse: lastUse ?? null,
        denials: await db.all(statements.denials, key),
      };
    },

    async visibleKeys(visibility: Visibility, keyIds) {
      if (keyIds.length === 0) return [];
      return db.all(statements.visible[kindOf(visibility)], { ...visibilityValues(visibility), keys: listOf(keyIds) });
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
