import { sql } from "kysely";
import type { ImportRow } from "../../../core/imports/import.ts";
import type { StoredRow } from "../../../core/imports/import-repository.ts";
import { cutText, WHOLE_TEXT } from "../audit/entry-fields.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { type Param, sqlStatement } from "../query/statement.ts";
import type { StoredResult } from "./stored.ts";

/** The length of the results of rows that are stored in one turn of the event loop. Ordinary batches are shorter. */
const BYTES_PER_TURN = 64 * 1024;

const shownValue = (value: unknown): unknown => (typeof value === "string" ? cutText(value) : value);

/** The changes of a row as they are kept: of long texts as much as in the audit log. Most rows have no long text. */
const shownChanges = (changes: StoredRow["changes"]): StoredRow["changes"] => {
  const mayBeCut = (value: unknown): boolean => typeof value === "string" && value.length > WHOLE_TEXT;
  if (!Object.values(changes).some(([before, after]) => mayBeCut(before) || mayBeCut(after))) return changes;
  return Object.fromEntries(
    Object.entries(changes).map(([field, [before, after]]) => [
      field,
      [shownValue(before), shownValue(after)] as const,
    ]),
  );
};

/** The values that a row did not change, likewise. */
const shownKept = (kept: ImportRow["kept"]): ImportRow["kept"] =>
  kept.map(({ field, file, ours }) => ({ field, file: shownValue(file), ours: shownValue(ours) }));

/** The result of a row as it is stored, with its cells if it failed. */
const storedResultOf = ({
  cells,
  ...rest
}: Omit<StoredRow, "place" | "outcome" | "dealerId" | "vehicle_id" | "compared">) => {
  const { line, row, key, errors, warnings } = rest;
  const changes = shownChanges(rest.changes);
  const kept = shownKept(rest.kept ?? []);
  const more = kept.length > 0 ? { kept } : {};
  const result = { line, row, key, changes, ...more, errors, warnings } satisfies StoredResult;
  return {
    result: JSON.stringify(result),
    cells: cells === undefined ? null : JSON.stringify(cells),
    isKept: kept.length > 0,
  };
};

/** Stores the results of rows within a step's transaction. Returns their length. Other work runs between long parts. */
export const rowResults = (
  db: SqlDatabase,
  pause: () => Promise<void>,
): ((tx: Sql, id: number, rows: readonly StoredRow[]) => Promise<number>) => {
  const columns = {
    place: "integer",
    outcome: "text",
    dealer_id: "integer",
    vehicle_id: "integer",
    vin: "text",
    stock_number: "text",
    result: "text",
    cells: "text",
    kept: "integer",
  } as const;
  const keep = sqlStatement(
    db,
    (param: Param<{ id: number; rows: string }>) =>
      sql<object>`INSERT INTO import_rows (import_id, place, outcome, dealer_id, vehicle_id, vin, stock_number, result, cells, kept)
      SELECT ${param("id")}, place, outcome, dealer_id, vehicle_id, vin, stock_number, result, cells, kept FROM ${db.jsonRows(param("rows"), columns)} AS given
      WHERE true ON CONFLICT (import_id, place) DO UPDATE SET outcome = excluded.outcome,
        dealer_id = excluded.dealer_id, vehicle_id = excluded.vehicle_id, vin = excluded.vin,
        stock_number = excluded.stock_number, result = excluded.result, cells = excluded.cells,
        kept = excluded.kept`,
  );
  return async (tx, id, rows) => {
    let bytes = 0;
    let part: (string | number | null)[][] = [];
    let partBytes = 0;
    for (const { place, outcome, dealerId, vehicle_id, compared, ...rest } of rows) {
      const { vin, stock_number } = compared;
      const { result, cells, isKept } = storedResultOf(rest);
      const length = Buffer.byteLength(result) + Buffer.byteLength(cells ?? "");
      bytes += length;
      partBytes += length;
      part.push([place, outcome, dealerId, vehicle_id, vin, stock_number, result, cells, isKept ? 1 : null]);
      if (partBytes < BYTES_PER_TURN) continue;
      await tx.all(keep, { id, rows: JSON.stringify(part) });
      [part, partBytes] = [[], 0];
      await pause();
    }
    if (part.length > 0) await tx.all(keep, { id, rows: JSON.stringify(part) });
    return bytes;
  };
};
