import type { DealerScope } from "../access/decide.ts";
import type { Timestamp } from "../clock.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Figures } from "./figures.ts";
import type { Period } from "./period.ts";

/** The figures of a month, as `2026-03`. */
export interface MonthFigures extends Figures {
  readonly month: string;
}

/** The figures of a dealer over a whole period. */
export interface DealerFigures extends Figures {
  readonly dealer_id: number;
  readonly name: string;
}

/** How many of the vehicles on the lot were listed in a span of time, and the sum of their prices. */
interface AgeTotals {
  readonly vehicles: number;
  readonly cents: number;
}

/** One of the vehicles that are longest on the lot. */
export interface OldVehicle {
  readonly id: number;
  readonly title: string | null;
  readonly stock_number: string | null;
  readonly listed_at: Timestamp;
  readonly cents: number;
}

/** The vehicles that are not sold. */
export interface Lot {
  /** One more than the `borders`: those listed after the first, after the second, …, and the rest. */
  readonly ages: readonly AgeTotals[];
  /** Listed first, first; of one moment by id. */
  readonly oldest: readonly OldVehicle[];
}

/**
 * Figures in the database, which keeps them by itself. A vehicle counts for the dealer that had it at that moment. The
 * scope is in the WHERE of every statement; a dealer outside of it has no figures.
 */
export interface ReportRepository {
  /** The figures of one dealer, or of all in scope (`null`): of the months in which anything happened. */
  months(query: {
    readonly scope: DealerScope;
    readonly dealerId: number | null;
    readonly period: Period;
  }): MaybePromise<readonly MonthFigures[]>;
  /**
   * Every dealer in scope by id, and the months in which anything happened with any of them, at one time.
   */
  byDealer(query: {
    readonly scope: DealerScope;
    readonly period: Period;
  }): MaybePromise<{ readonly months: readonly MonthFigures[]; readonly dealers: readonly DealerFigures[] }>;
  /** What is on the lot of one dealer, or of all in scope (`null`). `borders` are moments, the latest first. */
  lot(query: {
    readonly scope: DealerScope;
    readonly dealerId: number | null;
    readonly borders: readonly Timestamp[];
    readonly oldest: number;
  }): MaybePromise<Lot>;
}
