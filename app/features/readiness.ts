import { readinessRoutes } from "../../adapters/http/api/readiness.ts";
import { makeFeedsOfVehicle } from "../../adapters/sql/feeds/of-vehicle.ts";
import { makeReadiness } from "../../core/readiness/readiness.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** What vehicles lack for their channels. */
export const wireReadiness = ({ db, lots, vehicles, settings, clock, pause, currentRequest, shown }: Shared) => {
  const feeds = makeFeedsOfVehicle(db, clock, shown);
  const readiness = makeReadiness({ lots, feeds, vehicles, settings, clock, pause, currentRequest });
  return { uses: { readiness }, routes: () => readinessRoutes(readiness) } satisfies Feature;
};
