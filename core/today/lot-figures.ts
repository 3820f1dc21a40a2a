import { type Timestamp, timestampAt } from "../clock.ts";
import type { Period } from "../report/period.ts";
import type { AgeSum } from "./today-repository.ts";

const DAY_MS = 86_400_000;
/** The days on the lot at which a vehicle deserves a look. */
const LINES = [90, 60, 45] as const;
/** The number of days for which a vehicle that crossed a line is shown. */
const SHOWN_DAYS = 3;

/** The mean age in whole days; 0 if there are no vehicles. A vehicle may be listed a day ahead. */
export const meanDays = ({ vehicles, ms }: AgeSum): number =>
  vehicles === 0 ? 0 : Math.max(0, Math.floor(ms / vehicles / DAY_MS));

/**
 * The lot as it was a number of days ago: what is there now, without what was listed since, and with what was sold
 * since. The ages of the latter are those of that time; the others grow by these days until now.
 */
export const lotBefore = (
  days: number,
  { now, listed, sold }: { readonly now: AgeSum; readonly listed: AgeSum; readonly sold: AgeSum },
): AgeSum => {
  const stayed = now.vehicles - listed.vehicles;
  return { vehicles: stayed + sold.vehicles, ms: now.ms - listed.ms - stayed * days * DAY_MS + sold.ms };
};

/** The periods in which vehicles were listed that crossed a line in the last three days, the oldest first. */
export const crossingPeriods = (nowMs: number): { readonly after: Timestamp; readonly to: Timestamp }[] =>
  LINES.map((line) => ({
    after: timestampAt(nowMs - (line + SHOWN_DAYS) * DAY_MS),
    to: timestampAt(nowMs - line * DAY_MS),
  }));

/** The line that a vehicle crossed last; `null` if it has not crossed any. */
export const lineOf = (days: number): number | null => LINES.find((line) => days >= line) ?? null;

/**
 * The month before that of a day, from its first day to the day with the same number; to its last day if it is shorter.
 */
export const monthBefore = (day: string): Period => {
  const [year = 0, month = 0, number = 0] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month - 1, 0)).getUTCDate();
  const at = (of: number): string => new Date(Date.UTC(year, month - 2, of)).toISOString().slice(0, 10);
  return { from: at(1), to: at(Math.min(number, last)) };
};
