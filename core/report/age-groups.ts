import { type Timestamp, timestampAt } from "../clock.ts";
import { AGE_LIMITS } from "../vehicles/days-on-lot.ts";
import type { LotAges } from "./report-repository.ts";

/** The number of vehicles that have been on the lot for a range of days, and the sum of their prices. */
export interface AgeGroup {
  /** The range in whole days of 24 hours. Both ends belong to it. */
  readonly from: number;
  /** `null` means that the range has no end. */
  readonly to: number | null;
  readonly count: number;
  readonly value: number;
}

const DAY_MS = 86_400_000;

/**
 * The moments between the groups by age, for the port. A vehicle stays in the group up to `days` until it has been there
 * for a day longer.
 */
export const ageBorders = (nowMs: number): Timestamp[] =>
  AGE_LIMITS.map((days) => timestampAt(nowMs - (days + 1) * DAY_MS));

/** The groups by age, from what the port found with these borders. */
export const ageGroupsOf = (ages: LotAges["ages"]): AgeGroup[] =>
  ages.map(({ vehicles, cents }, group) => ({
    from: group === 0 ? 0 : (AGE_LIMITS[group - 1] ?? 0) + 1,
    to: AGE_LIMITS[group] ?? null,
    count: vehicles,
    value: cents / 100,
  }));
