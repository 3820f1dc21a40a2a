/** A point in time as ISO 8601 UTC text with milliseconds (`2026-11-20T09:11:00.000Z`). Sorts and compares as text. */
export type Timestamp = string;

/** A clock that never goes back, even if the machine's time is changed. */
export interface SteadyClock {
  /** Milliseconds since an arbitrary start, for windows and durations. */
  steadyMs(): number;
}

/** The only source of time in core. */
export interface Clock extends SteadyClock {
  /** Milliseconds since the epoch. May go back, so do not measure durations with it. */
  nowMs(): number;
  now(): Timestamp;
  /** The time that is `seconds` from now. */
  after(seconds: number): Timestamp;
  /** Whole seconds until a time, rounded up. Negative if the time has passed. */
  secondsUntil(moment: Timestamp): number;
  /** Converts any ISO 8601 date and time with a zone to a Timestamp. `null` for other text. */
  parse(text: string): Timestamp | null;
}

/** What starts work in the background, again and again. */
export interface Timers {
  /**
   * Calls `work` each `ms` milliseconds, until the returned function is called. Nobody waits for the promise that `work`
   * returns except a test that lets timers run: it must not reject.
   */
  every(ms: number, work: () => unknown): () => void;
}

/** Calls `ring` once this much time has passed. Returns a function that prevents it. */
export type Alarm = (ms: number, ring: () => void) => () => void;

/** A timestamp as milliseconds since the epoch. */
export const msOf = (moment: Timestamp): number => new Date(moment).getTime();

/** Milliseconds since the epoch as a timestamp, in the years 0 to 9999. */
export const timestampAt = (ms: number): Timestamp => new Date(ms).toISOString();

// A date and time with seconds and a zone. `timestampIn` also refuses dates that are not in the calendar.
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const MAX_LENGTH = 40;
/** Years of more than four digits would not sort as text. */
const LAST_YEAR = 9999;

/** Converts any ISO 8601 date and time with a zone to a Timestamp. `null` for other text. */
export const timestampIn = (text: string): Timestamp | null => {
  if (text.length > MAX_LENGTH || !DATE_TIME.test(text)) return null;
  const moment = new Date(text.replace(" ", "T"));
  // Date would silently turn an impossible day into a day of the next month.
  const day = Number(text.slice(8, 10));
  // Date.UTC takes a year below 100 for one of the last century; after 400 years the calendar is the same.
  const lastDay = new Date(Date.UTC(Number(text.slice(0, 4)) + 400, Number(text.slice(5, 7)), 0)).getUTCDate();
  const year = moment.getUTCFullYear();
  const isSortable = year >= 0 && year <= LAST_YEAR;
  return Number.isNaN(moment.getTime()) || day > lastDay || !isSortable ? null : moment.toISOString();
};

/**
 * `now`, or one millisecond after `before` if that is later. So each timestamp of a record is later than the one
 * before.
 */
export const timestampAfter = (before: Timestamp, now: Timestamp): Timestamp =>
  before < now ? now : timestampAt(msOf(before) + 1);

/** The start of a timestamp's hour. */
export const hourOf = (moment: Timestamp): Timestamp => `${moment.slice(0, 13)}:00:00.000Z`;

/** The start of a timestamp's day, in UTC. */
export const dayOf = (moment: Timestamp): Timestamp => `${moment.slice(0, 10)}T00:00:00.000Z`;

/** The calendar year of a timestamp, in UTC. */
export const yearOf = (moment: Timestamp): number => Number(moment.slice(0, 4));

/** True for a day of the calendar, such as `2026-03-31`. */
export const isDay = (text: string): boolean => text.length === 10 && timestampIn(`${text}T00:00:00Z`) !== null;
