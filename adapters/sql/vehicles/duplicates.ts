import { type RawBuilder, type SqlBool, sql } from "kysely";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import {
  type ComparedVehicle,
  comparedBy,
  comparedValues,
  type Duplicates,
  DuplicateVehicle,
  duplicateIds,
  NO_DUPLICATES,
  UNIQUE_FIELDS,
  type UniqueField,
} from "../../../core/vehicles/duplicates.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement, statement } from "../query/statement.ts";

/** The maximum number of duplicates that an answer names: those with the lowest ids. */
const MOST_NAMED = 50;
/** A row for each of them and each field, and the one that says whether the dealer refuses them. */
const MOST_ROWS = MOST_NAMED * UNIQUE_FIELDS.length + 1;

/** The error that undoes a change which the dealer refuses. */
export class DuplicateFound extends Error {
  constructor(readonly found: DuplicateVehicle) {
    super("another unsold vehicle of the dealer has this VIN or stock number");
  }
}

/** What is known about the duplicates of a vehicle, and whether its dealer refuses them. */
interface Found {
  readonly refuses: boolean;
  readonly duplicates: Duplicates;
}

/** A duplicate of the vehicle that the parameters describe, or whether the dealer refuses them. */
interface FoundRow {
  readonly id: number;
  readonly field: UniqueField | "refuses";
}

/** True of a row of `dealers` whose dealer refuses duplicates. */
const refusesDuplicates = sql<SqlBool>`unique_vin = 'refuse'`;

/** Finds the duplicates of the parameters `vin` and `stock` of `dealer`, besides the vehicle `except`. */
const foundDuplicates = (except: RawBuilder<unknown> = param("except")): RawBuilder<FoundRow> => {
  const unsold = sql`found.dealer_id = ${param("dealer")} AND found.status <> 'sold' AND found.id <> ${except}`;
  return sql<FoundRow>`SELECT found.id AS id, 'vin' AS field FROM vehicles AS found
      WHERE lower(found.vin) = ${param("vin")} AND ${unsold}
    UNION SELECT found.id, 'stock_number' FROM vehicles AS found
      WHERE lower(found.stock_number) = ${param("stock")} AND ${unsold}
    UNION SELECT found.id, 'stock_number' FROM vehicle_spellings AS spelled CROSS JOIN vehicles AS found
      WHERE spelled.field = 'stock_number' AND spelled.folded = ${param("stock")}
        AND lower(found.stock_number) = lower(spelled.value) AND ${unsold}
    UNION SELECT 0, 'refuses' FROM dealers WHERE ${refusesDuplicates} AND id = ${param("dealer")}
    ORDER BY id LIMIT ${sql.lit(MOST_ROWS)}`;
};

/** The statement that inserts a vehicle tells its duplicates besides, where it can: how, and the parameters for it. */
export const TOLD_DUPLICATES = {
  /** False for the vehicles of a dealer that refuses duplicates, for whom more must be done. */
  areTaken: sql<SqlBool>`NOT EXISTS (SELECT 1 FROM dealers WHERE ${refusesDuplicates} AND id = ${param("dealer")})`,
  /** The duplicates that were there before, as a JSON list of rows; `NULL` if there are none. */
  listed: sql<string | null>`(SELECT CAST(json_agg(told) AS TEXT) FROM (${foundDuplicates(sql`0`)}) AS told)`,
  valuesOf(vehicle: ComparedVehicle) {
    const { vin, stock_number: stock } = comparedValues(vehicle);
    return { dealer: vehicle.dealer_id, vin, stock };
  },
  read: (listed: string | null): Duplicates =>
    listed === null ? NO_DUPLICATES : duplicatesIn(JSON.parse(listed) as readonly FoundRow[]),
};

/** The duplicates among such rows, as many as are named. */
const duplicatesIn = (rows: readonly FoundRow[]): Duplicates => {
  const found = rows.filter(({ field }) => field !== "refuses");
  const named = new Set([...new Set(found.map(({ id }) => id))].slice(0, MOST_NAMED));
  const by = (wanted: UniqueField) =>
    found.filter(({ id, field }) => field === wanted && named.has(id)).map(({ id }) => id);
  return { vin: by("vin"), stock_number: by("stock_number") };
};

/** Finds vehicles by VIN and stock number, each with an index. */
export const vehicleDuplicates = (db: SqlDatabase) => {
  const found = sqlStatement(db, foundDuplicates(), true);
  const refusing = sqlStatement(
    db,
    sql<{ id: number }>`SELECT id FROM dealers WHERE unique_vin = 'refuse'
      AND (id = ${param("dealer")} OR id = (SELECT dealer_id FROM vehicles WHERE id = ${param("id")}))`,
  );
  const compared = statement(() =>
    db.selectFrom("vehicles").select(["dealer_id", "vin", "stock_number"]).where("id", "=", param("id")),
  );
  // Every change of a dealer's vehicles locks this row until its end.
  const locked = statement(() =>
    db
      .selectFrom("dealer_inventory")
      .select("dealer_id")
      .where("dealer_id", "=", param("dealer"))
      .modifyEnd(db.forUpdate),
  );

  const find = (on: Sql, vehicle: ComparedVehicle, except: number | null): MaybePromise<Found> => {
    const { vin, stock_number: stock } = comparedValues(vehicle);
    return andThen(on.all(found, { dealer: vehicle.dealer_id, vin, stock, except: except ?? 0 }), (rows) => ({
      refuses: rows.some(({ field }) => field === "refuses"),
      duplicates: duplicatesIn(rows),
    }));
  };

  return {
    /** The duplicates of a vehicle that is not stored. */
    of: (on: Sql, vehicle: ComparedVehicle) => find(on, vehicle, null),

    /** True if the dealer of the vehicle, or the other dealer, refuses duplicates. */
    refuses: (id: number, dealer: number | null): MaybePromise<boolean> =>
      andThen(db.all(refusing, { id, dealer }), (rows) => rows.length > 0),

    /**
     * Ends the transaction of a change with an error if the vehicle, as it is now, is a duplicate by these fields and its
     * dealer refuses that. The change holds the lock of the dealer's inventory, so that no other one is made meanwhile.
     */
    async refuse(tx: Sql, id: number, fields: readonly UniqueField[] = UNIQUE_FIELDS): Promise<void> {
      const [vehicle] = await tx.all(compared, { id });
      if (vehicle === undefined) return;
      const { refuses, duplicates } = await find(tx, comparedBy(vehicle, fields), id);
      if (refuses && duplicateIds(duplicates).length > 0) throw new DuplicateFound(new DuplicateVehicle(duplicates));
    },

    /** The duplicates that the dealer refuses. None of them can come or go before the end of the transaction. */
    async refused(tx: Sql, vehicle: ComparedVehicle, except: number | null): Promise<Duplicates> {
      if ((await tx.all(refusing, { id: 0, dealer: vehicle.dealer_id })).length === 0) return NO_DUPLICATES;
      await tx.all(locked, { dealer: vehicle.dealer_id });
      return (await find(tx, vehicle, except)).duplicates;
    },
  };
};
