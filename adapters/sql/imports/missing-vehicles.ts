import { sql } from "kysely";
import { sourceOf } from "../../../core/imports/bases.ts";
import type { ImportStep, ImportWork, StoredImport } from "../../../core/imports/import-repository.ts";
import { comparedKey } from "../../../core/imports/matching.ts";
import type { Reader, SqlDatabase, Tx } from "../query/database.ts";
import { sqlStatement } from "../query/statement.ts";
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

/**
 * The unsold vehicles that the file does not contain: neither a processed row is about them, nor has a failed row their
 * VIN or stock number, or the one that the last file had for them. It is a text of its own, as its plan is: each list of
 * the rows of the file is read once, whatever the planner knows of the tables.
 */
const missingStatement = (db: SqlDatabase) =>
  sqlStatement<{ ids: string | null }, { id: number; dealer: number | null; rows: number; former: string }>(
    db,
    (param) => {
      const former = db.jsonRows(param("former"), { id: "integer", vin: "text", stock_number: "text" });
      const rowsOfFile = sql`import_rows WHERE import_id = ${param("id")} AND place <= ${param("rows")}`;
      // The result is a single text: reading a row for each vehicle of a large lot would block the event loop.
      return sql`SELECT string_agg(CAST(id AS TEXT), ',' ORDER BY id) AS ids FROM vehicles
      WHERE dealer_id = ${param("dealer")} AND status <> 'sold' AND id NOT IN (SELECT vehicle_id FROM ${rowsOfFile} AND vehicle_id IS NOT NULL)
      AND (vin IS NULL OR lower(vin) NOT IN (SELECT vin FROM ${rowsOfFile} AND outcome = 'failed' AND vin IS NOT NULL))
      AND (stock_number IS NULL OR lower(stock_number) NOT IN (
        SELECT stock_number FROM ${rowsOfFile} AND outcome = 'failed' AND stock_number IS NOT NULL
        UNION ALL SELECT lower(value) FROM vehicle_spellings WHERE field = 'stock_number' AND folded IN (
          SELECT stock_number FROM ${rowsOfFile} AND outcome = 'failed')))
      AND id NOT IN (SELECT former.id FROM ${former} AS former JOIN import_rows AS named ON named.import_id = ${param("id")}
        AND named.place <= ${param("rows")} AND named.outcome = 'failed'
        AND (named.vin = former.vin OR named.stock_number = former.stock_number))`;
    },
  );

/** Finds the vehicles that are missing in a snapshot, and stores them with the import. */
export const missingVehicles = (
  db: SqlDatabase,
): {
  readonly of: ImportWork["missing"];
  /** The methods of a step that deal with missing vehicles, within the step's transaction. */
  readonly inStep: (
    tx: Tx,
    present: StoredImport,
  ) => Pick<ImportStep, "missingAfter" | "deleteMissing" | "storeMissing" | "missingInBothFiles">;
} => {
  const missing = missingStatement(db);
  const formerKeys = formerKeysOf(db);
  const missingBefore = async (on: Reader, id: number): Promise<string | null> => {
    const row = await on.selectFrom("imports").select("missing_before").where("id", "=", id).executeTakeFirst();
    return row?.missing_before ?? null;
  };
  return {
    async of(stored) {
      const { id, dealerId, sourceId, found, progress } = stored;
      const former = progress.counts.failed === 0 ? [] : await formerKeys(stored, sourceOf(stored));
      const [all] = await db.longReads.all(missing, {
        ...{ id, dealer: dealerId, rows: found.rows },
        former: JSON.stringify(
          former.map(({ vehicleId, ...key }) => {
            const { vin, stock_number } = comparedKey(key);
            return [vehicleId, vin, stock_number];
          }),
        ),
      });
      const absent = JSON.parse(`[${all?.ids ?? ""}]`) as readonly number[];
      const before = sourceId === null ? null : await missingBefore(db, id);
      return before === null ? absent : inBoth(absent, before);
    },

    inStep: (tx, present) => {
      const { id, sourceId, dealerId: dealer } = present;
      return {
        async missingAfter(after) {
          const rows = await tx
            .selectFrom("import_rows")
            .select(["place", "vehicle_id"])
            .where("import_id", "=", id)
            .where("outcome", "=", "missing")
            .where("place", ">", after)
            .orderBy("place")
            .limit(MISSING_PER_TRANSACTION)
            .execute();
          return rows.map(({ place, vehicle_id }) => ({ place, vehicleId: vehicle_id ?? 0 }));
        },
        async deleteMissing() {
          const some = db
            .selectFrom("import_rows")
            .select("place")
            .where("import_id", "=", id)
            .where("place", ">", present.found.rows)
            .orderBy("place")
            .limit(MISSING_PER_DELETE);
          const deleted = await tx
            .deleteFrom("import_rows")
            .where("import_id", "=", id)
            .where("place", "in", some)
            .returning("place")
            .execute();
          return deleted.length === MISSING_PER_DELETE;
        },
        async storeMissing(ids, kept) {
          const first = present.found.rows + kept + 1;
          const rows = JSON.stringify(ids.map((one, n) => [first + n, one]));
          const result = JSON.stringify(MISSING_RESULT);
          await tx
            .insertInto("import_rows")
            .columns(["import_id", "place", "outcome", "dealer_id", "vehicle_id", "result"])
            .expression(
              db
                .selectFrom(db.jsonRows(sql.val(rows), { place: "integer", vehicle_id: "integer" }).as("given"))
                .select(({ val }) => [
                  val(id).as("import_id"),
                  "place",
                  val("missing").as("outcome"),
                  val(dealer).as("dealer_id"),
                  "vehicle_id",
                  val(result).as("result"),
                ]),
            )
            .execute();
        },
        async missingInBothFiles(absent) {
          const stored = await missingBefore(tx, id);
          const lately = await tx
            .selectFrom("import_sources")
            .select("missing_lately")
            .where("id", "=", sourceId)
            .where("dealer_id", "=", dealer)
            .modifyEnd(db.forUpdate)
            .executeTakeFirst();
          const before = stored ?? lately?.missing_lately ?? NO_VEHICLES;
          if (stored === null) {
            await tx.updateTable("imports").set({ missing_before: before }).where("id", "=", id).execute();
            await tx
              .updateTable("import_sources")
              .set({ missing_lately: JSON.stringify(absent) })
              .where("id", "=", sourceId)
              .where("dealer_id", "=", dealer)
              .execute();
          }
          return inBoth(absent, before);
        },
      };
    },
  };
};
