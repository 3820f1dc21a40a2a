import type { Timestamp } from "../../core/clock.ts";

/** The moment at which invented data ends. Fixed, so that the same seed gives the same rows on every day. */
export const REFERENCE = Date.UTC(2026, 6, 1);

/** Vehicles come on sale in the two years before. */
export const VEHICLES_BEGAN = Date.UTC(2024, 6, 1);
/** Dealers were there before their vehicles. */
export const DEALERS_BEGAN = Date.UTC(2019, 0, 1);

/** Spans, in milliseconds. */
export const DAY_MS = 86_400_000;
export const YEAR_MS = 365 * DAY_MS;

/** Milliseconds since the epoch as a moment. */
export const momentAt = (ms: number): Timestamp => new Date(ms).toISOString();

/** Tells apart the streams of chances that one seed gives. */
export const STREAMS = { places: 1, dealers: 2, vehicles: 3 } as const;
