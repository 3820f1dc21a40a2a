import { type InferResult, type SqlBool, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { Visibility } from "../../../core/access/visibility.ts";
import { visibleActor } from "../../../core/audit/audit-entries-hide-other-dealers.ts";
import { actorOf } from "../../../core/audit/audit-entry.ts";
import type { Timestamp } from "../../../core/clock.ts";
import type { ChangeActor } from "../../../core/history/change.ts";
import type { StoredChange } from "../../../core/recent-changes/recent-change.ts";
import type { RecentChangeRepository } from "../../../core/recent-changes/recent-change-repository.ts";
import type { rowSteps } from "../imports/row-steps.ts";
import type { SqlDatabase } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { readerByRowCount } from "../query/reader-by-row-count.ts";
import { makeReversals } from "./reversals.ts";

/** The numbers of changes and of further rows that are forgotten in one transaction. */
const CHANGES_AT_ONCE = 20;
const ROWS_AT_ONCE = 500;

/** Whose changes are read, and since when. */
interface Reach {
  readonly scope: DealerScope;
  readonly dealerId?: number | null;
  readonly since: Timestamp;
}

/** The changes of dealers in a scope, each of all these dealers together. The rows of a change are in its dealers' order. */
const changesOf = (on: Queries, { scope, dealerId = null, since }: Reach) =>
  on
    .selectFrom("recent_changes")
    .select(({ fn }) => [
      ...(["id", "at"] as const),
      fn.min("kind").as("kind"),
      fn.min("actor").as("actor"),
      fn.min("reverts").as("reverts"),
      sql<number>`CAST(SUM(vehicles) AS BIGINT)`.as("vehicles"),
      sql<number>`CAST(SUM(revertible) AS BIGINT)`.as("revertible"),
      fn.min("vehicle_id").as("vehicle_id"),
      // JSON objects with commas between them.
      sql<string>`string_agg(fields, ',')`.as("fields"),
      fn.max("reverted_at").as("reverted_at"),
      fn.max("reverted_by").as("reverted_by"),
    ])
    .where("at", ">", since)
    .$if(scope !== null, (query) => query.where("dealer_id", "=", scope))
    .$if(dealerId !== null, (query) => query.where("dealer_id", "=", dealerId))
    .groupBy(["at", "id"])
    .orderBy("at", "desc")
    .orderBy("id", "desc");

type ChangeRow = InferResult<ReturnType<typeof changesOf>>[number];

const storedOf = (row: ChangeRow, visibility: Visibility): StoredChange => {
  const actor = JSON.parse(row.actor) as ChangeActor;
  const fields = (JSON.parse(`[${row.fields}]`) as object[]).flatMap((one) => Object.keys(one));
  return {
    id: row.id,
    kind: row.kind,
    at: row.at,
    by: visibleActor(visibility, { actor: actorOf(actor), userId: actor.userId, dealerId: actor.dealerId }),
    vehicles: row.vehicles,
    revertible: row.revertible,
    vehicleId: row.vehicles === 1 ? row.vehicle_id : null,
    fields: [...new Set(fields)].sort(),
    reverts: row.reverts,
    revertedAt: row.reverted_at,
    revertedBy: row.reverted_by,
  };
};

/** Recent changes in SQL; see the port for what it guarantees. */
export const makeRecentChangeRepository = (
  db: SqlDatabase,
  parts: Parameters<typeof rowSteps>[1],
): RecentChangeRepository => {
  const readerByRows = readerByRowCount(db, "recent_changes");

  return {
    async list({ visibility, limit, after, ...reach }) {
      const rows = await changesOf(db, reach)
        .$if(after !== null, (query) => query.where(sql<SqlBool>`(at, id) < (${after?.at}, ${after?.id})`))
        .limit(limit + 1)
        .execute();
      return rows.map((row) => storedOf(row, visibility));
    },

    async count({ scope, dealerId, since }) {
      // All of the dealer's changes are counted, and there may be many.
      const dealer = scope ?? dealerId;
      const reader = await readerByRows(dealer === null ? null : { column: "dealer_id", value: dealer });
      const counted = await reader
        .selectFrom("recent_changes")
        .select(({ fn }) => fn.count<number>("id").distinct().as("total"))
        .where("at", ">", since)
        .$if(scope !== null, (query) => query.where("dealer_id", "=", scope))
        .$if(dealerId !== null, (query) => query.where("dealer_id", "=", dealerId))
        .executeTakeFirst();
      return counted?.total ?? 0;
    },

    async find(id, { visibility, ...reach }) {
      const row = await changesOf(db, reach).where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : storedOf(row, visibility);
    },

    async vehiclesOf(id, scope, { after, limit }) {
      const rows = await db
        .selectFrom("audit_entries")
        .select("resource_id")
        .distinct()
        .where("change_id", "=", id)
        .where("resource_id", ">", after)
        // These are compared as expressions, so that the index of the change is used, and not that of the record.
        .where(sql<SqlBool>`COALESCE(resource, '') = 'vehicles'`)
        .$if(scope !== null, (query) => query.where(sql`+dealer_id`, "=", scope))
        .orderBy("resource_id")
        .limit(limit)
        .execute();
      return rows.map(({ resource_id }) => resource_id ?? 0);
    },

    revertPart: makeReversals(db, parts),

    purgeSome: (before) =>
      db.write(async (tx) => {
        const isOld = sql<SqlBool>`at <= ${before}`;
        const old = await tx
          .selectFrom("recent_changes")
          .select("id")
          .where(isOld)
          .orderBy("at")
          .orderBy("id")
          .limit(CHANGES_AT_ONCE)
          // Rows that another process forgets at this moment are skipped.
          .$if(db.hasWritableCtes, (query) => query.forUpdate().skipLocked())
          .execute();
        const sales = await tx
          .deleteFrom("ended_sales")
          .where(({ refTuple, selectFrom }) => {
            const some = selectFrom("ended_sales").select(["vehicle_id", "at"]).where(isOld).limit(ROWS_AT_ONCE);
            return sql<SqlBool>`${refTuple("vehicle_id", "at")} IN ${some}`;
          })
          .returning("vehicle_id")
          .execute();
        if (old.length === 0) return sales.length;
        const ids = [...new Set(old.map(({ id }) => id))];
        const values = await tx
          .deleteFrom("replaced_values")
          .where(({ refTuple, selectFrom }) => {
            const ofChanges = selectFrom("replaced_values").select(["change_id", "vehicle_id"]);
            const some = ofChanges.where("change_id", "in", ids).limit(ROWS_AT_ONCE);
            return sql<SqlBool>`${refTuple("change_id", "vehicle_id")} IN ${some}`;
          })
          .returning("vehicle_id")
          .execute();
        if (values.length < ROWS_AT_ONCE)
          await tx.deleteFrom("recent_changes").where("id", "in", ids).where(isOld).execute();
        return sales.length + old.length;
      }),
  };
};
