import { sql } from "kysely";
import type { AttemptRepository } from "../../core/sign-in/account-repository.ts";
import type { SqlDatabase } from "./database.ts";
import { param, sqlStatement, statement } from "./statement.ts";

interface Row {
  readonly failures: number;
  readonly locked_until: string | null;
}

/** Failed attempts in SQL; see the port for what it guarantees. */
export const makeAttemptRepository = (db: SqlDatabase): AttemptRepository => {
  const lockAt = (failures: ReturnType<typeof sql>) =>
    sql`CASE WHEN ${failures} >= ${param("limit")} THEN ${param("until")} ELSE NULL END`;
  // A lock that is over starts a new row of failures; one that is not makes the statement change nothing.
  const next = sql`CASE WHEN sign_in_attempts.locked_until IS NULL THEN sign_in_attempts.failures + 1 ELSE 1 END`;
  const begun = sqlStatement(
    db,
    sql<Row>`
      INSERT INTO sign_in_attempts (subject, failures, locked_until, last_at)
      VALUES (${param("subject")}, 1, ${lockAt(sql`1`)}, ${param("now")})
      ON CONFLICT (subject) DO UPDATE SET failures = ${next}, locked_until = ${lockAt(next)}, last_at = ${param("now")}
      WHERE sign_in_attempts.locked_until IS NULL OR sign_in_attempts.locked_until <= ${param("now")}
      RETURNING failures, locked_until`,
  );
  const locked = statement(() =>
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
  const forgotten = statement(() =>
    db.build
      .deleteFrom("sign_in_attempts")
      .where((the) => the.or([the("subject", "=", param("subject")), the("last_at", "<", param("stale"))])),
  );

  const lockedUntil = async (subject: string, now: string): Promise<string | null> =>
    (await db.first(locked, { subject, now }))?.locked_until ?? null;

  return {
    async begin(subject, limit, until, now) {
      const [row] = await db.writeOne(begun, { subject, limit, until, now });
      return row ?? { lockedUntil: (await lockedUntil(subject, now)) ?? now };
    },
    async takeBack(subject) {
      await db.writeOne(takenBack, { subject });
    },
    async forget(subject, stale) {
      await db.writeOne(forgotten, { subject, stale });
    },
    lockedUntil,
  };
};
