import type { UsageHour } from "../../../core/keys/usage-repository.ts";

/** The outcomes of requests, each with a label and a colour. */
export const OUTCOMES = [
  ["served", "Served", "teal.7"],
  ["denied", "Denied", "orange.6"],
  ["limited", "Limited", "grape.6"],
  ["failed", "Failed", "red.8"],
] as const;
type Outcome = (typeof OUTCOMES)[number][0];

/** Requests of one span of time; requests with a revoked or expired key count as denied. */
export interface Span extends Readonly<Record<Outcome, number>> {
  readonly at: string;
}

const HOUR_MS = 3_600_000;

/** The windows to choose from: their length, and the hours of one bar. */
export const WINDOWS = {
  "24h": { label: "24 hours", hours: 24, hoursABar: 1 },
  "7d": { label: "7 days", hours: 168, hoursABar: 6 },
  "30d": { label: "30 days", hours: 720, hoursABar: 24 },
  "90d": { label: "90 days", hours: 2160, hoursABar: 72 },
} as const;
export type WindowName = keyof typeof WINDOWS;

/** The start of so many hours, the present one included. Later queries of the same hour are the same, and cached. */
export const hoursAgo = (hours: number, now = Date.now()): string =>
  new Date(Math.floor(now / HOUR_MS + 1) * HOUR_MS - hours * HOUR_MS).toISOString();

/** The start of a window. */
export const windowStart = (window: WindowName, now = Date.now()): string => hoursAgo(WINDOWS[window].hours, now);

const addTo = (outcomes: Record<Outcome, number>, hour: UsageHour): void => {
  outcomes.served += hour.served;
  outcomes.denied += hour.denied + hour.unauthorized;
  outcomes.limited += hour.limited;
  outcomes.failed += hour.failed;
};

/** Bars of equal length without gaps; `hours` leaves out hours without requests. */
export const spansOf = (hours: readonly UsageHour[], window: WindowName, now = Date.now()): Span[] => {
  const barMs = WINDOWS[window].hoursABar * HOUR_MS;
  const start = Date.parse(windowStart(window, now));
  const spans = Array.from({ length: WINDOWS[window].hours / WINDOWS[window].hoursABar }, (_, bar) => ({
    at: new Date(start + bar * barMs).toISOString(),
    served: 0,
    denied: 0,
    limited: 0,
    failed: 0,
  }));
  for (const hour of hours) {
    const span = spans[Math.floor((Date.parse(hour.hour) - start) / barMs)];
    if (span !== undefined) addTo(span, hour);
  }
  return spans;
};

/** The number of requests in these hours with each outcome. */
export const outcomesIn = (hours: readonly UsageHour[]): Readonly<Record<Outcome, number>> => {
  const ends = { served: 0, denied: 0, limited: 0, failed: 0 };
  for (const hour of hours) addTo(ends, hour);
  return ends;
};

/** The number of requests in these hours. */
export const requestsIn = (hours: readonly UsageHour[]): number =>
  Object.values(outcomesIn(hours)).reduce((sum, count) => sum + count, 0);
