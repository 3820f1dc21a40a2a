import { sql } from "kysely";
import { type Timestamp, timestampAfter } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import type { FeedFetch } from "../../../core/feeds/feed.ts";
import { type FeedRepository, UnknownDealers } from "../../../core/feeds/feed-repository.ts";
import { accessChange } from "../access/access-change.ts";
import { auditTrail } from "../audit/trail.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { newestFirstPages } from "../query/newest-first.ts";
import { param, params, scopedStatement, sqlStatement, statement } from "../query/statement.ts";
import {
  answeredOf,
  FEED_COLUMNS,
  FIELD_COLUMNS,
  fieldColumns,
  insertion,
  MAKER_COLUMNS,
  makerColumns,
  ownerOf,
  storedOf,
} from "./stored.ts";

/** The number of fetches that are kept of each feed. */
const KEPT_FETCHES = 20;

/** Feeds in SQL; see the port for what it guarantees. */
export const makeFeedRepository = (db: SqlDatabase): FeedRepository => {
  const audit = auditTrail(db);
  // A feed's address gives access to vehicles as a key does, so its changes count as changes of access.
  const changeAccess = accessChange(db);

  const visible = (narrowed: boolean) =>
    db
      .selectFrom("feeds")
      .where("deleted_at", "is", null)
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope")));
  const one = (narrowed: boolean) => visible(narrowed).select(FEED_COLUMNS).where("id", "=", param("id"));
  const found = scopedStatement(one);
  const locked = scopedStatement((narrowed) => one(narrowed).modifyEnd(db.forUpdate));
  const pages = newestFirstPages(db, { table: "feeds", texts: ["settings", "dealer_ids"] }, (has) =>
    visible(has("scope")).select(FEED_COLUMNS),
  );
  const inserted = statement(() => insertion(db));
  const addToken = statement(() => db.insertInto("feed_tokens").values(params(["hash", "feed_id", "ends_at"])));
  const endOlder = sqlStatement(
    db,
    sql<object>`DELETE FROM feed_tokens WHERE feed_id = ${param("id")} AND ends_at IS NOT NULL`,
  );
  const endCurrent = sqlStatement(
    db,
    sql<object>`UPDATE feed_tokens SET ends_at = ${param("ends_at")} WHERE feed_id = ${param("id")}`,
  );
  const grace = sqlStatement(
    db,
    sql<{ ends_at: string }>`SELECT ends_at FROM feed_tokens
      WHERE feed_id = ${param("id")} AND ends_at > ${param("now")} ORDER BY ends_at DESC`,
  );
  const fetches = statement(() =>
    db
      .selectFrom("feed_fetches")
      .select(["at", "address", "agent", "status", "row_count", "left_out"])
      .where("feed_id", "=", param("id"))
      .orderBy("id", "desc")
      .limit(sql.lit(KEPT_FETCHES)),
  );
  const changing = (narrowed: boolean) =>
    db
      .updateTable("feeds")
      .set("updated_at", param("updated_at"))
      .where("id", "=", param("id"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope")));
  const changed = scopedStatement((narrowed) =>
    changing(narrowed).set({ ...params(FIELD_COLUMNS), ...params(MAKER_COLUMNS) }),
  );
  const takenOver = scopedStatement((narrowed) => changing(narrowed).set(params(MAKER_COLUMNS)));
  // The earlier counts are removed, so that the next fetch is not compared with them.
  const released = scopedStatement((narrowed) =>
    changing(narrowed).set({
      held: null,
      counted_state: null,
      counted_rows: null,
      counted_left_out: null,
      counted_reason: null,
    }),
  );
  const removed = scopedStatement((narrowed) => changing(narrowed).set("deleted_at", param("updated_at")));
  const forgotten = sqlStatement(db, sql<object>`DELETE FROM feed_fetches WHERE feed_id = ${param("id")}`);
  const dealers = sqlStatement(
    db,
    sql<{ id: number }>`SELECT id FROM dealers WHERE id IN (SELECT wanted FROM
      ${db.jsonRows(param<string>("dealers"), { wanted: "integer" })} AS wanted_dealers) ${db.forKeyShare}`,
  );

  const unknownDealersIn = async (tx: Sql, ids: readonly number[] | null): Promise<UnknownDealers | null> => {
    if (ids === null) return null;
    const known = (await tx.all(dealers, { dealers: JSON.stringify(ids.map((id) => [id])) })).map(({ id }) => id);
    const unknown = ids.filter((id) => !known.includes(id));
    return unknown.length === 0 ? null : new UnknownDealers(unknown);
  };

  const fetchesOf = async (source: Sql, id: number): Promise<FeedFetch[]> =>
    (await source.all(fetches, { id })).map(({ row_count, ...fetch }) => ({
      at: fetch.at,
      address: fetch.address,
      agent: fetch.agent,
      status: fetch.status,
      rows: row_count,
      left_out: fetch.left_out,
    }));

  /**
   * The timestamp of a change. It is later than the last change and the last fetch, as the feed's version covers both.
   */
  const changeTimestamp = async (
    tx: Sql,
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
    const [token] = await db.all(grace, { id: row.id, now: seen.now });
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
        const [row] = await tx.all(inserted, {
          created_at: now,
          updated_at: now,
          deleted_at: null,
          ...fieldColumns({ fields, endedBy }),
          ...makerColumns(by),
          held: null,
          seen_state: null,
          modified_at: null,
          counted_state: null,
          counted_rows: null,
          counted_left_out: null,
          counted_reason: null,
          hour_at: null,
          hour_count: 0,
        });
        if (row === undefined) throw new Error("a feed that was made has no number");
        await tx.all(addToken, { hash: tokenHash, feed_id: row.id, ends_at: null });
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
      const row = await db.first(found(scope), { id, scope });
      return row === null ? null : answered(row, { visibility, now });
    },

    async list({ scope, visibility, limit, after, now }) {
      const { rows, ...page } = await pages({ dealer: scope, filters: scope === null ? {} : { scope }, limit, after });
      return { items: await Promise.all(rows.map((row) => answered(row, { visibility, now }))), ...page };
    },

    async stored(id, scope) {
      const row = await db.first(found(scope), { id, scope });
      return row === null ? null : storedOf(row);
    },

    update: ({ id, scope, now, by, takesOver, decide }) =>
      changeAccess(by, now, async (tx) => {
        const [row] = await tx.all(locked(scope), { id, scope });
        if (row === undefined) return null;
        const stored = storedOf(row);
        const decided = decide(stored);
        if (decided instanceof Failure) return decided;
        const { fields, endedBy } = decided;
        const unknown = await unknownDealersIn(tx, fields.dealer_ids);
        if (unknown !== null) return unknown;
        const { actor_key_id, actor_user_id, actor_name, actor_dealer_id, via } = row;
        const moment = await changeTimestamp(tx, id, { before: stored.updatedAt, now });
        if (ownerOf(fields) !== row.dealer_id) {
          await tx.all(released(scope), { id, scope, updated_at: moment });
          await tx.all(forgotten, { id });
        }
        await tx.all(changed(scope), {
          id,
          scope,
          ...fieldColumns({ fields, endedBy }),
          ...(takesOver ? makerColumns(by) : { actor_key_id, actor_user_id, actor_name, actor_dealer_id, via }),
          updated_at: moment,
        });
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
        const [row] = await tx.all(locked(scope), { id, scope });
        if (row === undefined) return null;
        const refused = refusal(storedOf(row));
        if (refused !== null) return refused;
        await tx.all(endOlder, { id });
        await tx.all(endCurrent, { id, ends_at: graceEnds });
        await tx.all(addToken, { hash: tokenHash, feed_id: id, ends_at: null });
        await tx.all(takenOver(scope), {
          id,
          scope,
          ...makerColumns(by),
          updated_at: await changeTimestamp(tx, id, { before: row.updated_at, now }),
        });
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
        const [row] = await tx.all(locked(scope), { id, scope });
        if (row === undefined) return null;
        if (row.held === null) return true;
        await tx.all(released(scope), {
          id,
          scope,
          updated_at: await changeTimestamp(tx, id, { before: row.updated_at, now }),
        });
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
        const [row] = await tx.all(locked(scope), { id, scope });
        if (row === undefined) return null;
        const stored = storedOf(row);
        const refused = refusal(stored);
        if (refused !== null) return refused;
        await tx.all(removed(scope), { id, scope, updated_at: timestampAfter(row.updated_at, now) });
        await tx.all(forgotten, { id });
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
