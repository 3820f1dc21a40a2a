import type { AccountRepository } from "../../../core/sign-in/account-repository.ts";
import { foldEmail } from "../../../core/text.ts";
import { accessChange } from "../access/access-change.ts";
import { isUserVisible, USER_COLUMNS, userOf, WAS_INVITED } from "../access/user-rows.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { endChallenges } from "./challenges.ts";
import { signInChange } from "./sign-in-change.ts";

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
  /** Removes a user's second factor. Returns true if it was in use at sign-in. */
  const removeFactor = async (tx: Tx, userId: number): Promise<boolean> => {
    const removed = await tx.deleteFrom("second_factors").where("user_id", "=", userId).returning("verified").execute();
    return removed.some(({ verified }) => verified === 1);
  };
  const changeAccess = accessChange(db);
  const changeSignIn = signInChange(db);

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
    async state(id, visibility, now) {
      const row = await db
        .selectFrom("users")
        .select((nested) => [
          "email",
          nested
            .selectFrom("second_factors")
            .select("verified")
            .whereRef("second_factors.user_id", "=", "users.id")
            .where("verified", "=", 1)
            .as("factor"),
          nested
            .selectFrom("invitations")
            .select("expires_at")
            .whereRef("invitations.user_id", "=", "users.id")
            .where("expires_at", ">", now)
            .as("invited_until"),
          nested
            .selectFrom("sign_in_accounts")
            .select("user_id")
            .whereRef("sign_in_accounts.user_id", "=", "users.id")
            .where("password_hash", "is not", null)
            .as("with_password"),
        ])
        .where("id", "=", id)
        .where(isUserVisible(visibility))
        .executeTakeFirst();
      if (row === undefined) return null;
      const { email, factor, invited_until: invitedUntil, with_password } = row;
      return { email, secondFactor: factor !== null, invitedUntil, hasPassword: with_password !== null };
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
    resetSecondFactor: (change) =>
      changeSignIn(change, async (tx, user) => ({ user, wasSet: await removeFactor(tx, user.id) })),
  };
};
