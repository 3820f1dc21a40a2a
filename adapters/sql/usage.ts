import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Sight } from "../../core/keys/key-repository.ts";
import type { Denial, LastUse, UsageHour, UsageRepository } from "../../core/keys/usage-repository.ts";
import { OUTCOMES } from "../../core/keys/usage-repository.ts";
import type { SqlDatabase } from "./database.ts";
import { SEES } from "./key-sight.ts";
import { kindOf, type Seen, sightValues } from "./sight.ts";
import { param, type Statement, statement } from "./statement.ts";

const within = sql<SqlBool>`hour >= ${param("first")} AND hour <= ${param("last")}`;
const requests = sql<number>`served + denied + limited + failed + unauthorized`;
// Of shorter numbers, as PostgreSQL would add up long ones as decimals, in three times the time; no hour of one key has more.
const total = (column: string) => sql<number>`SUM(CAST(${sql.ref(column)} AS INTEGER))`.as(column);

const statementsOf = (db: SqlDatabase) => {
  const bySight = <Row>(query: (sees: RawBuilder<SqlBool>, sight: Seen) => Statement<Row>) => ({
    everything: query(SEES.everything, "everything"),
    dealer: query(SEES.dealer, "dealer"),
    user: query(SEES.user, "user"),
  });
  const listed = sql<number>`(SELECT key_id FROM ${db.rows(param<string>("keys"), { key_id: "integer" })} AS named)`;
  return {
    hours: statement(() =>
      db.build
        .selectFrom("key_usage_hours")
        .select(["hour", ...OUTCOMES])
        .where("key_id", "=", param("key_id"))
        .where(within)
        .orderBy("hour")
        .$castTo<UsageHour>(),
    ),
    lastUse: statement(() =>
      db.build
        .selectFrom("key_usage")
        .select(["last_used_at as at", "address", "user_agent"])
        .where("key_id", "=", param("key_id"))
        .$castTo<LastUse>(),
    ),
    denials: statement(() =>
      db.build
        .selectFrom("key_denials")
        .select(["at", "status", "code", "method", "route", "address"])
        .where("key_id", "=", param("key_id"))
        .orderBy("at", "desc")
        .orderBy("id", "desc")
        .$castTo<Denial>(),
    ),
    among: bySight((sees) =>
      statement(() =>
        db.build.selectFrom("api_keys").select("api_keys.id").where("api_keys.id", "in", listed).where(sees),
      ),
    ),
    byKey: statement(() =>
      db.build
        .selectFrom("key_usage_hours")
        .select(["key_id as keyId", "hour", requests.as("requests")])
        .where("key_id", "in", listed)
        .where(within),
    ),
    totals: bySight((sees, sight) => {
      if (sight === "everything") {
        const kept = db.build.selectFrom("usage_hours").select(["hour", ...OUTCOMES]);
        // What keys that are removed since were used for is taken away, and may leave nothing.
        return statement(() => kept.where(within).where(requests, ">", 0).orderBy("hour").$castTo<UsageHour>());
      }
      const ofKeys = db.build.selectFrom("key_usage_hours").select(["hour", ...OUTCOMES.map(total)]);
      const keys = sql<number>`(SELECT api_keys.id FROM api_keys WHERE ${sees})`;
      return statement(() =>
        ofKeys.where("key_id", "in", keys).where(within).groupBy("hour").orderBy("hour").$castTo<UsageHour>(),
      );
    }),
  };
};

const listOf = (keyIds: readonly number[]): string => JSON.stringify(keyIds.map((id) => [id]));

/** What keys were used for, as it was written; see the port for what it guarantees. */
export const makeUsageRepository = (db: SqlDatabase): UsageRepository => {
  const statements = statementsOf(db);
  return {
    async of(keyId, { first, last }) {
      const [lastUse] = await db.all(statements.lastUse, { key_id: keyId });
      return {
        hours: await db.all(statements.hours, { key_id: keyId, first, last }),
        lastUse: lastUse ?? null,
        denials: await db.all(statements.denials, { key_id: keyId }),
      };
    },

    async among(sight: Sight, keyIds) {
      if (keyIds.length === 0) return [];
      const rows = await db.all(statements.among[kindOf(sight)], { ...sightValues(sight), keys: listOf(keyIds) });
      return rows.map(({ id }) => id);
    },

    async byKey(keyIds, { first, last }) {
      return keyIds.length === 0 ? [] : db.all(statements.byKey, { keys: listOf(keyIds), first, last });
    },

    async totals(sight: Sight, { first, last }) {
      return db.all(statements.totals[kindOf(sight)], { ...sightValues(sight), first, last });
    },
  };
};
