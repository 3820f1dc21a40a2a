import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeBulk } from "../../adapters/sql/vehicles/bulk.ts";
import type { VehicleFields } from "../../core/vehicles/vehicle-repository.ts";
import { MOMENT, OPERATOR } from "./records.ts";

/** Stores vehicles in one transaction with one entry in the audit log, which costs a fraction of storing them one by one. */
export const addVehicles = (db: SqlDatabase, vehicles: readonly VehicleFields[]): Promise<void> =>
  makeBulk(db, { now: () => MOMENT }, OPERATOR).addVehicles(vehicles.map((fields) => ({ fields, images: [] })));
