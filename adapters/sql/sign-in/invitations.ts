import { sql } from "kysely";
import { SERVICE } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { EVERY_PERMISSION } from "../../../core/permissions.ts";
import type { FirstUser, InvitationRepository } from "../../../core/sign-in/account-repository.ts";
import type { UserFields } from "../../../core/users/user-repository.ts";
import { EMAIL_TAKEN } from "../../../core/users/user-repository.ts";
import { accessChange } from "../access/access-change.ts";
import { USER_COLUMNS, userOf, WAS_INVITED } from "../access/user-rows.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, params, statement } from "../query/statement.ts";
import { userInsertion } from "../users/repository.ts";
import { challengesEnd } from "./challenges.ts";
import { unchangedUsers } from "./unchanged-users.ts";

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

const statementsOf = (db: SqlDatabase) => {
  const { build } = db;
  const usable = build
    .selectFrom("invitations")
    .select(["id", "kind", "user_id", "expires_at"])
    .where("token_hash", "=", param("hash"))
    .where("expires_at", ">", param("now"));
  const ofUser = param<number>("user_id");
  const newPassword = params(["password_hash", "updated_at"]);
  return {
    usable: statement(() => usable),
    /** Locks all links of the first super-admin, so that two that are used at once wait for each other. */
    first: statement(() =>
      build.selectFrom("invitations").select("id").where("kind", "=", "first").orderBy("id").modifyEnd(db.forUpdate),
    ),
    used: statement(() => build.deleteFrom("invitations").where("id", "=", param("id")).returning("id")),
    user: statement(() =>
      build
        .selectFrom("users")
        .select([...USER_COLUMNS, WAS_INVITED])
        .where("id", "=", ofUser)
        .where("active", "=", 1),
    ),
    invite: statement(() =>
      build
        .insertInto("invitations")
        .values({ kind: sql.lit("invitation"), ...params(["user_id", "token_hash", "created_at", "expires_at"]) })
        .onConflict((conflict) =>
          conflict.column("user_id").doUpdateSet(params(["token_hash", "created_at", "expires_at"])),
        ),
    ),
    offer: statement(() =>
      build.insertInto("invitations").values({
        kind: sql.lit("first"),
        user_id: sql.lit(null),
        ...params(["token_hash", "created_at", "expires_at"]),
      }),
    ),
    replaced: statement(() =>
      build.deleteFrom("invitations").where("kind", "=", "first").where("created_at", "<", param("replaced")),
    ),
    offersEnded: statement(() => build.deleteFrom("invitations").where("kind", "=", "first")),
    somebody: statement(() =>
      build
        .selectFrom("sign_in_accounts")
        .innerJoin("users", "users.id", "sign_in_accounts.user_id")
        .select("users.id")
        .where("users.active", "=", 1)
        .limit(sql.lit(1)),
    ),
    anyInvited: statement(() =>
      build.selectFrom("invitations").select("id").where("kind", "=", "invitation").limit(sql.lit(1)),
    ),
    password: statement(() =>
      build
        .insertInto("sign_in_accounts")
        .values({
          provider: sql.lit(BY_PASSWORD),
          ...params(["user_id", "account", "created_at"]),
          ...newPassword,
        })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(newPassword)),
    ),
    signedOut: statement(() => build.deleteFrom("sessions").where("user_id", "=", ofUser)),
  };
};

/** Invitations in SQL; see the port for what it guarantees. `changed` runs after every committed change of users. */
export const makeInvitationRepository = (db: SqlDatabase, changed: () => void): InvitationRepository => {
  const statements = statementsOf(db);
  const insertUser = userInsertion(db);
  const seen = unchangedUsers(db);
  const endChallenges = challengesEnd(db);
  const changeAccess = accessChange(db);

  const any = async (tx: Sql, wanted: typeof statements.somebody | typeof statements.anyInvited): Promise<boolean> =>
    (await tx.all(wanted, {})).length > 0;

  const setPassword = async (
    tx: Sql,
    { userId, hash, now }: { readonly userId: number; readonly hash: string; readonly now: Timestamp },
  ): Promise<void> => {
    await tx.all(statements.password, {
      user_id: userId,
      account: String(userId),
      password_hash: hash,
      created_at: now,
      updated_at: now,
    });
    await tx.all(statements.signedOut, { user_id: userId });
    await endChallenges(tx, userId);
  };

  return {
    async find(hash, now) {
      const row = await db.first(statements.usable, { hash, now });
      if (row === null) return null;
      if (row.user_id === null) {
        const isNeeded = !(await any(db, statements.somebody));
        return isNeeded ? { kind: row.kind, user: null, expiresAt: row.expires_at } : null;
      }
      const user = await db.first(statements.user, { user_id: row.user_id });
      return user === null ? null : { kind: row.kind, user: userOf(user), expiresAt: row.expires_at };
    },

    invite: ({ user, tokenHash: hash, now, expiresAt, by }) =>
      changeAccess(by, now, async (tx) => {
        if (!(await seen.lockUnchanged(tx, user))) return null;
        await tx.all(statements.invite, { user_id: user.id, token_hash: hash, created_at: now, expires_at: expiresAt });
        return true;
      }),

    async use({ tokenHash: hash, passwordHash, first, now }) {
      try {
        return await changeAccess(SERVICE, now, async (tx) => {
          if (first !== null) await tx.all(statements.first, {});
          const [row] = await tx.all(statements.usable, { hash, now });
          if (row === undefined || (row.kind === "first") !== (first !== null)) return null;
          if ((await tx.all(statements.used, { id: row.id })).length === 0) return null;
          if (first !== null) {
            if (await any(tx, statements.somebody)) return null;
            await tx.all(statements.offersEnded, {});
            const user = await insertUser(tx, { user: superAdmin(first), now, by: SERVICE });
            await setPassword(tx, { userId: user.id, hash: passwordHash, now });
            return user;
          }
          const [user] = await tx.all(statements.user, { user_id: row.user_id });
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

    offerFirst: ({ tokenHash: hash, now, expiresAt, replaced }) =>
      db.write(async (tx) => {
        if ((await any(tx, statements.somebody)) || (await any(tx, statements.anyInvited))) return false;
        await tx.all(statements.replaced, { replaced });
        await tx.all(statements.offer, { token_hash: hash, created_at: now, expires_at: expiresAt });
        return true;
      }),
  };
};
