import { sql } from "kysely";
import type {
  ImportStep,
  ImportWork,
  RowReads,
  RowStep,
  StoredImport,
} from "../../../core/imports/import-repository.ts";
import type { Base } from "../../../core/imports/merge.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { givenIds, idsValue } from "../query/slices.ts";
import { sqlStatement } from "../query/statement.ts";
import { heldSources } from "../sources/locked-bases.ts";

/** The number of vehicles whose status is forgotten in one transaction. */
const FORGOTTEN_AT_ONCE = 500;

/** What a stored base says, with the status in its place. */
export const baseIn = ({ status, base }: { readonly status: string | null; readonly base: string }): Base => {
  const fields = JSON.parse(base) as Base;
  return status === null ? fields : { ...fields, status };
};

/** Reads and stores what the last file of a source said of vehicles, within a step's transaction. */
export const storedBases = (db: SqlDatabase): ((tx: Tx) => Pick<RowReads, "basesOf"> & Pick<RowStep, "storeBases">) => {
  const found = sqlStatement<
    { vehicle_id: number; status: string | null; base: string },
    { source: string; dealer: number; ids: string }
  >(
    db,
    (param) => sql`SELECT vehicle_id, status, base FROM import_bases
      WHERE source = ${param("source")} AND dealer_id = ${param("dealer")}
        AND vehicle_id IN (SELECT id FROM ${db.jsonRows(param("ids"), { id: "integer" })} AS given)`,
  );
  const given = { vehicle_id: "integer", dealer_id: "integer", status: "text", base: "text" } as const;
  const kept = sqlStatement<object, { source: string; now: string; rows: string }>(
    db,
    (param) => sql`INSERT INTO import_bases (vehicle_id, source, dealer_id, updated_at, status, base)
      SELECT vehicle_id, ${param("source")}, dealer_id, ${param("now")}, status, base
      FROM ${db.jsonRows(param("rows"), given)} AS given WHERE true
      ON CONFLICT (vehicle_id, source) DO UPDATE SET dealer_id = excluded.dealer_id, updated_at = excluded.updated_at,
        status = excluded.status, base = excluded.base`,
  );
  const isHeld = heldSources(db);
  return (tx) => ({
    async basesOf(source, { dealerId: dealer, vehicleIds }) {
      if (vehicleIds.length === 0) return new Map();
      const rows = await tx.all(found, { source, dealer, ids: idsValue(vehicleIds) });
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
  const isHeld = heldSources(db);
  return (tx, { id, dealerId: dealer, found: { rows } }) => ({
    holdsSource: (source) => isHeld(tx, source),
    async forgetStatusOf(source, ids) {
      if (ids.length === 0 || !(await isHeld(tx, source))) return;
      await tx
        .updateTable("import_bases")
        .set({ status: null })
        .where("source", "=", source)
        .where("dealer_id", "=", dealer)
        .where("vehicle_id", "in", givenIds(db, ids))
        .execute();
    },
    async forgetStatusOfAbsent(source) {
      if (!(await isHeld(tx, source))) return false;
      const inFile = db
        .selectFrom("import_rows")
        .select("vehicle_id")
        .where("import_id", "=", id)
        .where("place", "<=", rows)
        .where("vehicle_id", "is not", null);
      const absent = db
        .selectFrom("vehicles")
        .innerJoin("import_bases as said", "said.vehicle_id", "vehicles.id")
        .select("vehicles.id")
        .where("vehicles.dealer_id", "=", dealer)
        .where("vehicles.status", "=", "sold")
        .where("said.source", "=", source)
        .where("said.dealer_id", "=", dealer)
        .where("said.status", "is not", null)
        .where("vehicles.id", "not in", inFile.$castTo<{ vehicle_id: number }>())
        .limit(FORGOTTEN_AT_ONCE);
      const forgotten = await tx
        .updateTable("import_bases")
        .set({ status: null })
        .where("source", "=", source)
        .where("vehicle_id", "in", absent)
        .returning("vehicle_id")
        .execute();
      return forgotten.length === FORGOTTEN_AT_ONCE;
    },
  });
};

/** Reads the owners of fields that a source has of its own. */
export const ownersOfSources =
  (db: SqlDatabase): ImportWork["fieldOwners"] =>
  async ({ sourceId, dealerId: dealer }) => {
    if (sourceId === null) return {};
    const found = db
      .selectFrom("import_sources")
      .select("field_owners")
      .where("id", "=", sourceId)
      .where("dealer_id", "=", dealer);
    const row = await found.executeTakeFirst();
    return row === undefined ? {} : JSON.parse(row.field_owners);
  };
