import { type RawBuilder, sql } from "kysely";
import { HISTORY_FIELDS } from "../../../core/history/change.ts";
import { param } from "../query/statement.ts";

/** The columns whose changes the history records. */
const HISTORY_COLUMNS: readonly string[] = HISTORY_FIELDS.map((field) => (field === "price" ? "price_cents" : field));

/**
 * The further columns that an update of these columns of a vehicle must set, as `VehicleRepository.update` guarantees:
 * of its stage and dates, those that `lotStateAfter` has.
 * The given columns are parameters of the same names, and `now` is the time of the change. `changedBy` is kept if the
 * history records one of the given columns.
 */
export const derivedChanges = (
  names: readonly string[],
  now: RawBuilder<string>,
  changedBy: RawBuilder<unknown>,
): Readonly<Record<string, RawBuilder<unknown>>> => {
  const isNamed = (column: string): boolean => names.includes(column);
  const moves = isNamed("dealer_id") ? sql`dealer_id <> ${param("dealer_id")}` : null;
  const whenMoved = (value: RawBuilder<unknown>) => (moves === null ? sql`` : sql`WHEN ${moves} THEN ${value}`);
  const status = isNamed("status") ? param("status") : sql`status`;
  const reprices = isNamed("price_cents") ? sql`price_cents <> ${param("price_cents")}` : sql`1 = 0`;
  const sets: Record<string, RawBuilder<unknown>> = {};
  if (moves !== null || isNamed("price_cents")) {
    sets.previous_price_cents = sql`CASE ${whenMoved(sql`NULL`)} WHEN ${reprices} THEN price_cents ELSE previous_price_cents END`;
    sets.price_changed_at = sql`CASE ${whenMoved(sql`NULL`)} WHEN ${reprices} THEN ${now} ELSE price_changed_at END`;
  }
  if (moves !== null && !isNamed("listed_at")) sets.listed_at = sql`CASE ${whenMoved(now)} ELSE listed_at END`;
  if (isNamed("status") && !isNamed("stage")) sets.stage = sql`CASE WHEN status = ${param("status")} THEN stage END`;
  if ((isNamed("status") || moves !== null) && !isNamed("sold_at"))
    sets.sold_at = sql`CASE WHEN ${status} <> 'sold' THEN NULL WHEN status <> 'sold' THEN ${now} ${whenMoved(now)} ELSE sold_at END`;
  if (HISTORY_COLUMNS.some(isNamed)) {
    sets.changed_at = now;
    sets.changed_by = changedBy;
  }
  return sets;
};
