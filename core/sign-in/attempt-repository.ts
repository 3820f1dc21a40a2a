import type { Timestamp } from "../clock.ts";

/** The subject that failed attempts count for. It is a hash, so that unknown addresses look like known ones. */
type AttemptSubject = string;

/** An attempt before its result is known. */
export interface AttemptDraft {
  readonly subject: AttemptSubject;
  /** The account that the subject belongs to, also as a hash. All counts of an account can be cleared together. */
  readonly account: string | null;
  /** The number of consecutive failures after which pauses begin. */
  readonly pausesFrom: number;
  /**
   * When the pause after that failure and after each later one ends. The last entry applies to all further failures.
   */
  readonly pausedUntil: readonly Timestamp[];
  /** Earlier failures are forgotten. */
  readonly countedSince: Timestamp;
}

/** An attempt that may be made: the number of consecutive failures if it fails too, and the subject's last success. */
interface BegunAttempt {
  readonly failures: number;
  readonly succeededAt: Timestamp | null;
}

/** Consecutive failed attempts. The database counts them for all instances. */
export interface AttemptRepository {
  /**
   * Counts an attempt as failed before its result is known, so that concurrent attempts cannot exceed the limit. During
   * a pause it does not count the attempt, but returns the end of the pause.
   */
  begin(draft: AttemptDraft, now: Timestamp): Promise<BegunAttempt | { readonly pausedUntil: Timestamp }>;
  /** Takes back one counted attempt that did not fail, and the pause that it started. */
  takeBack(subject: AttemptSubject): Promise<void>;
  /** Resets the number of consecutive failures, and records the success. */
  succeed(subject: AttemptSubject, now: Timestamp): Promise<void>;
  /** Deletes all counts of an account. */
  forgetAccount(account: string): Promise<void>;
  /**
   * Deletes subjects without an attempt since `staleBefore`. Subjects that have succeeded are kept until they have had
   * no success since `knownBefore`.
   */
  forgetStale(staleBefore: Timestamp, knownBefore: Timestamp): Promise<void>;
  pausedUntil(subject: AttemptSubject, now: Timestamp): Promise<Timestamp | null>;
}
