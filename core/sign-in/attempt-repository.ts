import type { Timestamp } from "../clock.ts";

/** The subject of failed attempts: a hash, so that unknown addresses look like known ones. */
type AttemptSubject = string;

/** An attempt before its outcome is known. */
export interface AttemptDraft {
  readonly subject: AttemptSubject;
  /** The account whose counts are cleared together; also a hash. */
  readonly account: string | null;
  /** The number of consecutive failures from which pauses begin. */
  readonly pausesFrom: number;
  /** When the pause after that failure and each later one ends; the last entry holds for all further ones. */
  readonly pausedUntil: readonly Timestamp[];
  /** Failures before this moment are forgotten. */
  readonly countedSince: Timestamp;
}

/** A permitted attempt: its number in the row if it fails, and the subject's last success. */
interface BegunAttempt {
  readonly failures: number;
  readonly succeededAt: Timestamp | null;
}

/** Consecutive failed attempts, counted in the database for all instances. */
export interface AttemptRepository {
  /**
   * Counts an attempt as failed before its outcome is known, so that concurrent attempts cannot exceed the limit.
   * During a pause, answers when it ends, and does not count the attempt.
   */
  begin(draft: AttemptDraft, now: Timestamp): Promise<BegunAttempt | { readonly pausedUntil: Timestamp }>;
  /** Takes back one counted attempt that did not fail, and the pause it started. */
  takeBack(subject: AttemptSubject): Promise<void>;
  /** Ends the row of failures, and remembers the success. */
  succeed(subject: AttemptSubject, now: Timestamp): Promise<void>;
  /** Clears all counts of an account. */
  forgetAccount(account: string): Promise<void>;
  /**
   * Deletes subjects without an attempt since `staleBefore`, and successful ones without a success since `knownBefore`.
   */
  forgetStale(staleBefore: Timestamp, knownBefore: Timestamp): Promise<void>;
  pausedUntil(subject: AttemptSubject, now: Timestamp): Promise<Timestamp | null>;
}
