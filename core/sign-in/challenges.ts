import type { Timestamp } from "../clock.ts";

/**
 * The time in seconds within which the second factor must follow the password, and the number of codes that may be
 * tried.
 */
export const CHALLENGE_SECONDS = 10 * 60;
export const CHALLENGE_ATTEMPTS = 5;

/**
 * Sign-ins whose password was correct and whose second factor is still missing. SessionRepository creates them and uses
 * them up. The database stores only hashes of their tokens.
 */
export interface ChallengeRepository {
  /** The user of a challenge that has not expired. `null` for any other token. */
  userOf(token: string, now: Timestamp): Promise<number | null>;
  /**
   * Counts an attempt before its result is known, so that concurrent attempts cannot exceed the limit. Returns false,
   * and ends the challenge, if all attempts are used up.
   */
  countAttempt(token: string, now: Timestamp): Promise<boolean>;
}
