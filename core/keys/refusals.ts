import type { Timestamp } from "../clock.ts";
import { OUTCOMES, type UsageCounts, type UsageHour } from "./usage-repository.ts";

/** The outcomes of requests that were refused. */
export const REFUSED_OUTCOMES = ["limited", "denied", "unauthorized"] as const;
export type RefusedOutcome = (typeof REFUSED_OUTCOMES)[number];

/** The number of requests with any outcome. */
export const requestsOf = (counts: UsageCounts): number => OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);

/** The number of refused requests. */
export const refusedOf = (counts: UsageCounts): number =>
  REFUSED_OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);

/** What most of the refused requests ran into; `null` if none was refused. */
const mostlyOf = (counts: UsageCounts): RefusedOutcome | null => {
  const [most] = [...REFUSED_OUTCOMES].sort((one, other) => counts[other] - counts[one]);
  return most === undefined || counts[most] === 0 ? null : most;
};

/** The fields that `include=usage` adds to a key: its last 24 hours. */
export interface LastDay {
  readonly requests_24h: number;
  readonly refused_24h: number;
  /** What most of the refused requests ran into. */
  readonly refused_mostly: RefusedOutcome | null;
}

/** The counts of a key's last 24 hours as they are answered beside the key. */
export const lastDayOf = (counts: UsageCounts): LastDay => ({
  requests_24h: requestsOf(counts),
  refused_24h: refusedOf(counts),
  refused_mostly: mostlyOf(counts),
});

/** The refused requests of one kind. */
export interface Refusals {
  readonly outcome: RefusedOutcome;
  readonly requests: number;
  /** The hours of the first and of the last of them. */
  readonly first_hour: Timestamp;
  readonly last_hour: Timestamp;
}

/** The refused requests of these hours by kind, the most frequent kind first. The hours are in the order of time. */
export const refusalsIn = (hours: readonly UsageHour[]): Refusals[] =>
  REFUSED_OUTCOMES.flatMap((outcome) => {
    const refusing = hours.filter((hour) => hour[outcome] > 0);
    const [first, last] = [refusing.at(0), refusing.at(-1)];
    if (first === undefined || last === undefined) return [];
    const requests = refusing.reduce((sum, hour) => sum + hour[outcome], 0);
    return [{ outcome, requests, first_hour: first.hour, last_hour: last.hour }];
  }).sort((one, other) => other.requests - one.requests);
