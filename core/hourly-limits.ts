import type { Actor } from "./access/principal.ts";

/** Counts an activity of a caller over all instances. The hour begins with the first one counted. */
export interface HourlyLimits {
  /** Counts one, unless the hour already has `limit`. Returns 0, or the seconds until the next is allowed. */
  take(subject: string, limit: number): Promise<number>;
  /** Seconds until the next is allowed; 0 for at once. Counts nothing. */
  waitOf(subject: string, limit: number): Promise<number>;
}

/**
 * The subject that an activity of a caller counts under; `null` for the command line and the service, which are
 * unlimited.
 */
export const hourlySubject = (activity: string, { keyId, userId }: Actor): string | null =>
  keyId !== null ? `${activity}:key:${keyId}` : userId !== null ? `${activity}:user:${userId}` : null;
