import type { Timestamp } from "../clock.ts";

/** How long the second factor may follow the password, in seconds, and how many codes may be tried for one password. */
export const CHALLENGE_SECONDS = 10 * 60;
export const CHALLENGE_ATTEMPTS = 5;

/**
 * Sign-ins in the database that have passed the password and still need the second factor. Sessions begin and take them
 * (see SessionRepository). Only hashes of their tokens are stored.
 */
export interface ChallengeRepository {
  /** The user of a challenge that has not expired; `null` for any other token. */
  userOf(token: string, now: Timestamp): Promise<number | null>;
  /**
   * Counts an attempt before its outcome is known, so that concurrent attempts cannot exceed the limit. False, and the
   * challenge ends, once all its attempts are used up.
   */
  countAttempt(token: string, now: Timestamp): Promise<boolean>;
}
