import type { Timestamp } from "../../core/clock.ts";

/** The moment at which the invented data ends. It is fixed, so that the same seed always gives the same rows. */
export const DATA_ENDS_AT = Date.UTC(2026, 6, 1);

/** Vehicles are listed within two years before that moment. */
export const FIRST_VEHICLE_AT = Date.UTC(2024, 6, 1);
/** Dealers are older than their vehicles. */
export const FIRST_DEALER_AT = Date.UTC(2019, 0, 1);

/** Durations in milliseconds. */
export const DAY_MS = 86_400_000;
export const YEAR_MS = 365 * DAY_MS;

/** Milliseconds since the epoch as a timestamp. */
export const timestampAt = (ms: number): Timestamp => new Date(ms).toISOString();

/** The numbers of separate random streams of one seed. */
export const STREAMS = { places: 1, dealers: 2, vehicles: 3 } as const;
