import { vehicleRoutes } from "../../adapters/http/api/vehicles.ts";
import type { InventoryVersions } from "../../core/dealers/inventory-versions.ts";
import { andThen } from "../../core/maybe-promise.ts";
import { makeVehicles } from "../../core/vehicles/vehicles.ts";
import type { Feature, Http } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** Vehicles, one by one and in lists. */
export const wireVehicles = (shared: Shared, versions: InventoryVersions) => {
  const { clock, settings } = shared;
  const vehicles = makeVehicles({
    vehicles: shared.vehicles,
    transactions: shared.rowWork,
    imageRules: shared.imageRules,
    search: shared.words,
    storage: shared.storage,
    dealers: shared.dealers,
    resaleDays: () => andThen(settings.read(), ({ resale_days }) => resale_days),
    clock,
  });
  return {
    uses: { vehicles },
    routes: ({ pager, exposeSql }: Http) => vehicleRoutes({ vehicles, pager, versions, clock, exposeSql }),
  } satisfies Feature;
};
