import type { AccountRepository } from "../../../core/sign-in/account-repository.ts";
import { foldEmail } from "../../../core/text.ts";
import { accessChange } from "../access/access-change.ts";
import { USER_COLUMNS, userOf, WAS_INVITED } from "../access/user-rows.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, params, statement } from "../query/statement.ts";
import { challengesEnd } from "./challenges.ts";
import { unchangedUsers } from "./unchanged-users.ts";

/** Accounts in SQL; see the port for what it guarantees. */
export const makeAccountRepository = (db: SqlDatabase): AccountRepository => {
  const active = db.build
    .selectFrom("users")
    .select([...USER_COLUMNS, WAS_INVITED])
    .where("active", "=", 1);
  const found = statement(() => active.where("id", "=", param("id")));
  const foundByEmail = statement(() =>
    active
      .where("email_folded", "=", param("email"))
      .where("id", "in", db.build.selectFrom("sign_in_accounts").select("user_id")),
  );
  const ofUser = { user_id: param<number>("user_id") };
  const password = statement(() =>
    db.build.selectFrom("sign_in_accounts").select("password_hash").where("user_id", "=", ofUser.user_id),
  );
  const factor = statement(() =>
    db.build
      .selectFrom("second_factors")
      .select("user_id")
      .where("user_id", "=", ofUser.user_id)
      .where("verified", "=", 1),
  );
  const invited = statement(() =>
    db.build
      .selectFrom("invitations")
      .select("expires_at")
      .where("user_id", "=", ofUser.user_id)
      .where("expires_at", ">", param("now")),
  );
  const changed = statement(() =>
    db.build
      .updateTable("sign_in_accounts")
      .set(params(["password_hash", "updated_at"]))
      .where("user_id", "=", ofUser.user_id),
  );
  const othersEnded = statement(() =>
    db.build.deleteFrom("sessions").where("user_id", "=", ofUser.user_id).where("id", "!=", param("kept")),
  );
  const codes = statement(() =>
    db.build
      .selectFrom("second_factors")
      .select("recovery_codes")
      .where("user_id", "=", ofUser.user_id)
      .where("verified", "=", 1),
  );
  const codesSet = statement(() =>
    db.build
      .updateTable("second_factors")
      .set(params(["recovery_codes"]))
      .where("user_id", "=", ofUser.user_id)
      .where("verified", "=", 1)
      .returning("user_id"),
  );
  const removed = statement(() =>
    db.build.deleteFrom("second_factors").where("user_id", "=", ofUser.user_id).returning("verified"),
  );

  /** True if one of the removed second factors was in use at sign-in. */
  const wasInUse = (rows: readonly { verified: number }[]): boolean => rows.some(({ verified }) => verified === 1);
  const seen = unchangedUsers(db);
  const endChallenges = challengesEnd(db);
  const changeAccess = accessChange(db);

  return {
    async find(id) {
      const row = await db.first(found, { id });
      return row === null ? null : userOf(row);
    },
    async findByEmail(email) {
      const row = await db.first(foundByEmail, { email: foldEmail(email) });
      return row === null ? null : userOf(row);
    },
    async state(user, now) {
      const values = { user_id: user.id };
      const state = {
        secondFactor: (await db.first(factor, values)) !== null,
        invitedUntil: (await db.first(invited, { ...values, now }))?.expires_at ?? null,
        hasPassword: (await db.first(password, values)) !== null,
      };
      // This is checked last: if the user is unchanged now, everything that was read before belongs to that user.
      return (await seen.isUnchanged(db, user)) ? state : null;
    },
    passwordHash: async (userId) => (await db.first(password, { user_id: userId }))?.password_hash ?? null,
    async recoveryHashes(userId) {
      const row = await db.first(codes, { user_id: userId });
      return row === null ? [] : JSON.parse(row.recovery_codes);
    },
    changePassword: ({ userId, passwordHash: hash, keptSession: kept, now, by }) =>
      changeAccess(by, now, async (tx) => {
        await tx.all(changed, { user_id: userId, password_hash: hash, updated_at: now });
        await tx.all(othersEnded, { user_id: userId, kept });
        await endChallenges(tx, userId);
      }),
    setRecoveryCodes: ({ userId, hashes, now, by }) =>
      changeAccess(by, now, async (tx) => {
        const values = { user_id: userId, recovery_codes: JSON.stringify(hashes) };
        return (await tx.all(codesSet, values)).length > 0;
      }),
    removeSecondFactor: (userId, now, by) =>
      changeAccess(by, now, async (tx) => wasInUse(await tx.all(removed, { user_id: userId }))),
    resetSecondFactor: (user, now, by) =>
      changeAccess(by, now, async (tx) =>
        (await seen.lockUnchanged(tx, user)) ? wasInUse(await tx.all(removed, { user_id: user.id })) : null,
      ),
  };
};
