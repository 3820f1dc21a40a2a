import { sql } from "kysely";
import type { ImportStep, ImportWork, RowStep, StoredImport } from "../../../core/imports/import-repository.ts";
import type { Base } from "../../../core/imports/merge.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { param, sqlStatement, statement } from "../query/statement.ts";
import { heldSources } from "../sources/locked-bases.ts";

/** The number of vehicles whose status is forgotten in one transaction. */
const FORGOTTEN_AT_ONCE = 500;

/** What a stored base says, with the status in its place. */
export const baseIn = ({ status, base }: { readonly status: string | null; readonly base: string }): Base => {
  const fields = JSON.parse(base) as Base;
  return status === null ? fields : { ...fields, status };
};

/** Reads and stores what the last file of a source said of vehicles, within a step's transaction. */
export const storedBases = (db: SqlDatabase): ((tx: Tx) => Pick<RowStep, "basesOf" | "storeBases">) => {
  const found = sqlStatement(
    db,
    sql<{ vehicle_id: number; status: string | null; base: string }>`SELECT vehicle_id, status, base FROM import_bases
      WHERE source = ${param("source")} AND dealer_id = ${param("dealer")}
        AND vehicle_id IN (SELECT id FROM ${db.jsonRows(param<string>("ids"), { id: "integer" })} AS given)`,
  );
  const given = db.jsonRows(param<string>("rows"), {
    vehicle_id: "integer",
    dealer_id: "integer",
    status: "text",
    base: "text",
  });
  const kept = sqlStatement(
    db,
    sql<object>`INSERT INTO import_bases (vehicle_id, source, dealer_id, updated_at, status, base)
      SELECT vehicle_id, ${param("source")}, dealer_id, ${param("now")}, status, base FROM ${given} AS given WHERE true
      ON CONFLICT (vehicle_id, source) DO UPDATE SET dealer_id = excluded.dealer_id, updated_at = excluded.updated_at,
        status = excluded.status, base = excluded.base`,
  );
  const isHeld = heldSources(db);
  return (tx) => ({
    async basesOf(source, { dealerId: dealer, vehicleIds }) {
      if (vehicleIds.length === 0) return new Map();
      const rows = await tx.all(found, { source, dealer, ids: JSON.stringify(vehicleIds.map((id) => [id])) });
      return new Map(rows.map((row) => [row.vehicle_id, baseIn(row)]));
    },
    async storeBases(source, bases, now) {
      if (!(await isHeld(tx, source))) return;
      const rows = bases.map(({ vehicleId, dealerId, base: { status = null, ...others } }) => [
        vehicleId,
        dealerId,
        status,
        JSON.stringify(others),
      ]);
      await tx.all(kept, { source, now, rows: JSON.stringify(rows) });
    },
  });
};

/**
 * Forgets what the last file of a source said of the status of vehicles that its present file does not contain. If they
 * are in a later file, its status is news.
 */
export const statusesOfBases = (
  db: SqlDatabase,
): ((tx: Tx, present: StoredImport) => Pick<ImportStep, "holdsSource" | "forgetStatusOf" | "forgetStatusOfAbsent">) => {
  const ofVehicles = sqlStatement(
    db,
    sql<object>`UPDATE import_bases SET status = NULL WHERE source = ${param("source")} AND dealer_id = ${param("dealer")}
      AND vehicle_id IN (SELECT id FROM ${db.jsonRows(param<string>("ids"), { id: "integer" })} AS given)`,
  );
  const ofAbsent = sqlStatement(
    db,
    sql<{ vehicle_id: number }>`UPDATE import_bases SET status = NULL WHERE source = ${param("source")}
      AND vehicle_id IN (SELECT vehicles.id FROM vehicles JOIN import_bases AS said ON said.vehicle_id = vehicles.id
        WHERE vehicles.dealer_id = ${param("dealer")} AND vehicles.status = 'sold' AND said.source = ${param("source")}
          AND said.dealer_id = ${param("dealer")} AND said.status IS NOT NULL AND vehicles.id NOT IN (
            SELECT vehicle_id FROM import_rows WHERE import_id = ${param("id")} AND place <= ${param("rows")}
              AND vehicle_id IS NOT NULL)
        LIMIT ${sql.lit(FORGOTTEN_AT_ONCE)}) RETURNING vehicle_id`,
  );
  const isHeld = heldSources(db);
  return (tx, { id, dealerId: dealer, found: { rows } }) => ({
    holdsSource: (source) => isHeld(tx, source),
    async forgetStatusOf(source, ids) {
      if (ids.length > 0 && (await isHeld(tx, source)))
        await tx.all(ofVehicles, { source, dealer, ids: JSON.stringify(ids.map((vehicle) => [vehicle])) });
    },
    async forgetStatusOfAbsent(source) {
      if (!(await isHeld(tx, source))) return false;
      return (await tx.all(ofAbsent, { source, dealer, id, rows })).length === FORGOTTEN_AT_ONCE;
    },
  });
};

/** Reads the owners of fields that a source has of its own. */
export const ownersOfSources = (db: SqlDatabase): ImportWork["fieldOwners"] => {
  const found = statement(() =>
    db
      .selectFrom("import_sources")
      .select("field_owners")
      .where("id", "=", param("source"))
      .where("dealer_id", "=", param("dealer")),
  );
  return async ({ sourceId: source, dealerId: dealer }) => {
    const [row] = source === null ? [] : await db.all(found, { source, dealer });
    return row === undefined ? {} : JSON.parse(row.field_owners);
  };
};
