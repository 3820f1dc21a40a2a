import type { DealerScope } from "../../../core/access/decide.ts";
import { JsonRecord } from "../../../core/stored-json.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import type { SqlDatabase } from "../query/database.ts";
import { type Param, scopedStatement } from "../query/statement.ts";
import type { Tables } from "../query/tables.ts";

/** A vehicle as it is read. */
export type VehicleRow = Pick<Tables["vehicle_documents"], "updated_at" | "document">;

/** The record of a row; `null` if there is none. */
export const recordOf = (id: number, row: VehicleRow | null | undefined): JsonRecord<Vehicle> | null =>
  row ? new JsonRecord(id, row.updated_at, row.document) : null;

/** Reads vehicle `id` if it is in scope. */
export const vehicleById = (db: SqlDatabase) =>
  scopedStatement((narrowed, param: Param<{ id: number; scope: DealerScope }>) =>
    db
      .selectFrom("vehicle_documents")
      .select(["dealer_id", "updated_at", "document"])
      .where("id", "=", param("id"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
  );
