import type { Timestamp } from "../../../core/clock.ts";
import type { AccountRepository } from "../../../core/sign-in/account-repository.ts";
import { foldEmail } from "../../../core/text.ts";
import { accessChange } from "../access/access-change.ts";
import { USER_COLUMNS, userOf, WAS_INVITED } from "../access/user-rows.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { endChallenges } from "./challenges.ts";
import { isUnchanged, lockUnchanged } from "./unchanged-users.ts";

/** Accounts in SQL; see the port for what it guarantees. */
export const makeAccountRepository = (db: SqlDatabase): AccountRepository => {
  const active = () =>
    db
      .selectFrom("users")
      .select([...USER_COLUMNS, WAS_INVITED])
      .where("active", "=", 1);
  const passwordHash = async (userId: number): Promise<string | null> =>
    (await db.selectFrom("sign_in_accounts").select("password_hash").where("user_id", "=", userId).executeTakeFirst())
      ?.password_hash ?? null;
  const confirmedFactor = (userId: number) =>
    db
      .selectFrom("second_factors")
      .select("recovery_codes")
      .where("user_id", "=", userId)
      .where("verified", "=", 1)
      .executeTakeFirst();
  const invitedUntil = async (userId: number, now: Timestamp): Promise<Timestamp | null> =>
    (
      await db
        .selectFrom("invitations")
        .select("expires_at")
        .where("user_id", "=", userId)
        .where("expires_at", ">", now)
        .executeTakeFirst()
    )?.expires_at ?? null;
  /** Removes a user's second factor. Returns true if it was in use at sign-in. */
  const removeFactor = async (tx: Tx, userId: number): Promise<boolean> => {
    const removed = await tx.deleteFrom("second_factors").where("user_id", "=", userId).returning("verified").execute();
    return removed.some(({ verified }) => verified === 1);
  };
  const changeAccess = accessChange(db);

  return {
    async find(id) {
      const row = await active().where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : userOf(row);
    },
    async findByEmail(email) {
      const row = await active()
        .where("email_folded", "=", foldEmail(email))
        .where("id", "in", (nested) => nested.selectFrom("sign_in_accounts").select("user_id"))
        .executeTakeFirst();
      return row === undefined ? null : userOf(row);
    },
    async state(user, now) {
      const state = {
        secondFactor: (await confirmedFactor(user.id)) !== undefined,
        invitedUntil: await invitedUntil(user.id, now),
        hasPassword: (await passwordHash(user.id)) !== null,
      };
      // This is checked last: if the user is unchanged now, everything that was read before belongs to that user.
      return (await isUnchanged(db, user)) ? state : null;
    },
    passwordHash,
    async recoveryHashes(userId) {
      const row = await confirmedFactor(userId);
      return row === undefined ? [] : JSON.parse(row.recovery_codes);
    },
    changePassword: ({ userId, passwordHash: password_hash, keptSession, now, by }) =>
      changeAccess(by, now, async (tx) => {
        await tx
          .updateTable("sign_in_accounts")
          .set({ password_hash, updated_at: now })
          .where("user_id", "=", userId)
          .execute();
        await tx.deleteFrom("sessions").where("user_id", "=", userId).where("id", "!=", keptSession).execute();
        await endChallenges(tx, userId);
      }),
    setRecoveryCodes: ({ userId, hashes, now, by }) =>
      changeAccess(by, now, async (tx) => {
        const set = await tx
          .updateTable("second_factors")
          .set({ recovery_codes: JSON.stringify(hashes) })
          .where("user_id", "=", userId)
          .where("verified", "=", 1)
          .returning("user_id")
          .execute();
        return set.length > 0;
      }),
    removeSecondFactor: (userId, now, by) => changeAccess(by, now, (tx) => removeFactor(tx, userId)),
    resetSecondFactor: (user, now, by) =>
      changeAccess(by, now, async (tx) => ((await lockUnchanged(db, tx, user)) ? removeFactor(tx, user.id) : null)),
  };
};
