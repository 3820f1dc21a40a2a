import { decide, scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { isAdmitted, useCase } from "../access/use-case.ts";
import { visibilityOfKeys } from "../access/visibility.ts";
import { type Clock, msOf, type Timestamp, timestampAt } from "../clock.ts";
import type { DealerRepository } from "../dealers/dealer-repository.ts";
import { Failure, notFound, type Outcome } from "../failure.ts";
import { deliveredFrom, type Image, type ImageDelivery } from "../images/image.ts";
import { type AgeGroup, ageBorders, ageGroupsOf } from "../report/age-groups.ts";
import { monthsOf, periodOf } from "../report/period.ts";
import type { ReportRepository } from "../report/report-repository.ts";
import { doNext, type FoundWork, type Todo } from "./do-next.ts";
import { crossingPeriods, lineOf, lotBefore, meanDays, monthBefore } from "./lot-figures.ts";
import { priceCorrections } from "./price-corrections.ts";
import type { CrossingVehicle, DealerNow, FeedCount, FoundVehicles, Lot, TodayRepository } from "./today-repository.ts";

/** The vehicles on the lot by age, with the filter of GET /api/vehicles that lists them. */
export interface ListedAgeGroup extends AgeGroup {
  readonly filter: {
    readonly dealer_id: number;
    readonly status: readonly ["available", "pending"];
    readonly min_days_on_lot: number;
    readonly max_days_on_lot?: number;
  };
}

/** A vehicle on the lot that crossed a line of days. */
export interface CrossedVehicle extends Omit<CrossingVehicle, "cents" | "listed_at"> {
  readonly price: number;
  readonly days_on_lot: number;
  readonly line: number;
  /** The addresses of the variants of its image; `null` if no delivery service makes any. */
  readonly variants: Required<Image>["variants"] | null;
}

/** What a channel left out when it last fetched its feed. */
export type LeftOut = Omit<FeedCount, "id"> & { readonly feed_id: number };

/** What a dealer looks at in the morning, as it is answered (interface 6.3). */
export interface Today {
  readonly dealer_id: number;
  readonly on_lot: { readonly count: number; readonly value: number };
  /** In whole days. */
  readonly average_age: { readonly now: number; readonly week_ago: number };
  readonly sold: { readonly this_month: number; readonly last_month: number };
  readonly without_images: number | null;
  /** `null` if the caller may not see feeds. */
  readonly left_out: readonly LeftOut[] | null;
  readonly ages: readonly ListedAgeGroup[];
  readonly crossed: { readonly total: number; readonly vehicles: readonly CrossedVehicle[] };
  readonly do_next: readonly Todo[];
  readonly months: readonly { readonly month: string; readonly added: number; readonly sold: number }[];
  readonly timestamp: Timestamp;
}

interface Ports {
  readonly today: TodayRepository;
  readonly reports: Pick<ReportRepository, "months" | "lot">;
  readonly dealers: Pick<DealerRepository, "exists">;
  readonly delivery: ImageDelivery | null;
  readonly clock: Clock;
}

/** If more vehicles are on a lot, those without images are not counted, as that takes a visit of each. */
export const MOST_VISITED = 50_000;
/** So many of the prices that were changed last are compared with those in files. */
export const MOST_REPRICED = 500;
/** So many of the sales that were made last are looked at. */
export const MOST_SOLD = 500;
const MOST_CROSSED = 8;
const MOST_SALES = 8;
const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const SALE_DAYS = 30;

const crossedOf = (
  found: FoundVehicles<CrossingVehicle>,
  { nowMs, delivery }: { readonly nowMs: number; readonly delivery: ImageDelivery | null },
): Today["crossed"] => ({
  total: found.total,
  vehicles: found.items.map(({ cents, listed_at, ...vehicle }) => {
    const days = Math.floor((nowMs - msOf(listed_at)) / DAY_MS);
    const { image_url } = vehicle;
    const variants = image_url === null ? null : (deliveredFrom(delivery, image_url)?.variants ?? null);
    return { ...vehicle, variants, price: cents / 100, days_on_lot: days, line: lineOf(days) ?? 0 };
  }),
});

const listedGroup =
  (dealerId: number) =>
  (group: AgeGroup): ListedAgeGroup => ({
    ...group,
    filter: {
      dealer_id: dealerId,
      status: ["available", "pending"],
      min_days_on_lot: group.from,
      ...(group.to !== null && { max_days_on_lot: group.to }),
    },
  });

/** The use case of a dealer's first page (interface 6.3). */
export const makeToday = ({ today, reports, dealers, delivery, clock }: Ports) => {
  const daysBefore = (of: DealerNow, days: number): Timestamp => timestampAt(msOf(of.now) - days * DAY_MS);

  const monthsUntil = async (of: DealerNow): Promise<Pick<Today, "sold" | "months"> | Failure> => {
    const period = periodOf(clock, { to: of.now.slice(0, 10) });
    if (period instanceof Failure) return period;
    const found = new Map((await reports.months({ ...of, period })).map((figures) => [figures.month, figures]));
    const months = monthsOf(period).map((month) => ({
      month,
      added: found.get(month)?.added ?? 0,
      sold: found.get(month)?.sold ?? 0,
    }));
    const before = await reports.months({ ...of, period: monthBefore(period.to) });
    return {
      sold: { this_month: months.at(-1)?.sold ?? 0, last_month: before.reduce((sum, { sold }) => sum + sold, 0) },
      months,
    };
  };

  /** What is to be done, as far as the caller may see it. */
  const workOf = async (principal: Principal, of: DealerNow): Promise<FoundWork> => ({
    feeds: isAdmitted(principal, "feed.list") ? await today.feeds(of) : [],
    lastImport: isAdmitted(principal, "import.list") ? await today.lastImport(of) : null,
    withoutPrice: isAdmitted(principal, "vehicle.set-sale")
      ? await today.soldWithoutPrice(of, { after: daysBefore(of, SALE_DAYS), among: MOST_SOLD, most: MOST_SALES })
      : null,
    corrections: isAdmitted(principal, "vehicle.corrections")
      ? priceCorrections(await today.repriced(of, MOST_REPRICED))
      : [],
    keys: isAdmitted(principal, "key.list") ? await today.keys(of, visibilityOfKeys(principal), daysBefore(of, 1)) : [],
  });

  const averageAge = async (of: DealerNow, now: Lot): Promise<Today["average_age"]> => {
    const weekAgo = daysBefore(of, WEEK_DAYS);
    const [listed, sold] = [await today.listedAfter(of, weekAgo), await today.soldAfter(of, weekAgo)];
    return { now: meanDays(now), week_ago: meanDays(lotBefore(WEEK_DAYS, { now, listed, sold })) };
  };

  /** The answer but for the vehicles without images. Its queries run one after the other: see `longReads`. */
  const figuresOf = async (
    principal: Principal,
    of: DealerNow,
    lot: Lot,
  ): Promise<Omit<Today, "without_images"> | Failure> => {
    const nowMs = msOf(of.now);
    const figures = await monthsUntil(of);
    if (figures instanceof Failure) return figures;
    const { ages } = await reports.lot({ ...of, borders: ageBorders(nowMs), oldest: 0 });
    const work = await workOf(principal, of);
    return {
      dealer_id: of.dealerId,
      on_lot: { count: lot.vehicles, value: lot.cents / 100 },
      average_age: await averageAge(of, lot),
      sold: figures.sold,
      left_out: isAdmitted(principal, "feed.list")
        ? work.feeds.map(({ id: feed_id, ...feed }) => ({ feed_id, ...feed }))
        : null,
      ages: ageGroupsOf(ages).map(listedGroup(of.dealerId)),
      crossed: crossedOf(await today.listedWithin(of, crossingPeriods(nowMs), MOST_CROSSED), { nowMs, delivery }),
      do_next: doNext(work),
      months: figures.months,
      timestamp: of.now,
    };
  };

  return {
    ofDealer: useCase("dealer.today", async (principal, id: number): Promise<Outcome<Today>> => {
      if (!(await dealers.exists(id))) return notFound("dealer", id);
      const foreign = decide(principal, "dealer.today", { subject: "dealer", dealerId: id });
      if (foreign !== null) return foreign;
      const of: DealerNow = { scope: scopeOf(principal), dealerId: id, now: clock.now() };
      const lot = await today.lot(of);
      if (lot === null) return notFound("dealer", id);
      // The visit of each vehicle takes longer than all others together, so it runs beside them.
      const [without_images, figures] = await Promise.all([
        lot.vehicles <= MOST_VISITED ? today.withoutImages(of, lot.mark) : null,
        figuresOf(principal, of, lot),
      ]);
      return figures instanceof Failure ? figures : { ...figures, without_images };
    }),
  };
};

export type DealersToday = ReturnType<typeof makeToday>;
