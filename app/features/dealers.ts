import { dealerRoutes } from "../../adapters/http/api/dealers.ts";
import { reportRoutes } from "../../adapters/http/api/report.ts";
import { makeReportRepository } from "../../adapters/sql/report/repository.ts";
import type { FiguresOfDealers } from "../../core/dealer-figures/figures.ts";
import { makeDealers } from "../../core/dealers/dealers.ts";
import type { InventoryVersions } from "../../core/dealers/inventory-versions.ts";
import { makeReports } from "../../core/report/reports.ts";
import type { Feature, Http } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** Dealers, and the reports of their inventory. */
export const wireDealers = (shared: Shared, versions: InventoryVersions, figures: FiguresOfDealers) => {
  const { db, vehicles, words, clock } = shared;
  const dealers = makeDealers({ dealers: shared.dealers, vehicles, search: words, clock });
  const reports = makeReports({ reports: makeReportRepository(db), dealers: shared.dealers, clock });
  return {
    uses: { dealers, reports },
    routes: ({ pager }: Http) => [
      ...dealerRoutes({ dealers, figures, pager, versions, clock }),
      ...reportRoutes(reports),
    ],
  } satisfies Feature;
};
