import { SERVICE } from "../../../core/access/principal.ts";
import type { Visibility } from "../../../core/access/visibility.ts";
import type { Timestamp } from "../../../core/clock.ts";
import type { NewSession, SessionRecord, SessionRepository, SessionSelection } from "../../../core/sign-in/sessions.ts";
import { accessChange } from "../access/access-change.ts";
import { findUser, isUserVisible, USER_COLUMNS, userOf, WAS_INVITED } from "../access/user-rows.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { type Param, statement } from "../query/statement.ts";
import type { NewRow, Row } from "../query/tables.ts";
import { beginChallenge, removeExpiredChallenges, takeChallenge } from "./challenges.ts";
import { signInChange } from "./sign-in-change.ts";

const COLUMNS = ["id", "address", "user_agent", "created_at", "last_seen_at", "expires_at", "ends_at"] as const;

type SessionRow = Pick<Row<"sessions">, (typeof COLUMNS)[number]>;

const sessionOf = (row: SessionRow): SessionRecord => ({
  id: row.id,
  address: row.address,
  userAgent: row.user_agent,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  expiresAt: row.expires_at,
  endsAt: row.ends_at,
});

/** Looked up for each request of the portal. */
const found = (db: SqlDatabase) =>
  statement((param: Param<{ hash: string; now: string }>) =>
    db
      .selectFrom("sessions")
      .innerJoin("users", "users.id", "sessions.user_id")
      .leftJoin("second_factors", (join) =>
        join.onRef("second_factors.user_id", "=", "users.id").on("second_factors.verified", "=", 1),
      )
      .select([
        ...USER_COLUMNS.map((column) => `users.${column}` as const),
        WAS_INVITED,
        "sessions.id as session_id",
        "sessions.address",
        "sessions.user_agent",
        "sessions.created_at as session_created_at",
        "sessions.proved_at",
        "sessions.last_seen_at",
        "sessions.expires_at",
        "sessions.ends_at",
        "second_factors.recovery_codes",
      ])
      .where("sessions.token_hash", "=", param("hash"))
      .where("sessions.expires_at", ">", param("now"))
      .where("users.active", "=", 1),
  );

/**
 * Sessions in SQL; see the port for what it guarantees. `lastUseDb` stores the time of last use, which is recorded by
 * reads, too.
 */
export const makeSessionRepository = (db: SqlDatabase, lastUseDb = db): SessionRepository => {
  const find = found(db);
  const used = statement((param: Param<{ id: number; last_seen_at: string; expires_at: string }>) =>
    db
      .updateTable("sessions")
      .set({ last_seen_at: param("last_seen_at"), expires_at: param("expires_at") })
      .where("id", "=", param("id")),
  );
  const changeAccess = accessChange(db);
  const changeSignIn = signInChange(db);

  const list = async (userId: number, now: Timestamp, visibility: Visibility): Promise<SessionRecord[]> => {
    const rows = await db
      .selectFrom("sessions")
      .select(COLUMNS)
      .where("user_id", "in", (nested) =>
        nested.selectFrom("users").select("users.id").where("users.id", "=", userId).where(isUserVisible(visibility)),
      )
      .where("expires_at", ">", now)
      .orderBy("last_seen_at", "desc")
      .orderBy("id", "desc")
      .execute();
    return rows.map(sessionOf);
  };

  const end = async (
    tx: Tx,
    { userId, which, now }: { readonly userId: number; readonly which: SessionSelection; readonly now: Timestamp },
  ): Promise<number> => {
    const ofUser = tx
      .deleteFrom("sessions")
      .where("user_id", "=", userId)
      .where("expires_at", ">", now)
      .returning("id");
    const selected =
      which === "all"
        ? ofUser
        : "only" in which
          ? ofUser.where("id", "=", which.only)
          : ofUser.where("id", "!=", which.allBut);
    return (await selected.execute()).length;
  };

  /**
   * It runs as a change of access, one after another with changes that end a user's sessions. Such a change either sees
   * the new session, or is seen here.
   */
  const beginning = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> => changeAccess(SERVICE, "", work);

  /** Whether the user may begin a session, who is still active and has this password; `null` if not any more. */
  const rightOf = async (tx: Tx, { userId, passwordHash }: NewSession) => {
    const row = await tx
      .selectFrom("sign_in_accounts")
      .innerJoin("users", "users.id", "sign_in_accounts.user_id")
      .leftJoin("second_factors", (join) =>
        join.onRef("second_factors.user_id", "=", "users.id").on("second_factors.verified", "=", 1),
      )
      .select("second_factors.verified")
      .where("users.id", "=", userId)
      .where("users.active", "=", 1)
      .where("sign_in_accounts.password_hash", "=", passwordHash)
      .executeTakeFirst();
    return row === undefined ? null : { needsSecondFactor: row.verified !== null };
  };

  const insert = async (tx: Tx, session: NewSession): Promise<void> => {
    await tx
      .insertInto("sessions")
      .values({
        user_id: session.userId,
        token_hash: session.tokenHash,
        address: session.address,
        user_agent: session.userAgent,
        last_seen_at: session.now,
        expires_at: session.expiresAt,
        ends_at: session.endsAt,
        proved_at: null,
        created_at: session.now,
        updated_at: session.now,
      } satisfies NewRow<"sessions">)
      .execute();
  };

  /** Removes a recovery code from the user's codes. Returns false if it is not one of them. */
  const takeCode = async (tx: Tx, userId: number, hash: string): Promise<boolean> => {
    const row = await tx
      .selectFrom("second_factors")
      .select("recovery_codes")
      .where("user_id", "=", userId)
      .where("verified", "=", 1)
      .executeTakeFirst();
    const before: readonly string[] = JSON.parse(row?.recovery_codes ?? "[]");
    if (row === undefined || !before.includes(hash)) return false;
    const taken = await tx
      .updateTable("second_factors")
      .set({ recovery_codes: JSON.stringify(before.filter((one) => one !== hash)) })
      .where("user_id", "=", userId)
      .where("recovery_codes", "=", row.recovery_codes)
      .returning("user_id")
      .execute();
    return taken.length > 0;
  };

  /** Confirms the second factor that a session of the user was offered. Returns false if it is not there any more. */
  const confirm = async (
    tx: Tx,
    { userId, now }: NewSession,
    { replaced, sealed, recoveryHashes }: Parameters<SessionRepository["beginConfirmed"]>[1],
  ): Promise<boolean> => {
    const running = await tx
      .selectFrom("sessions")
      .select("id")
      .where("id", "=", replaced)
      .where("user_id", "=", userId)
      .where("expires_at", ">", now)
      .executeTakeFirst();
    if (running === undefined) return false;
    const confirmed = await tx
      .updateTable("second_factors")
      .set({ verified: 1, recovery_codes: JSON.stringify(recoveryHashes) })
      .where("user_id", "=", userId)
      .where("secret", "=", sealed)
      .where("verified", "=", 0)
      .returning("user_id")
      .execute();
    return confirmed.length > 0;
  };

  return {
    begin: (session, { token, endsAt }) =>
      beginning(async (tx) => {
        const right = await rightOf(tx, session);
        if (right === null) return null;
        if (right.needsSecondFactor) {
          await beginChallenge(tx, { token, userId: session.userId, now: session.now, endsAt });
          return "challenge";
        }
        await insert(tx, session);
        return "session";
      }),

    beginProved: (session, { challenge: token, recoveryHash }) =>
      beginning(async (tx) => {
        const { userId, now } = session;
        if ((await rightOf(tx, session)) === null || !(await takeChallenge(tx, { token, userId, now }))) return false;
        if (recoveryHash !== null && !(await takeCode(tx, userId, recoveryHash))) return false;
        await insert(tx, session);
        return true;
      }),

    beginConfirmed: (session, factor) =>
      beginning(async (tx) => {
        if ((await rightOf(tx, session)) === null || !(await confirm(tx, session, factor))) return false;
        await tx.deleteFrom("sessions").where("id", "=", factor.replaced).execute();
        await insert(tx, session);
        return true;
      }),

    async withdraw(tokenHash) {
      await db.deleteFrom("sessions").where("token_hash", "=", tokenHash).execute();
    },

    async find(hash, now) {
      const row = await db.first(find, { hash, now });
      if (row === null) return null;
      const { session_id: id, session_created_at: created_at } = row;
      const codes: readonly string[] = JSON.parse(row.recovery_codes ?? "[]");
      return {
        session: sessionOf({ ...row, id, created_at }),
        user: userOf(row),
        secondFactor: row.recovery_codes !== null,
        recoveryCodesLeft: codes.length,
        provedAt: row.proved_at ?? row.session_created_at,
      };
    },
    async prove(id, now) {
      await db.updateTable("sessions").set({ proved_at: now }).where("id", "=", id).execute();
    },
    async recordUse(id, now, expiresAt) {
      await lastUseDb.writeOne(used, { id, last_seen_at: now, expires_at: expiresAt });
    },
    list: (userId, now) => list(userId, now, { userId }),
    async listOf(id, visibility, now) {
      const seen = await findUser(db, id, visibility);
      return seen === null ? null : list(id, now, visibility);
    },
    end: ({ userId, which, now, by }) => changeAccess(by, now, (tx) => end(tx, { userId, which, now })),
    endOf: ({ which, ...change }) =>
      changeSignIn(change, async (tx, user) => ({
        user,
        ended: await end(tx, { userId: user.id, which, now: change.now }),
      })),
    removeExpired: (now) =>
      db.write(async (tx) => {
        await tx.deleteFrom("sessions").where("expires_at", "<=", now).execute();
        await removeExpiredChallenges(tx, now);
      }),
  };
};
