import type { DealerScope } from "../../../core/access/decide.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { VehicleRepository } from "../../../core/vehicles/vehicle-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import { keptRows } from "../query/kept-rows.ts";
import { type Param, scopedStatement, statement } from "../query/statement.ts";
import type { Tables } from "../query/tables.ts";
import { vehicleWordsIn } from "../search/vehicle-words.ts";
import { vehicleChanges } from "./changes.ts";
import { vehicleDuplicates } from "./duplicates.ts";
import { vehicleList } from "./list.ts";
import { recordOf, vehicleById } from "./records.ts";
import { vehicleRemoval } from "./removal.ts";

/** A vehicle with its dealer, as it is kept in memory. */
type KeptVehicle = Pick<Tables["vehicle_documents"], "dealer_id" | "updated_at" | "document">;

/** Vehicles in SQL; see the port for what it guarantees. */
export const makeVehicleRepository = (db: SqlDatabase, words = vehicleWordsIn(db)): VehicleRepository => {
  const found = vehicleById(db);
  const kept = keptRows<KeptVehicle>(db, "vehicle_documents");
  const ofVersion = scopedStatement((narrowed, param: Param<{ id: number; version: string; scope: DealerScope }>) =>
    db
      .selectFrom("vehicles")
      .select("id")
      .where("id", "=", param("id"))
      .where("updated_at", "=", param("version"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
  );
  const owner = statement((param: Param<{ id: number }>) =>
    db.selectFrom("vehicles").select("dealer_id").where("id", "=", param("id")),
  );
  const removed = vehicleRemoval(db);
  const duplicates = vehicleDuplicates(db);

  const find = (id: number, scope: DealerScope): MaybePromise<KeptVehicle | null> =>
    kept(
      id,
      ({ dealer_id }) => scope === null || dealer_id === scope,
      () => db.first(found(scope), { id, scope }),
    );

  return {
    list: vehicleList(db),

    find: (id, scope) => andThen(find(id, scope), (row) => recordOf(id, row)),

    // On SQLite the vehicle is often in memory, or will be the next time.
    isVersion: (id, scope, version) =>
      db.engine === "sqlite"
        ? andThen(find(id, scope), (row) => row?.updated_at === version)
        : andThen(db.first(ofVersion(scope), { id, scope, version }), (row) => row !== null),

    async ownerOf(id) {
      return (await db.first(owner, { id }))?.dealer_id ?? null;
    },

    refusesDuplicates: duplicates.refuses,

    ...vehicleChanges(db, words)(db),

    remove: (removal) => db.write((tx) => removed(tx, removal)),
  };
};
