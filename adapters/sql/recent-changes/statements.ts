import { type RawBuilder, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import { type CountedVehicle, MOST_ENTRIES } from "../../../core/recent-changes/reversal.ts";
import type { SqlDatabase } from "../query/database.ts";
import { type Param, type Statement, sqlStatement } from "../query/statement.ts";
import type { Row } from "../query/tables.ts";

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

/** The vehicles that are read for a reversal, the change that it reverts, and about when that was made. */
export type Sought = {
  readonly ids: string;
  readonly change: string;
  readonly since: string;
  readonly scope: DealerScope;
};

/** The condition that a column has the dealer in scope; nothing for all dealers. */
type InScope = (column: string) => RawBuilder<unknown>;

/**
 * The statements that read what a reversal depends on. They are texts, as on both engines their plans are asked for: the
 * dealer is compared as an expression, so that rows are found by what leads to fewer of them.
 */
export const reversalReads = (db: SqlDatabase) => {
  const reading = <Found>(query: (isOf: InScope, param: Param<Sought>) => RawBuilder<Found>) => {
    const made = (isNarrowed: boolean) =>
      sqlStatement<Found, Sought>(db, (param) =>
        query((column) => (isNarrowed ? sql`AND +${sql.ref(column)} = ${param("scope")}` : sql``), param),
      );
    const [all, scoped] = [made(false), made(true)];
    return (scope: DealerScope): Statement<Found, Sought> => (scope === null ? all : scoped);
  };
  const given = (param: Param<Sought>) => sql`${db.jsonRows(param("ids"), { id: "integer" })} AS given`;
  /** What is meant of a table for each given id. PostgreSQL would read it for all ids, without the index of one. */
  const ofEach = (
    param: Param<Sought>,
    [table, alias]: readonly [string, string],
    isMeant: RawBuilder<unknown>,
  ): RawBuilder<unknown> => {
    const named = sql`${sql.table(table)} AS ${sql.ref(alias)}`;
    return db.engine === "postgres"
      ? sql`${given(param)} CROSS JOIN LATERAL (SELECT * FROM ${named} WHERE ${isMeant} OFFSET 0) AS ${sql.ref(alias)}`
      : sql`${given(param)} CROSS JOIN ${named} WHERE ${isMeant}`;
  };
  const isGiven = (param: Param<Sought>) => sql`vehicle_id IN (SELECT id FROM ${given(param)})`;
  return {
    locked: reading<{ id: number }>(
      (isOf, param) => sql`SELECT id FROM vehicles WHERE id IN (SELECT id FROM ${given(param)}) ${isOf("dealer_id")}
        ORDER BY id ${db.forUpdate}`,
    ),
    documents: reading<{ document: string }>(
      (isOf, param) => sql`SELECT document FROM vehicle_documents
        WHERE id IN (SELECT id FROM ${given(param)}) ${isOf("dealer_id")} ORDER BY id`,
    ),
    counted: reading<CountedVehicle>(
      (isOf, param) => sql`SELECT given.id, (SELECT CAST(COUNT(*) AS INTEGER) FROM (
          SELECT 1 FROM audit_entries AS entry
          WHERE entry.resource = 'vehicles' AND entry.resource_id = given.id AND entry.created_at >= ${param("since")}
            ${isOf("entry.dealer_id")} LIMIT ${sql.lit(MOST_ENTRIES + 1)}) AS since_then) AS entries
        FROM ${given(param)} ORDER BY given.id`,
    ),
    entries: reading<EntryRow>((isOf, param) => {
      const isMeant = sql`entry.resource = 'vehicles' AND entry.resource_id = given.id
        AND entry.created_at >= ${param("since")} ${isOf("entry.dealer_id")}`;
      return sql`SELECT entry.id, entry.change_id, entry.reverts, entry.dealer_id, entry.before, entry.after,
          entry.resource_id
        FROM ${ofEach(param, ["audit_entries", "entry"], isMeant)} ORDER BY entry.id`;
    }),
    history: reading<HistoryRow>((isOf, param) => {
      const isMeant = sql`changed.vehicle_id = given.id AND changed.at >= ${param("since")} ${isOf("changed.dealer_id")}`;
      return sql`SELECT changed.vehicle_id, changed.at, changed.field, changed.old_value, changed.new_value, changed.actor
        FROM ${ofEach(param, ["vehicle_history", "changed"], isMeant)} ORDER BY changed.at`;
    }),
    sales: reading<SaleRow>(
      (isOf, param) => sql`SELECT vehicle_id, sold_cents, note FROM vehicle_sales
        WHERE ${isGiven(param)} AND present = 1 ${isOf("dealer_id")}`,
    ),
    endedSales: reading<EndedSaleRow>(
      (isOf, param) => sql`SELECT vehicle_id, at, sold_at, sold_cents, first_cents, note FROM ended_sales
        WHERE ${isGiven(param)} ${isOf("dealer_id")}`,
    ),
    /** Old values belong to the dealer that has the vehicle. */
    replaced: reading<ReplacedRow>(
      (isOf, param) => sql`SELECT replaced.vehicle_id, replaced.before
        FROM replaced_values AS replaced JOIN vehicles AS owned ON owned.id = replaced.vehicle_id
        WHERE replaced.change_id = ${param("change")} AND ${isGiven(param)} ${isOf("owned.dealer_id")}`,
    ),
  };
};
