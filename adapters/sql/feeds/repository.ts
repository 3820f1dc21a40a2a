import { sql, type Updateable } from "kysely";
import type { ScopedChange } from "../../../core/access/scoped-change.ts";
import { type Timestamp, timestampAfter } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import type { FeedFetch } from "../../../core/feeds/feed.ts";
import { type FeedRepository, UnknownDealers } from "../../../core/feeds/feed-repository.ts";
import { accessChange } from "../access/access-change.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { type Filtering, newestFirstPages } from "../query/newest-first.ts";
import { isWithin } from "../query/scope.ts";
import { isOneOf } from "../query/slices.ts";
import type { NewRow, Tables } from "../query/tables.ts";
import { answeredOf, FEED_COLUMNS, fieldColumns, makerColumns, ownerOf, storedOf } from "./stored.ts";

/** The number of fetches that are kept of each feed. */
const KEPT_FETCHES = 20;

/** Without earlier counts the next fetch is not compared with them. */
const UNCOUNTED = {
  held: null,
  counted_state: null,
  counted_rows: null,
  counted_left_out: null,
  counted_reason: null,
} as const;

type InScope = Pick<ScopedChange, "id" | "scope">;

const presentFeeds = (on: Queries) => on.selectFrom("feeds").select(FEED_COLUMNS).where("deleted_at", "is", null);

const feedIn = (on: Queries, { id, scope }: InScope) => presentFeeds(on).where("id", "=", id).where(isWithin(scope));

const setColumns = (tx: Tx, { id, scope }: InScope, columns: Updateable<Tables["feeds"]>) =>
  tx.updateTable("feeds").set(columns).where("id", "=", id).where(isWithin(scope)).execute();

const forgetFetches = (tx: Tx, id: number) => tx.deleteFrom("feed_fetches").where("feed_id", "=", id).execute();

const fetchesOf = async (on: Queries, id: number): Promise<FeedFetch[]> => {
  const rows = await on
    .selectFrom("feed_fetches")
    .select(["at", "address", "agent", "status", "row_count as rows", "left_out"])
    .where("feed_id", "=", id)
    .orderBy("id", "desc")
    .limit(sql.lit(KEPT_FETCHES))
    .execute();
  return rows;
};

/** Feeds in SQL; see the port for what it guarantees. */
export const makeFeedRepository = (db: SqlDatabase): FeedRepository => {
  const audit = auditTrail(db);
  // A feed's address gives access to vehicles as a key does, so its changes count as changes of access.
  const changeAccess = accessChange(db);

  const pages = newestFirstPages(
    db,
    { table: "feeds", texts: ["settings", "dealer_ids"] },
    ({ has, param }: Filtering<{ scope: number }>) =>
      presentFeeds(db).$if(has("scope"), (query) => query.where("dealer_id", "=", param("scope"))),
  );

  const locked = async (tx: Tx, which: InScope) =>
    (await feedIn(tx, which).modifyEnd(db.forUpdate).executeTakeFirst()) ?? null;

  const addToken = (tx: Tx, feedId: number, hash: string) =>
    tx.insertInto("feed_tokens").values({ hash, feed_id: feedId, ends_at: null }).execute();

  const unknownDealersIn = async (tx: Tx, ids: readonly number[] | null): Promise<UnknownDealers | null> => {
    if (ids === null) return null;
    const rows = await tx
      .selectFrom("dealers")
      .select("id")
      .where(isOneOf(db, ids))
      .modifyEnd(db.forKeyShare)
      .execute();
    const unknown = ids.filter((id) => !rows.some((known) => known.id === id));
    return unknown.length === 0 ? null : new UnknownDealers(unknown);
  };

  /**
   * The timestamp of a change. It is later than the last change and the last fetch, as the feed's version covers both.
   */
  const changeTimestamp = async (
    tx: Tx,
    id: number,
    { before, now }: { readonly before: Timestamp; readonly now: Timestamp },
  ) => {
    const [last] = await fetchesOf(tx, id);
    return timestampAfter(last !== undefined && last.at > before ? last.at : before, now);
  };

  const answered = async (
    row: Parameters<typeof answeredOf>[0],
    seen: { visibility: Parameters<typeof answeredOf>[1]["visibility"]; now: Timestamp },
  ) => {
    const token = await db
      .selectFrom("feed_tokens")
      .select("ends_at")
      .where("feed_id", "=", row.id)
      .where("ends_at", ">", seen.now)
      .orderBy("ends_at", "desc")
      .executeTakeFirst();
    return answeredOf(row, {
      visibility: seen.visibility,
      fetches: await fetchesOf(db, row.id),
      graceUntil: token?.ends_at ?? null,
    });
  };

  return {
    insert: ({ fields, endedBy = null, tokenHash, now, by }) =>
      changeAccess(by, now, async (tx) => {
        const unknown = await unknownDealersIn(tx, fields.dealer_ids);
        if (unknown !== null) return unknown;
        const row = await tx
          .insertInto("feeds")
          .values({
            created_at: now,
            updated_at: now,
            deleted_at: null,
            ...fieldColumns({ fields, endedBy }),
            ...makerColumns(by),
            ...UNCOUNTED,
            seen_state: null,
            modified_at: null,
            hour_at: null,
            hour_count: 0,
          } satisfies NewRow<"feeds">)
          .returning("id")
          .executeTakeFirstOrThrow();
        await addToken(tx, row.id, tokenHash);
        await audit(tx, {
          at: now,
          by,
          action: "feed.created",
          resourceId: row.id,
          dealerId: ownerOf(fields),
          before: null,
          after: { id: row.id, ...fields },
        });
        return row.id;
      }),

    async find(id, { scope, visibility, now }) {
      const row = await feedIn(db, { id, scope }).executeTakeFirst();
      return row === undefined ? null : answered(row, { visibility, now });
    },

    async list({ scope, visibility, limit, after, now }) {
      const { rows, ...page } = await pages({ dealer: scope, filters: scope === null ? {} : { scope }, limit, after });
      return { items: await Promise.all(rows.map((row) => answered(row, { visibility, now }))), ...page };
    },

    async stored(id, scope) {
      const row = await feedIn(db, { id, scope }).executeTakeFirst();
      return row === undefined ? null : storedOf(row);
    },

    update: ({ id, scope, now, by, takesOver, decide }) =>
      changeAccess(by, now, async (tx) => {
        const row = await locked(tx, { id, scope });
        if (row === null) return null;
        const stored = storedOf(row);
        const decided = decide(stored);
        if (decided instanceof Failure) return decided;
        const { fields, endedBy } = decided;
        const unknown = await unknownDealersIn(tx, fields.dealer_ids);
        if (unknown !== null) return unknown;
        const updated_at = await changeTimestamp(tx, id, { before: stored.updatedAt, now });
        const isHandedOver = ownerOf(fields) !== row.dealer_id;
        await setColumns(
          tx,
          { id, scope },
          {
            ...fieldColumns({ fields, endedBy }),
            ...(takesOver && makerColumns(by)),
            ...(isHandedOver && UNCOUNTED),
            updated_at,
          },
        );
        if (isHandedOver) await forgetFetches(tx, id);
        await audit(tx, {
          at: now,
          by,
          action: "feed.changed",
          resourceId: id,
          dealerId: ownerOf(stored.fields),
          before: stored.fields,
          after: fields,
          recordName: stored.fields.name,
        });
        return true;
      }),

    rotate: ({ id, scope, now, by, tokenHash, graceEnds, refusal }) =>
      changeAccess(by, now, async (tx) => {
        const row = await locked(tx, { id, scope });
        if (row === null) return null;
        const refused = refusal(storedOf(row));
        if (refused !== null) return refused;
        await tx.deleteFrom("feed_tokens").where("feed_id", "=", id).where("ends_at", "is not", null).execute();
        await tx.updateTable("feed_tokens").set({ ends_at: graceEnds }).where("feed_id", "=", id).execute();
        await addToken(tx, id, tokenHash);
        const updated_at = await changeTimestamp(tx, id, { before: row.updated_at, now });
        await setColumns(tx, { id, scope }, { ...makerColumns(by), updated_at });
        await audit(tx, {
          at: now,
          by,
          action: "feed.rotated",
          resourceId: id,
          dealerId: row.dealer_id,
          before: {},
          after: { grace_until: graceEnds > now ? graceEnds : null },
          recordName: row.name,
        });
        return true;
      }),

    release: ({ id, scope, now, by }) =>
      changeAccess(by, now, async (tx) => {
        const row = await locked(tx, { id, scope });
        if (row === null) return null;
        if (row.held === null) return true;
        const updated_at = await changeTimestamp(tx, id, { before: row.updated_at, now });
        await setColumns(tx, { id, scope }, { ...UNCOUNTED, updated_at });
        await audit(tx, {
          at: now,
          by,
          action: "feed.released",
          resourceId: id,
          dealerId: row.dealer_id,
          before: { held: JSON.parse(row.held) },
          after: { held: null },
          recordName: row.name,
        });
        return true;
      }),

    remove: ({ id, scope, now, by, refusal }) =>
      changeAccess(by, now, async (tx) => {
        const row = await locked(tx, { id, scope });
        if (row === null) return null;
        const stored = storedOf(row);
        const refused = refusal(stored);
        if (refused !== null) return refused;
        const updated_at = timestampAfter(row.updated_at, now);
        await setColumns(tx, { id, scope }, { deleted_at: updated_at, updated_at });
        await forgetFetches(tx, id);
        const { fields } = stored;
        await audit(tx, {
          at: now,
          by,
          action: "feed.removed",
          resourceId: id,
          dealerId: row.dealer_id,
          before: { id, ...fields },
          after: null,
        });
        return true;
      }),
  };
};
