import { SERVICE } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { EVERY_PERMISSION } from "../../../core/permissions.ts";
import type { FirstUser, InvitationRepository } from "../../../core/sign-in/account-repository.ts";
import type { UserFields } from "../../../core/users/user-repository.ts";
import { EMAIL_TAKEN } from "../../../core/users/user-repository.ts";
import { accessChange } from "../access/access-change.ts";
import { USER_COLUMNS, userOf, WAS_INVITED } from "../access/user-rows.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import type { NewRow } from "../query/tables.ts";
import { userInsertion } from "../users/repository.ts";
import { endChallenges } from "./challenges.ts";
import { signInChange } from "./sign-in-change.ts";

/** The value of the column `provider` for a password, which instances of the previous version expect. */
const BY_PASSWORD = "credential";

const superAdmin = ({ name, email }: FirstUser): UserFields => ({
  name,
  email,
  role: "super_admin",
  dealerId: null,
  permissions: EVERY_PERMISSION,
  active: true,
  endedBy: null,
});

/** The link with this hash, if it has not expired. */
const usable = (on: Queries, hash: string, now: Timestamp) =>
  on
    .selectFrom("invitations")
    .select(["id", "kind", "user_id", "expires_at"])
    .where("token_hash", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst();

const activeUser = (on: Queries, id: number) =>
  on
    .selectFrom("users")
    .select([...USER_COLUMNS, WAS_INVITED])
    .where("id", "=", id)
    .where("active", "=", 1)
    .executeTakeFirst();

/** True if there is an active user with a password. */
const hasSomebody = async (on: Queries): Promise<boolean> => {
  const somebody = await on
    .selectFrom("sign_in_accounts")
    .innerJoin("users", "users.id", "sign_in_accounts.user_id")
    .select("users.id")
    .where("users.active", "=", 1)
    .limit(1)
    .executeTakeFirst();
  return somebody !== undefined;
};

const isAnybodyInvited = async (tx: Tx): Promise<boolean> =>
  (await tx.selectFrom("invitations").select("id").where("kind", "=", "invitation").limit(1).executeTakeFirst()) !==
  undefined;

/** Sets a user's password, and ends what was begun with the former one. */
const setPassword = async (
  tx: Tx,
  { userId, hash, now }: { readonly userId: number; readonly hash: string; readonly now: Timestamp },
): Promise<void> => {
  const values = { password_hash: hash, updated_at: now };
  await tx
    .insertInto("sign_in_accounts")
    .values({
      user_id: userId,
      provider: BY_PASSWORD,
      account: String(userId),
      created_at: now,
      ...values,
    } satisfies NewRow<"sign_in_accounts">)
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
    .execute();
  await tx.deleteFrom("sessions").where("user_id", "=", userId).execute();
  await endChallenges(tx, userId);
};

/** Invitations in SQL; see the port for what it guarantees. `changed` runs after every committed change of users. */
export const makeInvitationRepository = (db: SqlDatabase, changed: () => void): InvitationRepository => {
  const insertUser = userInsertion(db);
  const changeAccess = accessChange(db);
  const changeSignIn = signInChange(db);

  /** Makes the first super-admin, unless somebody is there already. No other link can make another one. */
  const becomeFirst = async (tx: Tx, first: FirstUser, now: Timestamp) => {
    if (await hasSomebody(tx)) return null;
    await tx.deleteFrom("invitations").where("kind", "=", "first").execute();
    return insertUser(tx, { user: superAdmin(first), now, by: SERVICE });
  };

  return {
    async find(hash, now) {
      const row = await usable(db, hash, now);
      if (row === undefined) return null;
      if (row.user_id === null)
        return (await hasSomebody(db)) ? null : { kind: row.kind, user: null, expiresAt: row.expires_at };
      const user = await activeUser(db, row.user_id);
      return user === undefined ? null : { kind: row.kind, user: userOf(user), expiresAt: row.expires_at };
    },

    invite: ({ tokenHash: token_hash, expiresAt: expires_at, ...change }) =>
      changeSignIn(change, async (tx, user) => {
        const link = { token_hash, created_at: change.now, expires_at };
        await tx
          .insertInto("invitations")
          .values({ kind: "invitation" as const, user_id: user.id, ...link } satisfies NewRow<"invitations">)
          .onConflict((conflict) => conflict.column("user_id").doUpdateSet(link))
          .execute();
        return user;
      }),

    async use({ tokenHash: hash, passwordHash, first, now }) {
      try {
        return await changeAccess(SERVICE, now, async (tx) => {
          // Locks all links of the first super-admin, so that two that are used at once wait for each other.
          if (first !== null)
            await tx
              .selectFrom("invitations")
              .select("id")
              .where("kind", "=", "first")
              .orderBy("id")
              .modifyEnd(db.forUpdate)
              .execute();
          const row = await usable(tx, hash, now);
          if (row === undefined || (row.kind === "first") !== (first !== null)) return null;
          const used = await tx.deleteFrom("invitations").where("id", "=", row.id).returning("id").execute();
          if (used.length === 0) return null;
          if (first !== null) {
            const user = await becomeFirst(tx, first, now);
            if (user !== null) await setPassword(tx, { userId: user.id, hash: passwordHash, now });
            return user;
          }
          const user = row.user_id === null ? undefined : await activeUser(tx, row.user_id);
          if (user === undefined) return null;
          await setPassword(tx, { userId: user.id, hash: passwordHash, now });
          return userOf(user);
        });
      } catch (error) {
        if (db.violation(error) === "unique") return EMAIL_TAKEN;
        throw error;
      } finally {
        changed();
      }
    },

    offerFirst: ({ tokenHash: token_hash, now, expiresAt: expires_at, replaced }) =>
      db.write(async (tx) => {
        if ((await hasSomebody(tx)) || (await isAnybodyInvited(tx))) return false;
        await tx.deleteFrom("invitations").where("kind", "=", "first").where("created_at", "<", replaced).execute();
        await tx
          .insertInto("invitations")
          .values({
            kind: "first" as const,
            user_id: null,
            token_hash,
            created_at: now,
            expires_at,
          } satisfies NewRow<"invitations">)
          .execute();
        return true;
      }),
  };
};
