import { sql } from "kysely";
import type { HourlyLimits } from "../../../core/access/hourly-limits.ts";
import { type Clock, msOf } from "../../../core/clock.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, sqlStatement, statement } from "../query/statement.ts";

const HOUR_SECONDS = 3600;
/** How far in the future an hour may begin: clocks differ, and concurrent requests overtake each other. */
const AHEAD_SECONDS = 60;

/**
 * Hourly limits in SQL; see the port for what they guarantee. An hour that begins further in the future, because the
 * clock was set back, begins again now.
 */
export const makeHourlyLimits = (db: SqlDatabase, clock: Clock): HourlyLimits => {
  const runs = sql`(hourly_counts.begins_at > ${param("hourAgo")} AND hourly_counts.begins_at <= ${param("ahead")})`;
  const counted = sqlStatement(
    db,
    sql<{ count: number }>`INSERT INTO hourly_counts (subject, begins_at, count)
    VALUES (${param("subject")}, ${param("now")}, 1)
    ON CONFLICT (subject) DO UPDATE SET
      count = CASE WHEN ${runs} THEN hourly_counts.count + 1 ELSE 1 END,
      begins_at = CASE WHEN ${runs} THEN hourly_counts.begins_at ELSE excluded.begins_at END
    WHERE hourly_counts.count < ${param("limit")} OR NOT ${runs} RETURNING count`,
  );
  const begun = statement(() =>
    db.build.selectFrom("hourly_counts").select(["begins_at", "count"]).where("subject", "=", param("subject")),
  );
  const secondsLeft = (beginsAt: string): number => HOUR_SECONDS - (clock.nowMs() - msOf(beginsAt)) / 1000;
  return {
    async waitOf(subject, limit) {
      const [hour] = await db.all(begun, { subject });
      if (hour === undefined || hour.count < limit) return 0;
      const left = secondsLeft(hour.begins_at);
      return left > 0 && left <= HOUR_SECONDS + AHEAD_SECONDS ? Math.ceil(left) : 0;
    },
    async take(subject, limit) {
      const rows = await db.writeOne(counted, {
        subject,
        limit,
        now: clock.now(),
        hourAgo: clock.after(-HOUR_SECONDS),
        ahead: clock.after(AHEAD_SECONDS),
      });
      if (rows.length > 0) return 0;
      const [hour] = await db.all(begun, { subject });
      return Math.max(1, Math.ceil(hour === undefined ? HOUR_SECONDS : secondsLeft(hour.begins_at)));
    },
  };
};
