import { type RawBuilder, sql } from "kysely";
import type { ChangeKind } from "../../../core/changes/named-change.ts";
import { type CountedVehicle, MOST_ENTRIES } from "../../../core/recent-changes/reversal.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, sqlStatement, statement } from "../query/statement.ts";
import type { Row } from "../query/tables.ts";

/** A change of all dealers in scope together. */
export interface ChangeRow {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly at: string;
  readonly actor: string;
  readonly reverts: string | null;
  readonly vehicles: number;
  readonly revertible: number;
  readonly vehicle_id: number;
  /** JSON objects with commas between them. */
  readonly fields: string;
  readonly reverted_at: string | null;
  readonly reverted_by: string | null;
}

/** The changes that are meant. The rows of a change are in its dealers' order. */
export const changesWhere = (isMeant: RawBuilder<unknown>, limit: RawBuilder<unknown>): RawBuilder<ChangeRow> =>
  sql<ChangeRow>`SELECT id, MIN(kind) AS kind, at, MIN(actor) AS actor, MIN(reverts) AS reverts,
      CAST(SUM(vehicles) AS BIGINT) AS vehicles, CAST(SUM(revertible) AS BIGINT) AS revertible,
      MIN(vehicle_id) AS vehicle_id, string_agg(fields, ',') AS fields,
      MAX(reverted_at) AS reverted_at, MAX(reverted_by) AS reverted_by
    FROM recent_changes WHERE ${isMeant} GROUP BY at, id ORDER BY at DESC, id DESC LIMIT ${limit}`;

/** An audit entry of a vehicle, with what a reversal depends on. */
export type EntryRow = Pick<Row<"audit_entries">, "id" | "change_id" | "reverts" | "dealer_id" | "before" | "after"> & {
  readonly resource_id: number;
};

/** A change in the history of a vehicle. */
export type HistoryRow = Pick<
  Row<"vehicle_history">,
  "vehicle_id" | "at" | "field" | "old_value" | "new_value" | "actor"
>;

/** What was entered of a sale that stands. */
export type SaleRow = Pick<Row<"vehicle_sales">, "vehicle_id" | "sold_cents" | "note">;
/** A sale that ended. */
export type EndedSaleRow = Pick<
  Row<"ended_sales">,
  "vehicle_id" | "at" | "sold_at" | "sold_cents" | "first_cents" | "note"
>;
type ReplacedRow = Pick<Row<"replaced_values">, "vehicle_id" | "before">;

/**
 * The same statement for all dealers, and for the one in scope. The dealer is compared as an expression: rows are found
 * by what leads to fewer of them.
 */
const forScope = <Made>(make: (isOf: (column: string) => RawBuilder<unknown>) => Made) => ({
  all: make(() => sql``),
  scoped: make((column) => sql`AND +${sql.ref(column)} = ${param("scope")}`),
});
/** The figure of a day that a change of the price was counted in. */
const DAY = sql`substr(CAST(${param("at")} AS TEXT), 1, 10)`;
const PRESENT_SALE = sql<boolean>`vehicle_id = ${param("id")} AND dealer_id = ${param("dealer")} AND present = 1`;

/** The statements that a reversal consists of. */
export const reversalStatements = (db: SqlDatabase) => {
  const given = sql`${db.jsonRows(param<string>("ids"), { id: "integer" })} AS given`;
  /** What is meant of a table for each given id. PostgreSQL would read it for all ids, without the index of one. */
  const ofEach = (table: string, alias: string, isMeant: RawBuilder<unknown>): RawBuilder<unknown> => {
    const named = sql`${sql.table(table)} AS ${sql.ref(alias)}`;
    return db.engine === "postgres"
      ? sql`${given} CROSS JOIN LATERAL (SELECT * FROM ${named} WHERE ${isMeant} OFFSET 0) AS ${sql.ref(alias)}`
      : sql`${given} CROSS JOIN ${named} WHERE ${isMeant}`;
  };
  const isGiven = sql`vehicle_id IN (SELECT id FROM ${given})`;
  return {
    vehicles: forScope((isOf) =>
      sqlStatement(
        db,
        // The resource is compared as an expression, so that the index of the change is used, and not that of the record.
        sql<{ resource_id: number }>`SELECT DISTINCT resource_id FROM audit_entries
          WHERE change_id = ${param("change")} AND resource_id > ${param("after")}
            AND COALESCE(resource, '') = 'vehicles' ${isOf("dealer_id")}
          ORDER BY resource_id LIMIT ${param("limit")}`,
      ),
    ),
    locked: forScope((isOf) =>
      sqlStatement(
        db,
        sql<{ id: number }>`SELECT id FROM vehicles WHERE id IN (SELECT id FROM ${given}) ${isOf("dealer_id")}
          ORDER BY id ${db.forUpdate}`,
      ),
    ),
    documents: forScope((isOf) =>
      sqlStatement(
        db,
        sql<{ document: string }>`SELECT document FROM vehicle_documents
          WHERE id IN (SELECT id FROM ${given}) ${isOf("dealer_id")} ORDER BY id`,
      ),
    ),
    counted: forScope((isOf) =>
      sqlStatement(
        db,
        sql<CountedVehicle>`SELECT given.id, (SELECT CAST(COUNT(*) AS INTEGER) FROM (
            SELECT 1 FROM audit_entries AS entry
            WHERE entry.resource = 'vehicles' AND entry.resource_id = given.id AND entry.created_at >= ${param("since")}
              ${isOf("entry.dealer_id")} LIMIT ${sql.lit(MOST_ENTRIES + 1)}) AS since_then) AS entries
          FROM ${given} ORDER BY given.id`,
      ),
    ),
    entries: forScope((isOf) =>
      sqlStatement(
        db,
        sql<EntryRow>`SELECT entry.id, entry.change_id, entry.reverts, entry.dealer_id, entry.before, entry.after,
          entry.resource_id
        FROM ${ofEach(
          "audit_entries",
          "entry",
          sql`entry.resource = 'vehicles' AND entry.resource_id = given.id AND entry.created_at >= ${param("since")}
            ${isOf("entry.dealer_id")}`,
        )}
        ORDER BY entry.id`,
      ),
    ),
    history: forScope((isOf) =>
      sqlStatement(
        db,
        sql<HistoryRow>`SELECT changed.vehicle_id, changed.at, changed.field, changed.old_value,
          changed.new_value, changed.actor
        FROM ${ofEach(
          "vehicle_history",
          "changed",
          sql`changed.vehicle_id = given.id AND changed.at >= ${param("since")} ${isOf("changed.dealer_id")}`,
        )}
        ORDER BY changed.at`,
      ),
    ),
    sales: forScope((isOf) =>
      sqlStatement(
        db,
        sql<SaleRow>`SELECT vehicle_id, sold_cents, note FROM vehicle_sales
          WHERE ${isGiven} AND present = 1 ${isOf("dealer_id")}`,
      ),
    ),
    endedSales: forScope((isOf) =>
      sqlStatement(
        db,
        sql<EndedSaleRow>`SELECT vehicle_id, at, sold_at, sold_cents, first_cents, note FROM ended_sales
          WHERE ${isGiven} ${isOf("dealer_id")}`,
      ),
    ),
    /** Old values belong to the dealer that has the vehicle. */
    replaced: forScope((isOf) =>
      sqlStatement(
        db,
        sql<ReplacedRow>`SELECT replaced.vehicle_id, replaced.before
          FROM replaced_values AS replaced JOIN vehicles AS owned ON owned.id = replaced.vehicle_id
          WHERE replaced.change_id = ${param("change")} AND ${isGiven} ${isOf("owned.dealer_id")}`,
      ),
    ),
    /** From now on, neither figures nor the first price count the change. */
    pair: sqlStatement(
      db,
      sql<object>`UPDATE vehicle_history SET pair_dealer_id = dealer_id, dealer_id = NULL, reverted_by = ${param("reversal")}
        WHERE vehicle_id = ${param("id")} AND at = ${param("at")} AND field = ${param("field")} AND dealer_id = ${param("dealer")}`,
    ),
    uncountDrop: sqlStatement(
      db,
      sql<object>`INSERT INTO daily_figures (dealer_id, day, price_drops)
        VALUES (${param("dealer")}, ${DAY}, -1)
        ON CONFLICT (dealer_id, day) DO UPDATE SET price_drops = daily_figures.price_drops - 1`,
    ),
    /** The former price and its date, as the changes that count tell them. */
    formerPrice: sqlStatement(
      db,
      sql<object>`UPDATE vehicles SET (previous_price_cents, price_changed_at) = (
          SELECT CAST(old_value AS BIGINT), at FROM vehicle_history
          WHERE vehicle_id = ${param("id")} AND field = 'price' AND dealer_id = ${param("dealer")}
            AND at > COALESCE((SELECT MAX(at) FROM vehicle_history
              WHERE vehicle_id = ${param("id")} AND field = 'dealer_id'), '')
          ORDER BY at DESC LIMIT 1)
        WHERE id = ${param("id")} AND dealer_id = ${param("dealer")}`,
    ),
    resumeSale: statement(() =>
      db
        .updateTable("vehicle_sales")
        .set({ sold_cents: param("sold_cents"), first_cents: param("first_cents"), note: param("note") })
        .where(PRESENT_SALE),
    ),
    enterSale: statement(() =>
      db
        .updateTable("vehicle_sales")
        .set({ sold_cents: param("sold_cents"), note: param("note") })
        .where(PRESENT_SALE),
    ),
    reverted: sqlStatement(
      db,
      sql<object>`UPDATE recent_changes SET reverted_at = ${param("at")}, reverted_by = ${param("reversal")}
        WHERE id = ${param("change")} AND dealer_id = ${param("dealer")}`,
    ),
  };
};
