import type { Actor } from "./access/principal.ts";

/** Counts what a caller does in an hour, which begins with the first of it; in all instances together. */
export interface HourlyLimits {
  /** Counts one, unless there were `limit` in this hour: then answers after how many seconds there may be another, else 0. */
  take(subject: string, limit: number): Promise<number>;
  /** After how many seconds there may be another; 0 for at once. Counts nothing. */
  waitOf(subject: string, limit: number): Promise<number>;
}

/** What a caller's doings are counted under; `null` for the command line and the service itself, which have no limit. */
export const hourlySubject = (doing: string, { keyId, userId }: Actor): string | null =>
  keyId !== null ? `${doing}:key:${keyId}` : userId !== null ? `${doing}:user:${userId}` : null;
