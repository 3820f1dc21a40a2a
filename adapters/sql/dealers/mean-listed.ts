import { sql } from "kysely";

/**
 * The mean of the times of listing, rounded up. It is divided by the database, because the sum has more digits than a
 * number of JavaScript. Both engines drop the fraction.
 */
export const MEAN_LISTED_MS = sql<
  number | null
>`(listed_ms + CASE WHEN listed_ms > 0 THEN available + pending - 1 ELSE 0 END)
  / NULLIF(available + pending, 0)`;
