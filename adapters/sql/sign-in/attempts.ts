import { type RawBuilder, sql } from "kysely";
import type { AttemptRepository } from "../../../core/sign-in/attempt-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import type { NewRow } from "../query/tables.ts";

/** The end of the pause after the n-th failure: `ends` has one for each n. The last one is for all further failures. */
const pauseAfter = (
  failures: RawBuilder<unknown>,
  { pausesFrom, pausedUntil: ends }: Pick<Attempt, "pausesFrom" | "pausedUntil">,
): RawBuilder<string | null> => {
  const cases = ends
    .slice(0, -1)
    .map((end, index) => sql`WHEN ${failures} = ${sql.lit(pausesFrom + index)} THEN ${end}`);
  return sql`CASE WHEN ${failures} < ${sql.lit(pausesFrom)} THEN NULL ${sql.join(cases, sql` `)}
    ELSE ${ends.at(-1) ?? null} END`;
};

type Attempt = Parameters<AttemptRepository["begin"]>[0];

/** Failed attempts in SQL; see the port for what it guarantees. */
export const makeAttemptRepository = (db: SqlDatabase): AttemptRepository => {
  const pausedUntil = async (subject: string, now: string): Promise<string | null> => {
    const paused = await db
      .selectFrom("sign_in_attempts")
      .select("locked_until")
      .where("subject", "=", subject)
      .where("locked_until", ">", now)
      .executeTakeFirst();
    return paused?.locked_until ?? null;
  };

  /** Counts a failure; `undefined` during a pause, when nothing is changed. */
  const counted = (attempt: Attempt, now: string) => {
    const { subject, account, countedSince } = attempt;
    const next = sql<number>`CASE WHEN sign_in_attempts.last_at < ${countedSince} THEN 1 ELSE sign_in_attempts.failures + 1 END`;
    return db
      .insertInto("sign_in_attempts")
      .values({
        subject,
        account,
        failures: 1,
        locked_until: pauseAfter(sql`1`, attempt),
        succeeded_at: null,
        last_at: now,
      } satisfies NewRow<"sign_in_attempts">)
      .onConflict((conflict) =>
        conflict
          .column("subject")
          .doUpdateSet({ account, failures: next, locked_until: pauseAfter(next, attempt), last_at: now })
          .where(sql<boolean>`sign_in_attempts.locked_until IS NULL OR sign_in_attempts.locked_until <= ${now}`),
      )
      .returning(["failures", "succeeded_at"])
      .executeTakeFirst();
  };

  return {
    async begin(attempt, now) {
      const row = await counted(attempt, now);
      if (row === undefined) return { pausedUntil: (await pausedUntil(attempt.subject, now)) ?? now };
      return { failures: row.failures, succeededAt: row.succeeded_at };
    },
    async takeBack(subject) {
      await db
        .updateTable("sign_in_attempts")
        .set((attempts) => ({ failures: attempts("failures", "-", 1), locked_until: null }))
        .where("subject", "=", subject)
        .where("failures", ">", 0)
        .execute();
    },
    async succeed(subject, now) {
      await db
        .updateTable("sign_in_attempts")
        .set({ failures: 0, locked_until: null, succeeded_at: now, last_at: now })
        .where("subject", "=", subject)
        .execute();
    },
    async forgetAccount(account) {
      await db.deleteFrom("sign_in_attempts").where("account", "=", account).execute();
    },
    async forgetStale(stale, known) {
      await db
        .deleteFrom("sign_in_attempts")
        .where("last_at", "<", stale)
        .where((the) => the.or([the("succeeded_at", "is", null), the("succeeded_at", "<", known)]))
        .execute();
    },
    pausedUntil,
  };
};
