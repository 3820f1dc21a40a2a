import type { DealerScope } from "../access/decide.ts";
import type { Slice } from "../long-items.ts";
import type { VehicleFilter } from "../vehicles/vehicle-filter.ts";
import type { ExportedVehicle } from "./vehicle-file.ts";

/** Reads whole inventories from the database. */
export interface ExportRepository {
  /**
   * The vehicles in scope that a filter finds, newest first, all as they were at one moment: when the first slice was
   * read. Until the iteration ends or is given up, it holds a connection of its own and what the database keeps of that
   * moment. Slices are small, and each costs about the same, whatever the filter finds; many may be empty.
   */
  vehicles(query: { readonly scope: DealerScope; readonly filter: VehicleFilter }): Iterable<Slice<ExportedVehicle>>;
}
