/** A moment as ISO 8601 UTC text with milliseconds (`2026-11-20T09:11:00.000Z`): sorts and compares as text. */
export type Timestamp = string;

/** Time that only goes on, whatever the machine's clock is set to. */
export interface SteadyClock {
  /** Milliseconds since some moment, for windows and durations. */
  steadyMs(): number;
}

/** The only source of time in the core. */
export interface Clock extends SteadyClock {
  /** Milliseconds since the epoch. May go back: a duration measured with it may never end. */
  nowMs(): number;
  now(): Timestamp;
  /** The moment `seconds` from now. */
  after(seconds: number): Timestamp;
  /** Whole seconds until a moment, rounded up; negative for one that has passed. */
  secondsUntil(moment: Timestamp): number;
  /** Any ISO 8601 date and time with a zone as a Timestamp; `null` when the text is none. */
  parse(text: string): Timestamp | null;
}

const DAY_MS = 86_400_000;

/** Days from 1970-01-01 to a day of the Gregorian calendar, counted in years that begin in March. */
const daysOf = (year: number, month: number, day: number): number => {
  const marchYear = month > 2 ? year : year - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 719_469;
};

/** Milliseconds since the epoch of a moment. */
export const msOf = (moment: Timestamp): number => {
  const part = (from: number, to: number): number => Number(moment.slice(from, to));
  const time = ((part(11, 13) * 60 + part(14, 16)) * 60 + part(17, 19)) * 1000 + part(20, 23);
  return daysOf(part(0, 4), part(5, 7), part(8, 10)) * DAY_MS + time;
};

/** Year, month and day, as in a Timestamp, of a day counted from 1970-01-01. */
const dateOf = (days: number): string => {
  const sinceYear0 = days + 719_468;
  const era = Math.floor(sinceYear0 / 146_097);
  const day = sinceYear0 - era * 146_097;
  const year = Math.floor((day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365);
  const ofYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const marchMonth = Math.floor((5 * ofYear + 2) / 153);
  const month = ((marchMonth + 2) % 12) + 1;
  const ofMonth = ofYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  return `${padded(year + era * 400 + (month <= 2 ? 1 : 0), 4)}-${padded(month, 2)}-${padded(ofMonth, 2)}`;
};

const padded = (number: number, length: number): string => String(number).padStart(length, "0");

/** The moment at so many milliseconds since the epoch. */
export const momentAt = (ms: number): Timestamp => {
  const days = Math.floor(ms / DAY_MS);
  const rest = ms - days * DAY_MS;
  const part = (unitMs: number, count: number, length: number): string =>
    padded(Math.floor(rest / unitMs) % count, length);
  return `${dateOf(days)}T${part(3_600_000, 24, 2)}:${part(60_000, 60, 2)}:${part(1000, 60, 2)}.${part(1, 1000, 3)}Z`;
};

/** The moment at which a moment's hour began. */
export const hourOf = (moment: Timestamp): Timestamp => `${moment.slice(0, 13)}:00:00.000Z`;

/** The calendar year of a moment, in UTC. */
export const yearOf = (moment: Timestamp): number => Number(moment.slice(0, 4));
