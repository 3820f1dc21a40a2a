import { correctionRoutes } from "../../adapters/http/api/corrections.ts";
import { historyRoutes } from "../../adapters/http/api/history.ts";
import { makeHistoryRepository } from "../../adapters/sql/history/repository.ts";
import { makeSaleRepository } from "../../adapters/sql/history/sales.ts";
import { makeCorrectionRepository } from "../../adapters/sql/imports/corrections.ts";
import { makeHistory } from "../../core/history/history.ts";
import { makeSales } from "../../core/history/sales.ts";
import { makeCorrections } from "../../core/imports/corrections.ts";
import type { Vehicles } from "../../core/vehicles/vehicles.ts";
import type { Feature, Http } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** What became of a vehicle: its history, its sale, and the fields that people corrected. */
export const wireHistory = ({ db, vehicles, clock, shown }: Shared, { update: changeVehicle }: Vehicles) => {
  const histories = makeHistory({ history: makeHistoryRepository(db), vehicles, clock });
  const sales = makeSales({ sales: makeSaleRepository(db), vehicles, changeVehicle, clock });
  const corrections = makeCorrections({ corrections: makeCorrectionRepository(db, shown), vehicles, changeVehicle });
  return {
    uses: { histories, sales, corrections },
    routes: ({ cursors }: Http) => [
      ...historyRoutes({ histories, sales, cursors, clock }),
      ...correctionRoutes(corrections, cursors),
    ],
  } satisfies Feature;
};
