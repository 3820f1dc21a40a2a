import { decide, scopeOf } from "../access/decide.ts";
import { salesAreForThoseWhoWriteVehicles } from "../access/rules/sales-are-for-those-who-write-vehicles.ts";
import { useCase } from "../access/use-case.ts";
import { type Clock, msOf, type Timestamp } from "../clock.ts";
import type { DealerRepository } from "../dealers/dealer-repository.ts";
import { Failure, notFound, type Outcome } from "../failure.ts";
import { type AgeGroup, ageBorders, ageGroupsOf } from "./age-groups.ts";
import { type AnsweredFigures, answeredFigures, sumOf } from "./figures.ts";
import { monthsOf, type Period, periodOf, type ReportQuery } from "./period.ts";
import type { LotAges, MonthFigures, ReportRepository } from "./report-repository.ts";

/** A vehicle that is not sold, with the whole days that it has been on the lot. */
export interface OldestVehicle {
  readonly id: number;
  readonly title: string | null;
  readonly stock_number: string | null;
  readonly listed_at: Timestamp;
  readonly days_on_lot: number;
  readonly price: number;
}

/** What happened to vehicles in a period, and what is on the lot now, as it is answered (interface 6.3). */
export interface Report {
  /** Every month of the period in ascending order. */
  readonly months: readonly (AnsweredFigures & { readonly month: string })[];
  readonly total: AnsweredFigures;
  readonly now: { readonly ages: readonly AgeGroup[]; readonly oldest: readonly OldestVehicle[] };
}

/** A report on all dealers in the caller's reach, with the total of each. */
export interface OverallReport extends Report {
  readonly dealers: readonly (AnsweredFigures & { readonly dealer_id: number; readonly name: string })[];
}

interface Ports {
  readonly reports: ReportRepository;
  readonly dealers: Pick<DealerRepository, "exists">;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;
const OLDEST_COUNT = 10;

const NO_FIGURES = sumOf([]);

const reportOf = (
  { period, nowMs, sees }: { readonly period: Period; readonly nowMs: number; readonly sees: boolean },
  found: readonly MonthFigures[],
  lot: LotAges,
): Report => {
  const byMonth = new Map(found.map((figures) => [figures.month, figures]));
  return {
    months: monthsOf(period).map((month) => ({ month, ...answeredFigures(byMonth.get(month) ?? NO_FIGURES, sees) })),
    total: answeredFigures(sumOf(found), sees),
    now: {
      ages: ageGroupsOf(lot.ages),
      oldest: lot.oldest.map(({ cents, ...vehicle }) => ({
        id: vehicle.id,
        title: vehicle.title,
        stock_number: vehicle.stock_number,
        listed_at: vehicle.listed_at,
        days_on_lot: Math.max(0, Math.floor((nowMs - msOf(vehicle.listed_at)) / DAY_MS)),
        price: cents / 100,
      })),
    },
  };
};

/** Use cases of reports (interface 6.3). A caller who is bound to a dealer gets figures of that dealer only. */
export const makeReports = ({ reports, dealers, clock }: Ports) => {
  const lotAt = (nowMs: number) => ({ borders: ageBorders(nowMs), oldest: OLDEST_COUNT });

  return {
    ofDealer: useCase("dealer.report", async (principal, id: number, query: ReportQuery): Promise<Outcome<Report>> => {
      const period = periodOf(clock, query);
      if (period instanceof Failure) return period;
      if (!(await dealers.exists(id))) return notFound("dealer", id);
      const foreign = decide(principal, "dealer.report", { subject: "dealer", dealerId: id });
      if (foreign !== null) return foreign;
      const nowMs = clock.nowMs();
      const reach = { scope: scopeOf(principal), dealerId: id };
      const months = await reports.months({ ...reach, period });
      const lot = await reports.lot({ ...reach, ...lotAt(nowMs) });
      return reportOf({ period, nowMs, sees: salesAreForThoseWhoWriteVehicles(principal) }, months, lot);
    }),

    overall: useCase("report.read", async (principal, query: ReportQuery): Promise<Outcome<OverallReport>> => {
      const period = periodOf(clock, query);
      if (period instanceof Failure) return period;
      const nowMs = clock.nowMs();
      const scope = scopeOf(principal);
      // The queries run one after the other: each may take long, and a caller may have only a few long reads at once.
      const figures = await reports.byDealer({ scope, period });
      const lot = await reports.lot({ scope, dealerId: null, ...lotAt(nowMs) });
      const sees = salesAreForThoseWhoWriteVehicles(principal);
      return {
        ...reportOf({ period, nowMs, sees }, figures.months, lot),
        dealers: figures.dealers.map(({ dealer_id, name, ...total }) => ({
          dealer_id,
          name,
          ...answeredFigures(total, sees),
        })),
      };
    }),
  };
};

export type Reports = ReturnType<typeof makeReports>;
