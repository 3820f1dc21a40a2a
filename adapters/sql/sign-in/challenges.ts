import { sql } from "kysely";
import type { Timestamp } from "../../../core/clock.ts";
import { CHALLENGE_ATTEMPTS, type ChallengeRepository } from "../../../core/sign-in/challenges.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
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

/** Begins a sign-in that still needs its second factor. */
export const beginChallenge = async (tx: Tx, { token, userId, now, endsAt }: NewChallenge): Promise<void> => {
  const { user, attempts } = rowsOf(token);
  const times = { expires_at: endsAt, created_at: now, updated_at: now };
  for (const values of [
    { identifier: user, value: String(userId), ...times },
    { identifier: attempts, value: `${COUNT}0`, ...times },
  ] satisfies NewRow<"sign_in_challenges">[])
    await tx.insertInto("sign_in_challenges").values(values).execute();
};

/** Ends a challenge of this user. Returns false if there is none that has not expired. */
export const takeChallenge = async (
  tx: Tx,
  { token, userId, now }: { readonly token: string; readonly userId: number; readonly now: Timestamp },
): Promise<boolean> => {
  const { user, attempts } = rowsOf(token);
  const ended = await tx
    .deleteFrom("sign_in_challenges")
    .where("identifier", "in", [user, attempts])
    .where("expires_at", ">", now)
    .returning(["identifier", "value"])
    .execute();
  return ended.some(({ identifier, value }) => identifier === user && value === String(userId));
};

/** Removes what has expired. */
export const removeExpiredChallenges = async (tx: Tx, now: Timestamp): Promise<void> => {
  await tx.deleteFrom("sign_in_challenges").where("expires_at", "<=", now).execute();
};

/**
 * Ends sign-ins that have passed the password and still need the second factor. After a change of the password, nobody
 * who used the old one may continue. It runs within the transaction that changes the password.
 */
export const endChallenges = async (tx: Tx, userId: number): Promise<void> => {
  await tx.deleteFrom("sign_in_challenges").where("value", "=", String(userId)).execute();
};

/** Challenges in SQL; see the port for what it guarantees. */
export const makeChallengeRepository = (db: SqlDatabase): ChallengeRepository => ({
  async userOf(token, now) {
    const row = await db
      .selectFrom("sign_in_challenges")
      .select("value")
      .where("identifier", "=", rowsOf(token).user)
      .where("expires_at", ">", now)
      .executeTakeFirst();
    return row === undefined ? null : Number(row.value);
  },
  async countAttempt(token, now) {
    const { user, attempts } = rowsOf(token);
    const count = sql<number>`CAST(value AS INTEGER)`;
    // These are two statements that lock one row each, so that simultaneous attempts cannot deadlock.
    const counted = await db
      .updateTable("sign_in_challenges")
      .set({ value: sql<string>`${sql.lit(COUNT)} || CAST(${count} + 1 AS TEXT)`, updated_at: now })
      .where("identifier", "=", attempts)
      .where("expires_at", ">", now)
      .where(count, "<", sql.lit(CHALLENGE_ATTEMPTS))
      .returning("id")
      .execute();
    if (counted.length > 0) return true;
    await db.deleteFrom("sign_in_challenges").where("identifier", "=", user).execute();
    return false;
  },
});
