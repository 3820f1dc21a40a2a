import { makeInventoryStates } from "../../adapters/sql/vehicles/inventory-states.ts";
import { makeInventoryVersions } from "../../core/dealers/inventory-versions.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** The versions of a dealer's inventory, by which clients find out that nothing has changed. */
export const wireInventoryVersions = ({ db, clock, delivery }: Shared) => {
  const configuration = (): string => `${delivery?.base}`;
  const inventoryVersions = makeInventoryVersions({ states: makeInventoryStates(db), clock, configuration });
  return { uses: { inventoryVersions } } satisfies Feature;
};
