import type { Timestamp } from "../../core/clock.ts";

/** When invented data ends. Fixed, so that the same seed always gives the same rows. */
export const DATA_ENDS_AT = Date.UTC(2026, 6, 1);

/** Vehicles are listed within the two years before. */
export const FIRST_VEHICLE_AT = Date.UTC(2024, 6, 1);
/** Dealers are older than their vehicles. */
export const FIRST_DEALER_AT = Date.UTC(2019, 0, 1);

/** Spans, in milliseconds. */
export const DAY_MS = 86_400_000;
export const YEAR_MS = 365 * DAY_MS;

/** Milliseconds since the epoch as a timestamp. */
export const timestampAt = (ms: number): Timestamp => new Date(ms).toISOString();

/** Separate random streams of one seed. */
export const STREAMS = { places: 1, dealers: 2, vehicles: 3 } as const;
