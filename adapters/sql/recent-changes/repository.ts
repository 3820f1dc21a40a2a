import { type RawBuilder, sql } from "kysely";
import type { Visibility } from "../../../core/access/visibility.ts";
import { visibleActor } from "../../../core/audit/audit-entries-hide-other-dealers.ts";
import { actorOf } from "../../../core/audit/audit-entry.ts";
import type { ChangeActor } from "../../../core/history/change.ts";
import type { StoredChange } from "../../../core/recent-changes/recent-change.ts";
import type { RecentChangeRepository } from "../../../core/recent-changes/recent-change-repository.ts";
import type { rowSteps } from "../imports/row-steps.ts";
import type { SqlDatabase } from "../query/database.ts";
import { readerByRowCount } from "../query/reader-by-row-count.ts";
import { param, type Statement, shapeCache, sqlStatement } from "../query/statement.ts";
import { makeReversals } from "./reversals.ts";
import { type ChangeRow, changesWhere, reversalStatements } from "./statements.ts";

/** The numbers of changes and of further rows that are forgotten in one transaction. */
const CHANGES_AT_ONCE = 20;
const ROWS_AT_ONCE = 500;

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

/** The statements that forget what is older than 30 days. */
const expiryOf = (db: SqlDatabase) => {
  const given = sql`(SELECT given_id FROM ${db.jsonRows(param<string>("ids"), { given_id: "text" })} AS given)`;
  const isOld = sql`at <= ${param("before")}`;
  const some = (table: string, keys: readonly [string, string], isMeant: RawBuilder<unknown>) => {
    const columns = sql.join(keys.map((key) => sql.ref(key)));
    const found = sql`SELECT ${columns} FROM ${sql.table(table)} WHERE ${isMeant} LIMIT ${sql.lit(ROWS_AT_ONCE)}`;
    return sqlStatement(
      db,
      sql<object>`DELETE FROM ${sql.table(table)} WHERE (${columns}) IN (${found}) RETURNING vehicle_id`,
    );
  };
  return {
    // Rows that another process forgets at this moment are skipped.
    changes: sqlStatement(
      db,
      sql<{ id: string }>`SELECT id FROM recent_changes WHERE ${isOld} ORDER BY at, id LIMIT ${sql.lit(CHANGES_AT_ONCE)}
        ${db.hasWritableCtes ? sql`FOR UPDATE SKIP LOCKED` : sql``}`,
    ),
    values: some("replaced_values", ["change_id", "vehicle_id"], sql`change_id IN ${given}`),
    sales: some("ended_sales", ["vehicle_id", "at"], isOld),
    forgotten: sqlStatement(db, sql<object>`DELETE FROM recent_changes WHERE id IN ${given} AND ${isOld}`),
  };
};

/** Recent changes in SQL; see the port for what it guarantees. */
export const makeRecentChangeRepository = (
  db: SqlDatabase,
  parts: Parameters<typeof rowSteps>[1],
): RecentChangeRepository => {
  const { vehicles } = reversalStatements(db);
  const expiry = expiryOf(db);
  const lists = shapeCache<Statement<ChangeRow>>();
  const totals = shapeCache<Statement<{ total: number }>>();
  const readerByRows = readerByRowCount(db, "recent_changes");

  const isOf = (scope: boolean, dealer: boolean): RawBuilder<unknown> => sql`at > ${param("since")}
    ${scope ? sql`AND dealer_id = ${param("scope")}` : sql``} ${dealer ? sql`AND dealer_id = ${param("dealer")}` : sql``}`;

  return {
    async list({ scope, dealerId, visibility, since, limit, after }) {
      const query = lists(`list ${scope !== null} ${dealerId !== null} ${after !== null}`, () => {
        const later = after === null ? sql`` : sql`AND (at, id) < (${param("afterAt")}, ${param("afterId")})`;
        return sqlStatement(db, changesWhere(sql`${isOf(scope !== null, dealerId !== null)} ${later}`, param("limit")));
      });
      const values = {
        scope,
        dealer: dealerId,
        since,
        limit: limit + 1,
        afterAt: after?.at ?? "",
        afterId: after?.id ?? "",
      };
      return (await db.all(query, values)).map((row) => storedOf(row, visibility));
    },

    async count({ scope, dealerId, since }) {
      const query = totals(`${scope !== null} ${dealerId !== null}`, () =>
        sqlStatement(
          db,
          sql<{ total: number }>`SELECT COUNT(DISTINCT id) AS total FROM recent_changes
            WHERE ${isOf(scope !== null, dealerId !== null)}`,
        ),
      );
      // All of the dealer's changes are counted, and there may be many.
      const dealer = scope ?? dealerId;
      const reader = await readerByRows(dealer === null ? null : { column: "dealer_id", value: dealer });
      const [row] = await reader.all(query, { scope, dealer: dealerId, since });
      return row?.total ?? 0;
    },

    async find(id, { scope, visibility, since }) {
      const query = lists(`one ${scope !== null}`, () =>
        sqlStatement(db, changesWhere(sql`id = ${param("id")} AND ${isOf(scope !== null, false)}`, sql.lit(1))),
      );
      const row = await db.first(query, { id, scope, since });
      return row === null ? null : storedOf(row, visibility);
    },

    async vehiclesOf(id, scope, range) {
      const rows = await db.all(scope === null ? vehicles.all : vehicles.scoped, { change: id, scope, ...range });
      return rows.map(({ resource_id }) => resource_id);
    },

    revertPart: makeReversals(db, parts),

    purgeSome: (before) =>
      db.write(async (tx) => {
        const ids = (await tx.all(expiry.changes, { before })).map(({ id }) => id);
        const sales = await tx.all(expiry.sales, { before });
        if (ids.length === 0) return sales.length;
        const given = JSON.stringify([...new Set(ids)].map((id) => [id]));
        const values = await tx.all(expiry.values, { ids: given });
        if (values.length < ROWS_AT_ONCE) await tx.all(expiry.forgotten, { ids: given, before });
        return sales.length + ids.length;
      }),
  };
};
