import type { DealerScope } from "../access/decide.ts";
import type { Timestamp } from "../clock.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Figures } from "./figures.ts";
import type { Period } from "./period.ts";

/** The figures of a month, such as `2026-03`. */
export interface MonthFigures extends Figures {
  readonly month: string;
}

/** The figures of a dealer over a whole period. */
export interface DealerFigures extends Figures {
  readonly dealer_id: number;
  readonly name: string;
}

/** Vehicles on the lot that were listed within a range of time: their number, and the sum of their prices. */
interface AgeTotals {
  readonly vehicles: number;
  readonly cents: number;
}

/** One of the vehicles that have been on the lot longest. */
interface OldVehicle {
  readonly id: number;
  readonly title: string | null;
  readonly stock_number: string | null;
  readonly listed_at: Timestamp;
  readonly cents: number;
}

/** The vehicles of a dealer that are not sold. */
export interface LotAges {
  /**
   * There is one more than there are `borders`: vehicles listed after the first border, between the first and the
   * second, and so on; the last entry has the rest.
   */
  readonly ages: readonly AgeTotals[];
  /** The vehicles that were listed first, in that order; those of the same moment by id. */
  readonly oldest: readonly OldVehicle[];
}

/**
 * Figures, which the database updates by itself. A vehicle counts for the dealer that it had at that time. Every
 * statement restricts its rows to the scope; a dealer outside of the scope has no figures.
 */
export interface ReportRepository {
  /** The figures of one dealer, or of all dealers in scope (`null`). Months in which nothing happened are left out. */
  months(query: {
    readonly scope: DealerScope;
    readonly dealerId: number | null;
    readonly period: Period;
  }): MaybePromise<readonly MonthFigures[]>;
  /**
   * Every dealer in scope in the order of ids, and the months in which anything happened with any of them. Both are
   * read from the database at the same moment.
   */
  byDealer(query: {
    readonly scope: DealerScope;
    readonly period: Period;
  }): MaybePromise<{ readonly months: readonly MonthFigures[]; readonly dealers: readonly DealerFigures[] }>;
  /** The lot of one dealer, or of all dealers in scope (`null`). `borders` are moments, the latest first. */
  lot(query: {
    readonly scope: DealerScope;
    readonly dealerId: number | null;
    readonly borders: readonly Timestamp[];
    readonly oldest: number;
  }): MaybePromise<LotAges>;
}
