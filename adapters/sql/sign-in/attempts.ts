import { type RawBuilder, sql } from "kysely";
import type { AttemptRepository } from "../../../core/sign-in/attempt-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import {
  param,
  params,
  type SqlValue,
  type Statement,
  shapeCache,
  sqlStatement,
  statement,
} from "../query/statement.ts";

interface Row {
  readonly failures: number;
  readonly succeeded_at: string | null;
}

/** The names of the parameters for `count` pauses. */
const untilNames = (count: number): string[] => Array.from({ length: count }, (_, index) => `until${index}`);

/**
 * The end of the pause after the n-th failure. There is one parameter for each n; the last one is for all further
 * failures.
 */
const pauseAfter = (failures: RawBuilder<unknown>, from: number, names: readonly string[]): RawBuilder<unknown> => {
  const cases = names
    .slice(0, -1)
    .map((name, index) => sql`WHEN ${failures} = ${sql.lit(from + index)} THEN ${param(name)}`);
  return sql`CASE WHEN ${failures} < ${sql.lit(from)} THEN NULL ${sql.join(cases, sql` `)}
    ELSE ${param(names.at(-1) ?? "")} END`;
};

/** Failed attempts in SQL; see the port for what it guarantees. */
export const makeAttemptRepository = (db: SqlDatabase): AttemptRepository => {
  const begins = shapeCache<Statement<Row>>();
  const next = sql`CASE WHEN sign_in_attempts.last_at < ${param("since")} THEN 1 ELSE sign_in_attempts.failures + 1 END`;
  // During a pause, the statement changes nothing.
  const begun = (from: number, untils: readonly string[]) =>
    sqlStatement(
      db,
      sql<Row>`
        INSERT INTO sign_in_attempts (subject, account, failures, locked_until, last_at)
        VALUES (${param("subject")}, ${param("account")}, 1, ${pauseAfter(sql`1`, from, untils)}, ${param("now")})
        ON CONFLICT (subject) DO UPDATE SET account = ${param("account")}, failures = ${next},
          locked_until = ${pauseAfter(next, from, untils)}, last_at = ${param("now")}
        WHERE sign_in_attempts.locked_until IS NULL OR sign_in_attempts.locked_until <= ${param("now")}
        RETURNING failures, succeeded_at`,
    );
  const paused = statement(() =>
    db.build
      .selectFrom("sign_in_attempts")
      .select("locked_until")
      .where("subject", "=", param("subject"))
      .where("locked_until", ">", param("now")),
  );
  const takenBack = sqlStatement(
    db,
    sql<object>`UPDATE sign_in_attempts SET failures = failures - 1, locked_until = NULL
      WHERE subject = ${param("subject")} AND failures > 0`,
  );
  const succeeded = statement(() =>
    db.build
      .updateTable("sign_in_attempts")
      .set({ failures: sql.lit(0), locked_until: sql.lit(null), ...params(["succeeded_at", "last_at"]) })
      .where("subject", "=", param("subject")),
  );
  const accountForgotten = statement(() =>
    db.build.deleteFrom("sign_in_attempts").where("account", "=", param("account")),
  );
  const staleForgotten = statement(() =>
    db.build
      .deleteFrom("sign_in_attempts")
      .where("last_at", "<", param("stale"))
      .where((the) => the.or([the("succeeded_at", "is", null), the("succeeded_at", "<", param("known"))])),
  );

  const pausedUntil = async (subject: string, now: string): Promise<string | null> =>
    (await db.first(paused, { subject, now }))?.locked_until ?? null;

  return {
    async begin({ subject, account, pausesFrom, pausedUntil: until, countedSince }, now) {
      const values: Record<string, SqlValue> = { subject, account, since: countedSince, now };
      const names = untilNames(until.length);
      for (const [index, name] of names.entries()) values[name] = until[index] ?? null;
      const statementOf = begins(`${pausesFrom} ${until.length}`, () => begun(pausesFrom, names));
      const [row] = await db.writeOne(statementOf, values);
      if (row === undefined) return { pausedUntil: (await pausedUntil(subject, now)) ?? now };
      return { failures: row.failures, succeededAt: row.succeeded_at };
    },
    async takeBack(subject) {
      await db.writeOne(takenBack, { subject });
    },
    async succeed(subject, now) {
      await db.writeOne(succeeded, { subject, succeeded_at: now, last_at: now });
    },
    async forgetAccount(account) {
      await db.writeOne(accountForgotten, { account });
    },
    async forgetStale(stale, known) {
      await db.writeOne(staleForgotten, { stale, known });
    },
    pausedUntil,
  };
};
