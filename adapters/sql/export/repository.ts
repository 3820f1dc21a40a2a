import type { ExportRepository } from "../../../core/export/export-repository.ts";
import type { ExportedVehicle } from "../../../core/export/vehicle-file.ts";
import { AS_STORED, type ShownAddresses } from "../../../core/images/own-address.ts";
import type { Slice } from "../../../core/long-items.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { holdSnapshot } from "../query/held-snapshot.ts";
import { type FilterPlan, locatedFilters, rowPlanOf } from "../vehicles/filter-plan.ts";
import { hasDocument, READ_SIZES, type ReadSizes, vehicleWalk, type WalkedRow } from "./walk.ts";

/** Exports in SQL; see the port for what it guarantees. */
export const makeExportRepository = (
  db: SqlDatabase,
  slicing: ReadSizes = READ_SIZES,
  shown: ShownAddresses = AS_STORED,
): ExportRepository => {
  const withAddresses = (vehicle: ExportedVehicle): ExportedVehicle =>
    vehicle.images === null ? vehicle : { ...vehicle, images: shown(vehicle.images) };
  const located = locatedFilters(db);
  const { isLong, one, next: stepOf } = vehicleWalk(db, slicing);

  return {
    *vehicles({ scope, filter }) {
      const snapshot = holdSnapshot(db);
      let plan: FilterPlan | null = null;
      let after: WalkedRow | undefined;
      let rest: readonly WalkedRow[] = [];
      let isOver = false;
      const dealer = scope ?? filter.dealer_id;

      const walk = async (): Promise<readonly WalkedRow[]> => {
        const on = await snapshot.sql;
        plan ??= rowPlanOf(db, scope, await located(scope, filter));
        const { statement, values, rows } = stepOf(plan, { dealer, after });
        const found = await on.all(statement, values);
        isOver = found.length < rows;
        return found;
      };
      /** The vehicles before the first long one. If the next vehicle is long, only that one. */
      const take = async (on: Sql): Promise<readonly ExportedVehicle[]> => {
        const end = rest.findIndex(isLong);
        const [first] = rest;
        if (end === 0 && first !== undefined) {
          rest = rest.slice(1);
          return (await on.all(one, { id: first.id })).map(withAddresses);
        }
        const short = rest.slice(0, end < 0 ? rest.length : end);
        rest = rest.slice(short.length);
        return short.filter(hasDocument).map(withAddresses);
      };
      const next = async (): Promise<readonly ExportedVehicle[]> => take(await snapshot.sql);

      try {
        while (!isOver) {
          yield async () => {
            rest = await walk();
            after = rest.at(-1);
            return next();
          };
          while (rest.length > 0) yield next satisfies Slice<ExportedVehicle>;
        }
      } finally {
        snapshot.release();
      }
    },
  };
};
