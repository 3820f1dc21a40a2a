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

/** Milliseconds since the epoch of a moment. */
export const msOf = (moment: Timestamp): number => new Date(moment).getTime();

/** The moment at so many milliseconds since the epoch, in the years 0 to 9999. */
export const momentAt = (ms: number): Timestamp => new Date(ms).toISOString();

/** The moment at which a moment's hour began. */
export const hourOf = (moment: Timestamp): Timestamp => `${moment.slice(0, 13)}:00:00.000Z`;

/** The calendar year of a moment, in UTC. */
export const yearOf = (moment: Timestamp): number => Number(moment.slice(0, 4));
