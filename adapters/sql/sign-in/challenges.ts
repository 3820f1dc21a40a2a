import { sql } from "kysely";
import type { Timestamp } from "../../../core/clock.ts";
import { CHALLENGE_ATTEMPTS, type ChallengeRepository } from "../../../core/sign-in/challenges.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, params, sqlStatement, statement } from "../query/statement.ts";
import type { NewRow } from "../query/tables.ts";

const hashOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("base64url");

/**
 * The prefix of a number of attempts. The other row of a challenge contains a user's id, which never begins with it.
 */
const COUNT = "0";

/** The two rows of a challenge: one with its user, one with the number of attempts so far. */
const rowsOf = (token: string) => ({ user: hashOf(token), attempts: hashOf(`2fa-attempts-${token}`) });

interface NewChallenge {
  readonly token: string;
  readonly userId: number;
  readonly now: Timestamp;
  readonly endsAt: Timestamp;
}

/** Changes of challenges within a transaction. */
export interface ChallengeChanges {
  begin(tx: Sql, challenge: NewChallenge): Promise<void>;
  /** Ends a challenge of this user. Returns false if there is none that has not expired. */
  take(
    tx: Sql,
    challenge: { readonly token: string; readonly userId: number; readonly now: Timestamp },
  ): Promise<boolean>;
  removeExpired(tx: Sql, now: Timestamp): Promise<void>;
}

/** Makes the statements that change challenges within a transaction. */
export const challengeChanges = (db: SqlDatabase): ChallengeChanges => {
  const begun = statement(() =>
    db.build
      .insertInto("sign_in_challenges")
      .values(
        params([
          "identifier",
          "value",
          "expires_at",
          "created_at",
          "updated_at",
        ]) satisfies NewRow<"sign_in_challenges">,
      ),
  );
  const ended = statement(() =>
    db.build
      .deleteFrom("sign_in_challenges")
      .where("identifier", "in", [param<string>("user"), param<string>("attempts")])
      .where("expires_at", ">", param("now"))
      .returning(["identifier", "value"]),
  );
  const expired = statement(() => db.build.deleteFrom("sign_in_challenges").where("expires_at", "<=", param("now")));
  return {
    async begin(tx, { token, userId, now, endsAt }) {
      const { user, attempts } = rowsOf(token);
      const times = { expires_at: endsAt, created_at: now, updated_at: now };
      await tx.all(begun, { identifier: user, value: String(userId), ...times });
      await tx.all(begun, { identifier: attempts, value: `${COUNT}0`, ...times });
    },
    async take(tx, { token, userId, now }) {
      const { user, attempts } = rowsOf(token);
      const rows = await tx.all(ended, { user, attempts, now });
      return rows.some(({ identifier, value }) => identifier === user && value === String(userId));
    },
    async removeExpired(tx, now) {
      await tx.all(expired, { now });
    },
  };
};

/** Challenges in SQL; see the port for what it guarantees. */
export const makeChallengeRepository = (db: SqlDatabase): ChallengeRepository => {
  const found = statement(() =>
    db.build
      .selectFrom("sign_in_challenges")
      .select("value")
      .where("identifier", "=", param("identifier"))
      .where("expires_at", ">", param("now")),
  );
  const count = sql`CAST(value AS INTEGER)`;
  const counted = sqlStatement(
    db,
    sql<object>`UPDATE sign_in_challenges SET value = ${sql.lit(COUNT)} || CAST(${count} + 1 AS TEXT), updated_at = ${param("now")}
      WHERE identifier = ${param("attempts")} AND expires_at > ${param("now")}
        AND ${count} < ${sql.lit(CHALLENGE_ATTEMPTS)} RETURNING id`,
  );
  const ended = statement(() => db.build.deleteFrom("sign_in_challenges").where("identifier", "=", param("user")));
  return {
    async userOf(token, now) {
      const row = await db.first(found, { identifier: rowsOf(token).user, now });
      return row === null ? null : Number(row.value);
    },
    async countAttempt(token, now) {
      const { user, attempts } = rowsOf(token);
      // These are two statements that lock one row each, so that simultaneous attempts cannot deadlock.
      if ((await db.writeOne(counted, { attempts, now })).length > 0) return true;
      await db.writeOne(ended, { user });
      return false;
    },
  };
};

/**
 * Ends sign-ins that have passed the password and still need the second factor. After a change of the password, nobody
 * who used the old one may continue. It runs within the transaction that changes the password.
 */
export const challengesEnd = (db: SqlDatabase) => {
  const ended = statement(() => db.build.deleteFrom("sign_in_challenges").where("value", "=", param("value")));
  return async (tx: Sql, userId: number): Promise<void> => {
    await tx.all(ended, { value: String(userId) });
  };
};
