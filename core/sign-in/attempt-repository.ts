import type { Timestamp } from "../clock.ts";

/** What failed attempts are counted for: a hash, so that addresses that nobody has look like all others. */
type AttemptSubject = string;

/** An attempt that is about to be made. */
export interface AttemptDraft {
  readonly subject: AttemptSubject;
  /** What is forgotten together when an account is let in again; a hash, too. */
  readonly account: string | null;
  /** The failure in a row that is the first to be followed by a pause. */
  readonly pausesFrom: number;
  /** Until when the pauses of that failure and of each after it last; the last of them holds for all further ones. */
  readonly pausedUntil: readonly Timestamp[];
  /** Failures before this moment are forgotten. */
  readonly countedSince: Timestamp;
}

/** An attempt that may be made: which in the row it is if it fails, and when one of the subject last succeeded. */
interface BegunAttempt {
  readonly failures: number;
  readonly succeededAt: Timestamp | null;
}

/** Failed attempts in a row, counted in the database for all instances together. */
export interface AttemptRepository {
  /**
   * Counts an attempt as failed before its outcome is known, so that attempts side by side cannot exceed what is free.
   * Or answers until when the subject has to wait; that attempt is not counted.
   */
  begin(draft: AttemptDraft, now: Timestamp): Promise<BegunAttempt | { readonly pausedUntil: Timestamp }>;
  /** Takes back one counted attempt, which did not fail, and the pause that it began. */
  takeBack(subject: AttemptSubject): Promise<void>;
  /** Ends the row of failures, and remembers the success. */
  succeed(subject: AttemptSubject, now: Timestamp): Promise<void>;
  /** Forgets all that is counted for an account. */
  forgetAccount(account: string): Promise<void>;
  /** Forgets subjects without an attempt since `staleBefore`, and those that succeeded if none did since `knownBefore`. */
  forgetStale(staleBefore: Timestamp, knownBefore: Timestamp): Promise<void>;
  pausedUntil(subject: AttemptSubject, now: Timestamp): Promise<Timestamp | null>;
}
