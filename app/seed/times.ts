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

/** The numbers of separate random streams of one seed. */
export const STREAMS = { places: 1, dealers: 2, vehicles: 3 } as const;
