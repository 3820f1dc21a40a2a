import type { Actor } from "./principal.ts";

/** Counts activities of callers over all instances. An hour begins with the first activity that is counted. */
export interface HourlyLimits {
  /**
   * Counts one activity, unless `limit` is reached in this hour. Returns 0, or the seconds until the next one is
   * allowed.
   */
  take(subject: string, limit: number): Promise<number>;
  /** The seconds until the next activity is allowed, or 0 if it is allowed now. Counts nothing. */
  waitOf(subject: string, limit: number): Promise<number>;
}

/**
 * The subject under which an activity of a caller is counted. `null` for the command line and the service, which have
 * no limit.
 */
export const hourlySubject = (activity: string, { keyId, userId }: Actor): string | null =>
  keyId !== null ? `${activity}:key:${keyId}` : userId !== null ? `${activity}:user:${userId}` : null;
