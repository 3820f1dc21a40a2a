import { sql, type Updateable } from "kysely";
import type { Principal } from "../../../core/access/principal.ts";
import type { Clock, Timestamp } from "../../../core/clock.ts";
import type { FeedMaker, FeedService, ServedFeed } from "../../../core/feeds/feed-repository.ts";
import { AS_STORED, type ShownAddresses } from "../../../core/images/own-address.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type { CredentialCache } from "../access/credential-cache.ts";
import { currentPrincipalOf } from "../access/current-principals.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, sqlStatement, statement } from "../query/statement.ts";
import type { Tables } from "../query/tables.ts";
import { feedReading } from "./reading.ts";
import { FEED_COLUMNS, fieldsOf } from "./stored.ts";

/** The time for which the expiry of a key may go unnoticed. Changes of keys and users are noticed at once. */
const CACHE_MS = 1000;
const MAX_CACHED = 1000;

/** The port for serving feeds, in SQL; see the port for what it guarantees. */
export const makeFeedService = (
  db: SqlDatabase,
  {
    clock,
    cache,
    shown = AS_STORED,
  }: {
    readonly clock: Clock;
    readonly cache: Pick<CredentialCache, "cacheValue">;
    readonly shown?: ShownAddresses;
  },
): FeedService => {
  // The token is looked up first, so that a wrong token takes the same time whether or not the feed exists.
  const feedByToken = statement(() =>
    db
      .selectFrom("feed_tokens")
      .innerJoin("feeds", "feeds.id", "feed_tokens.feed_id")
      .leftJoin("dealer_inventory", "dealer_inventory.dealer_id", "feeds.dealer_id")
      .select(FEED_COLUMNS.map((name) => `feeds.${name}` as const))
      .select([
        "feeds.deleted_at",
        "feeds.seen_state",
        "feeds.modified_at",
        "feeds.counted_state",
        "feeds.counted_rows",
        "feeds.counted_left_out",
        "feeds.hour_at",
        "feeds.hour_count",
        "dealer_inventory.mark",
      ])
      .where("feed_tokens.hash", "=", param("hash"))
      .where("feeds.id", "=", param("id"))
      .where((where) => where.or([where("ends_at", "is", null), where("ends_at", ">", param<string>("now"))])),
  );
  const sum = sql<number>`COALESCE(SUM(mark), 0)`.as("mark");
  const number = sql<number>`count(*)`.as("dealers");
  const ofAll = statement(() => db.selectFrom("dealer_inventory").select([sum, number]));
  const ofSome = sqlStatement(
    db,
    sql<{
      mark: number;
      dealers: number;
    }>`SELECT ${sum}, ${number} FROM dealer_inventory WHERE dealer_id IN (SELECT wanted
      FROM ${db.jsonRows(param<string>("dealers"), { wanted: "integer" })} AS wanted_dealers)`,
  );
  const marksOf = async (ids: readonly number[] | null): Promise<string> => {
    const [row] = await (ids === null
      ? db.all(ofAll, {})
      : db.all(ofSome, { dealers: JSON.stringify(ids.map((id) => [id])) }));
    return `${row?.mark} ${row?.dealers}`;
  };

  /** Sets columns of a feed, unless it was changed since. */
  const setColumns = async (id: number, updatedAt: Timestamp, columns: Updateable<Tables["feeds"]>): Promise<void> => {
    await db.updateTable("feeds").set(columns).where("id", "=", id).where("updated_at", "=", updatedAt).execute();
  };

  /** The present rights of each maker. They are read again after each change of access. */
  const cachedMakers = new Map<
    string,
    () => MaybePromise<{ readonly maker: Principal | null; readonly readMs: number }>
  >();
  const cachedMaker = (key: string, of: FeedMaker) => {
    const known = cachedMakers.get(key);
    if (known !== undefined) return known;
    if (cachedMakers.size >= MAX_CACHED) cachedMakers.clear();
    const made = cache.cacheValue(async () => ({
      maker: await currentPrincipalOf(db, of, clock.now()),
      readMs: clock.steadyMs(),
    }));
    cachedMakers.set(key, made);
    return made;
  };

  return {
    async findByToken(id, tokenHash, now): Promise<ServedFeed | null> {
      const row = await db.first(feedByToken, { id, hash: tokenHash, now });
      if (row === null) return null;
      const fields = fieldsOf(row);
      const isOfOne = row.dealer_id !== null;
      const mark = isOfOne ? String(row.mark) : await marksOf(fields.dealer_ids);
      return {
        id: row.id,
        isDeleted: row.deleted_at !== null,
        updatedAt: row.updated_at,
        fields,
        maker: { keyId: row.actor_key_id, userId: row.actor_user_id },
        held: row.held === null ? null : JSON.parse(row.held),
        state: `${row.updated_at} ${mark}`,
        seen:
          row.seen_state === null || row.modified_at === null
            ? null
            : { state: row.seen_state, modifiedAt: row.modified_at },
        counted:
          row.counted_state === null
            ? null
            : { state: row.counted_state, rows: row.counted_rows ?? 0, leftOut: row.counted_left_out ?? 0 },
        hour: row.hour_at === null ? null : { at: row.hour_at, count: row.hour_count },
      };
    },

    async maker(of) {
      const key = `${of.keyId} ${of.userId}`;
      const { maker, readMs } = await cachedMaker(key, of)();
      if (clock.steadyMs() - readMs < CACHE_MS) return maker;
      cachedMakers.delete(key);
      return (await cachedMaker(key, of)()).maker;
    },

    read: feedReading(db, { steadyMs: () => clock.steadyMs(), shown }),

    async saveState(id, { state, modifiedAt }) {
      await db.updateTable("feeds").set({ seen_state: state, modified_at: modifiedAt }).where("id", "=", id).execute();
    },

    saveCounts: (id, updatedAt, { state, rows, leftOut, reason }) =>
      setColumns(id, updatedAt, {
        counted_state: state,
        counted_rows: rows,
        counted_left_out: leftOut,
        counted_reason: reason === null ? null : JSON.stringify({ state, ...reason }),
      }),

    hold: (id, updatedAt, held) => setColumns(id, updatedAt, { held: JSON.stringify(held) }),
  };
};
