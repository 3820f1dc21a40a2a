import { todayRoutes } from "../../adapters/http/api/today.ts";
import { makeReportRepository } from "../../adapters/sql/report/repository.ts";
import { makeTodayRepository } from "../../adapters/sql/today/repository.ts";
import { makeToday } from "../../core/today/today.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** What a dealer looks at in the morning. */
export const wireToday = ({ db, dealers, clock, shown, delivery }: Shared) => {
  const today = makeToday({
    today: makeTodayRepository(db, shown),
    reports: makeReportRepository(db),
    dealers,
    delivery,
    clock,
  });
  return { uses: { today }, routes: () => todayRoutes(today) } satisfies Feature;
};
