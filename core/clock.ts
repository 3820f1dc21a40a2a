/** A moment as ISO 8601 UTC text with milliseconds (`2026-11-20T09:11:00.000Z`): sorts and compares as text. */
export type Timestamp = string;

/** The only source of time in the core. */
export interface Clock {
  /** Milliseconds since the epoch, for windows and durations. */
  nowMs(): number;
  now(): Timestamp;
  /** The moment `seconds` from now. */
  after(seconds: number): Timestamp;
  /** Any ISO 8601 date and time with a zone as a Timestamp; `null` when the text is none. */
  parse(text: string): Timestamp | null;
}

/** The calendar year of a moment, in UTC. */
export const yearOf = (moment: Timestamp): number => Number(moment.slice(0, 4));
