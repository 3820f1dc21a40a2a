import { sql } from "kysely";
import type { HourlyLimits } from "../../../core/access/hourly-limits.ts";
import { type Clock, msOf } from "../../../core/clock.ts";
import type { SqlDatabase } from "../query/database.ts";
import type { NewRow } from "../query/tables.ts";

const HOUR_SECONDS = 3600;
/** How far in the future an hour may begin: clocks differ, and concurrent requests overtake each other. */
const AHEAD_SECONDS = 60;

/**
 * Hourly limits in SQL; see the port for what they guarantee. An hour that begins further in the future, because the
 * clock was set back, begins again now.
 */
export const makeHourlyLimits = (db: SqlDatabase, clock: Clock): HourlyLimits => {
  const begun = (subject: string) =>
    db.selectFrom("hourly_counts").select(["begins_at", "count"]).where("subject", "=", subject).executeTakeFirst();
  const secondsLeft = (beginsAt: string): number => HOUR_SECONDS - (clock.nowMs() - msOf(beginsAt)) / 1000;
  return {
    async waitOf(subject, limit) {
      const hour = await begun(subject);
      if (hour === undefined || hour.count < limit) return 0;
      const left = secondsLeft(hour.begins_at);
      return left > 0 && left <= HOUR_SECONDS + AHEAD_SECONDS ? Math.ceil(left) : 0;
    },
    async take(subject, limit) {
      const now = clock.now();
      const runs = sql<boolean>`(hourly_counts.begins_at > ${clock.after(-HOUR_SECONDS)}
        AND hourly_counts.begins_at <= ${clock.after(AHEAD_SECONDS)})`;
      const counted = await db
        .insertInto("hourly_counts")
        .values({ subject, begins_at: now, count: 1 } satisfies NewRow<"hourly_counts">)
        .onConflict((conflict) =>
          conflict
            .column("subject")
            .doUpdateSet({
              count: sql`CASE WHEN ${runs} THEN hourly_counts.count + 1 ELSE 1 END`,
              begins_at: sql`CASE WHEN ${runs} THEN hourly_counts.begins_at ELSE excluded.begins_at END`,
            })
            .where(sql<boolean>`hourly_counts.count < ${limit} OR NOT ${runs}`),
        )
        .returning("count")
        .execute();
      if (counted.length > 0) return 0;
      const hour = await begun(subject);
      return Math.max(1, Math.ceil(hour === undefined ? HOUR_SECONDS : secondsLeft(hour.begins_at)));
    },
  };
};
