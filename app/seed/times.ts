import type { Timestamp } from "../../core/clock.ts";

/** Durations in milliseconds. */
export const DAY_MS = 86_400_000;
export const YEAR_MS = 365 * DAY_MS;

/** Vehicles are listed within so long before the moment at which the invented data ends. Their dealers are older. */
export const VEHICLES_MS = 2 * YEAR_MS;
export const DEALERS_MS = 7.5 * YEAR_MS;

/** The data can end on this day at the earliest: two years before it, all invented models were on sale. */
export const EARLIEST_END = "2026-01-01";

/** Milliseconds since the epoch as a timestamp. */
export const timestampAt = (ms: number): Timestamp => new Date(ms).toISOString();

const DAY_LENGTH = "YYYY-MM-DD".length;

/**
 * The moment at which the data ends: `nowMs`, or the end of a day. `null` if the day is none, is not over yet, or is
 * before the earliest.
 */
export const endOfData = (day: string | undefined, nowMs: number): number | null => {
  if (day === undefined) return nowMs;
  const begin = Date.parse(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(begin) && timestampAt(begin).slice(0, DAY_LENGTH) === day;
  return !isDay || day < EARLIEST_END || begin + DAY_MS > nowMs ? null : begin + DAY_MS;
};

/** From so many vehicles on, a dealer has something to do in the morning. */
const LIVELY_VEHICLES = 500;

/** The number of dealers with something to do. It happens now, so it is no part of data that ends on another day. */
export const morningsOf = ({ until, vehicles }: { readonly until?: string; readonly vehicles: number }): number =>
  until === undefined && vehicles >= LIVELY_VEHICLES ? 1 : 0;

/** The numbers of separate random streams of one seed. */
export const STREAMS = { places: 1, dealers: 2, vehicles: 3 } as const;
