import { type SqlBool, sql } from "kysely";
import type { Visibility } from "../../../core/access/visibility.ts";
import {
  OUTCOMES,
  type UsageRepository,
  type UsageWindow,
  type VisibleKey,
} from "../../../core/keys/usage-repository.ts";
import { isKeyVisible, USAGE_VISIBLE_AFTER } from "../access/key-visibility.ts";
import { REFUSED } from "../access/refusals.ts";
import { kindOf } from "../access/visibility.ts";
import type { SqlDatabase } from "../query/database.ts";
import { isOneOf } from "../query/slices.ts";

const isWithin = ({ first, last }: UsageWindow) => sql<SqlBool>`hour >= ${first} AND hour <= ${last}`;
const REQUESTS = sql<number>`served + denied + limited + failed + unauthorized`;
// They are summed as 32-bit integers: PostgreSQL adds up 64-bit ones as decimals, which is slower. No hour of a key has
// more.
const TOTALS = OUTCOMES.map((name) => sql<number>`SUM(CAST(${sql.ref(name)} AS INTEGER))`.as(name));

const END_OF_TIME = sql<string>`'9999'`;

/** Stored usage of keys; see the port for what it guarantees. */
export const makeUsageRepository = (db: SqlDatabase): UsageRepository => {
  /** The hours of keys in which each of them is seen. */
  const hoursOf = (keys: readonly VisibleKey[], window: UsageWindow) => {
    const rows = sql.val(JSON.stringify(keys.map(({ id, after }) => [id, after])));
    return db
      .selectFrom(db.jsonRows(rows, { seen_id: "integer", visible_after: "text" }).as("seen"))
      .innerJoin("key_usage_hours", (join) => join.onRef("key_id", "=", "seen_id").onRef("hour", ">", "visible_after"))
      .select("key_id as keyId")
      .where(isWithin(window));
  };
  return {
    // `after` restricts usage to the time since the key was bound to its dealer, unless the reader may see all of it.
    async of({ id, after }, window) {
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
        .where(isWithin(window))
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

    async byKey(keys, window) {
      if (keys.length === 0) return [];
      return hoursOf(keys, window)
        .select(["hour", REQUESTS.as("requests"), REFUSED.as("refused")])
        .execute();
    },

    async sums(keys, window) {
      return keys.length === 0 ? [] : hoursOf(keys, window).select(TOTALS).groupBy("key_id").execute();
    },

    async totals(visibility: Visibility, window) {
      if (visibility === "everything")
        // The usage of deleted keys is subtracted, so that an hour may have no requests left.
        return db
          .selectFrom("usage_hours")
          .select(["hour", ...OUTCOMES])
          .where(isWithin(window))
          .where(REQUESTS, ">", 0)
          .orderBy("hour")
          .execute();
      const since = USAGE_VISIBLE_AFTER[kindOf(visibility)];
      const present = db
        .selectFrom("api_keys")
        .select(["api_keys.id as bound_id", since.as("since"), END_OF_TIME.as("until")])
        .where(isKeyVisible(visibility));
      // A key's periods at a dealer never overlap, so that no hour is counted twice.
      const bound =
        "dealerId" in visibility
          ? present.unionAll(
              db
                .selectFrom("past_bindings")
                .select(["key_id as bound_id", "since", "until"])
                .where("dealer_id", "=", visibility.dealerId),
            )
          : present;
      return db
        .selectFrom(bound.as("bound"))
        .innerJoin("key_usage_hours", (join) =>
          join.onRef("key_id", "=", "bound_id").onRef("hour", ">", "since").onRef("hour", "<", "until"),
        )
        .select("hour")
        .select(TOTALS)
        .where(isWithin(window))
        .groupBy("hour")
        .orderBy("hour")
        .execute();
    },
  };
};
