import { sql } from "kysely";
import { sourceOf } from "../../../core/imports/bases.ts";
import type { ImportStep, ImportWork, StoredImport } from "../../../core/imports/import-repository.ts";
import { comparedKey } from "../../../core/imports/matching.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement, statement } from "../query/statement.ts";
import { formerKeysOf } from "./former-keys.ts";
import type { StoredResult } from "./stored.ts";

const MISSING_PER_DELETE = 1000;
/** The number of missing vehicles that are handled in one transaction. */
const MISSING_PER_TRANSACTION = 50;
/** The result that is stored for a missing vehicle until the vehicle is handled. */
const MISSING_RESULT: StoredResult = {
  line: null,
  row: null,
  key: null,
  changes: {},
  kept: [],
  errors: [],
  warnings: [],
};
/** An empty list of vehicles. */
const NO_VEHICLES = "[]";

/** The ids that are also in a stored list. */
const inBoth = (ids: readonly number[], stored: string): readonly number[] => {
  const others = new Set(JSON.parse(stored) as readonly number[]);
  return ids.filter((id) => others.has(id));
};

const statementsOf = (db: SqlDatabase) => {
  const former = db.jsonRows(param<string>("former"), { id: "integer", vin: "text", stock_number: "text" });
  const rowsOfFile = sql`import_rows WHERE import_id = ${param("id")} AND place <= ${param("rows")}`;
  return {
    /**
     * The unsold vehicles that the file does not contain: neither a processed row is about them, nor has a failed row
     * their VIN or stock number, or the one that the last file had for them.
     */
    missing: sqlStatement(
      db,
      // The result is a single text: reading a row for each vehicle of a large lot would block the event loop.
      sql<{ ids: string | null }>`SELECT string_agg(CAST(id AS TEXT), ',' ORDER BY id) AS ids FROM vehicles
        WHERE dealer_id = ${param("dealer")} AND status <> 'sold' AND id NOT IN (SELECT vehicle_id FROM ${rowsOfFile} AND vehicle_id IS NOT NULL)
        AND (vin IS NULL OR lower(vin) NOT IN (SELECT vin FROM ${rowsOfFile} AND outcome = 'failed' AND vin IS NOT NULL))
        AND (stock_number IS NULL OR lower(stock_number) NOT IN (
          SELECT stock_number FROM ${rowsOfFile} AND outcome = 'failed' AND stock_number IS NOT NULL
          UNION ALL SELECT lower(value) FROM vehicle_spellings WHERE field = 'stock_number' AND folded IN (
            SELECT stock_number FROM ${rowsOfFile} AND outcome = 'failed')))
        AND id NOT IN (SELECT former.id FROM ${former} AS former JOIN import_rows AS named ON named.import_id = ${param("id")}
          AND named.place <= ${param("rows")} AND named.outcome = 'failed'
          AND (named.vin = former.vin OR named.stock_number = former.stock_number))`,
    ),
    missingBefore: statement(() => db.selectFrom("imports").select("missing_before").where("id", "=", param("id"))),
    saveMissingBefore: statement(() =>
      db
        .updateTable("imports")
        .set({ missing_before: param("before") })
        .where("id", "=", param("id")),
    ),
    lastMissing: statement(() =>
      db
        .selectFrom("import_sources")
        .select("missing_lately")
        .where("id", "=", param("source"))
        .where("dealer_id", "=", param("dealer"))
        .modifyEnd(db.forUpdate),
    ),
    saveLastMissing: statement(() =>
      db
        .updateTable("import_sources")
        .set({ missing_lately: param("ids") })
        .where("id", "=", param("source"))
        .where("dealer_id", "=", param("dealer")),
    ),
    missingAfter: statement(() =>
      db
        .selectFrom("import_rows")
        .select(["place", "vehicle_id"])
        .where("import_id", "=", param("id"))
        .where("outcome", "=", sql.lit("missing" as const))
        .where("place", ">", param("after"))
        .orderBy("place")
        .limit(sql.lit(MISSING_PER_TRANSACTION)),
    ),
    deleteMissing: sqlStatement(
      db,
      sql<{ place: number }>`DELETE FROM import_rows WHERE import_id = ${param("id")} AND place IN (
          SELECT place FROM import_rows WHERE import_id = ${param("id")} AND place > ${param("behind")}
          ORDER BY place LIMIT ${sql.lit(MISSING_PER_DELETE)}) RETURNING place`,
    ),
    saveMissing: sqlStatement(
      db,
      sql<object>`INSERT INTO import_rows (import_id, place, outcome, dealer_id, vehicle_id, result)
        SELECT ${param("id")}, place, 'missing', ${param("dealer")}, vehicle_id, ${param("result")}
        FROM ${db.jsonRows(param<string>("rows"), { place: "integer", vehicle_id: "integer" })} AS given`,
    ),
  };
};

/** Finds the vehicles that are missing in a snapshot, and stores them with the import. */
export const missingVehicles = (
  db: SqlDatabase,
): {
  readonly of: ImportWork["missing"];
  /** The methods of a step that deal with missing vehicles, within the step's transaction. */
  readonly inStep: (
    tx: Sql,
    present: StoredImport,
  ) => Pick<ImportStep, "missingAfter" | "deleteMissing" | "storeMissing" | "missingInBothFiles">;
} => {
  const statements = statementsOf(db);
  const formerKeys = formerKeysOf(db);
  return {
    async of(stored) {
      const { id, dealerId, sourceId, found, progress } = stored;
      const former = progress.counts.failed === 0 ? [] : await formerKeys(stored, sourceOf(stored));
      const [all] = await db.longReads.all(statements.missing, {
        ...{ id, dealer: dealerId, rows: found.rows },
        former: JSON.stringify(
          former.map(({ vehicleId, ...key }) => {
            const { vin, stock_number } = comparedKey(key);
            return [vehicleId, vin, stock_number];
          }),
        ),
      });
      const absent = JSON.parse(`[${all?.ids ?? ""}]`) as readonly number[];
      const [compared] = sourceId === null ? [] : await db.all(statements.missingBefore, { id });
      return compared?.missing_before == null ? absent : inBoth(absent, compared.missing_before);
    },

    inStep: (tx, present) => {
      const { id } = present;
      return {
        async missingAfter(after) {
          const rows = await tx.all(statements.missingAfter, { id, after });
          return rows.map(({ place, vehicle_id }) => ({ place, vehicleId: vehicle_id ?? 0 }));
        },
        async deleteMissing() {
          const deleted = await tx.all(statements.deleteMissing, { id, behind: present.found.rows });
          return deleted.length === MISSING_PER_DELETE;
        },
        async storeMissing(ids, kept) {
          const first = present.found.rows + kept + 1;
          await tx.all(statements.saveMissing, {
            id,
            dealer: present.dealerId,
            result: JSON.stringify(MISSING_RESULT),
            rows: JSON.stringify(ids.map((one, n) => [first + n, one])),
          });
        },
        async missingInBothFiles(absent) {
          const [stored] = await tx.all(statements.missingBefore, { id });
          const { sourceId: source, dealerId: dealer } = present;
          const [lately] = await tx.all(statements.lastMissing, { source, dealer });
          const before = stored?.missing_before ?? lately?.missing_lately ?? NO_VEHICLES;
          if (stored?.missing_before == null) {
            await tx.all(statements.saveMissingBefore, { id, before });
            await tx.all(statements.saveLastMissing, { source, dealer, ids: JSON.stringify(absent) });
          }
          return inBoth(absent, before);
        },
      };
    },
  };
};
