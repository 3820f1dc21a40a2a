import { sql } from "kysely";
import { SERVICE } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import type { NewSession, SessionRecord, SessionRepository, SessionSelection } from "../../../core/sign-in/sessions.ts";
import { accessChange } from "../access/access-change.ts";
import { USER_COLUMNS, userOf, WAS_INVITED } from "../access/user-rows.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, params, statement } from "../query/statement.ts";
import type { NewRow, Row } from "../query/tables.ts";
import { challengeChanges } from "./challenges.ts";
import { unchangedUsers } from "./unchanged-users.ts";

const COLUMNS = ["id", "address", "user_agent", "created_at", "last_seen_at", "expires_at", "ends_at"] as const;

type SessionRow = Pick<Row<"sessions">, (typeof COLUMNS)[number]>;

/** The columns of a new session. */
const INSERTED = [
  "user_id",
  "token_hash",
  "address",
  "user_agent",
  "last_seen_at",
  "expires_at",
  "ends_at",
  "created_at",
  "updated_at",
] as const;

const sessionOf = (row: SessionRow): SessionRecord => ({
  id: row.id,
  address: row.address,
  userAgent: row.user_agent,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  expiresAt: row.expires_at,
  endsAt: row.ends_at,
});

const found = (db: SqlDatabase) =>
  statement(() =>
    db.build
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

/** The statements that begin sessions. */
const beginStatements = (db: SqlDatabase) => {
  const ofUser = param<number>("user_id");
  return {
    /** The user, if still active and with this password, and whether they have a confirmed second factor. */
    entitled: statement(() =>
      db.build
        .selectFrom("sign_in_accounts")
        .innerJoin("users", "users.id", "sign_in_accounts.user_id")
        .leftJoin("second_factors", (join) =>
          join.onRef("second_factors.user_id", "=", "users.id").on("second_factors.verified", "=", 1),
        )
        .select("second_factors.verified")
        .where("users.id", "=", ofUser)
        .where("users.active", "=", 1)
        .where("sign_in_accounts.password_hash", "=", param("password_hash")),
    ),
    begun: statement(() =>
      db.build
        .insertInto("sessions")
        .values({ proved_at: sql.lit(null), ...params(INSERTED) } satisfies NewRow<"sessions">),
    ),
    isRunning: statement(() =>
      db.build
        .selectFrom("sessions")
        .select("id")
        .where("id", "=", param("replaced"))
        .where("user_id", "=", ofUser)
        .where("expires_at", ">", param("now")),
    ),
    replaced: statement(() => db.build.deleteFrom("sessions").where("id", "=", param("replaced"))),
    confirmed: statement(() =>
      db.build
        .updateTable("second_factors")
        .set({ verified: sql.lit(1), ...params(["recovery_codes"]) })
        .where("user_id", "=", ofUser)
        .where("secret", "=", param("sealed"))
        .where("verified", "=", sql.lit(0))
        .returning("user_id"),
    ),
    codes: statement(() =>
      db.build
        .selectFrom("second_factors")
        .select("recovery_codes")
        .where("user_id", "=", ofUser)
        .where("verified", "=", sql.lit(1)),
    ),
    codeUsed: statement(() =>
      db.build
        .updateTable("second_factors")
        .set(params(["recovery_codes"]))
        .where("user_id", "=", ofUser)
        .where("recovery_codes", "=", param("seen"))
        .returning("user_id"),
    ),
    withdrawn: statement(() => db.build.deleteFrom("sessions").where("token_hash", "=", param("token_hash"))),
  };
};

/** The kind of statement for the sessions that are selected. */
const kindOf = (which: SessionSelection) => (which === "all" ? "all" : "only" in which ? "only" : "allBut");

/**
 * Sessions in SQL; see the port for what it guarantees. `lastUseDb` stores the time of last use, which is recorded by
 * reads, too.
 */
export const makeSessionRepository = (db: SqlDatabase, lastUseDb = db): SessionRepository => {
  const find = found(db);
  const used = statement(() =>
    db.build
      .updateTable("sessions")
      .set(params(["last_seen_at", "expires_at"]))
      .where("id", "=", param("id")),
  );
  const proved = statement(() =>
    db.build
      .updateTable("sessions")
      .set(params(["proved_at"]))
      .where("id", "=", param("id")),
  );
  const listed = statement(() =>
    db.build
      .selectFrom("sessions")
      .select(COLUMNS)
      .where("user_id", "=", param("user_id"))
      .where("expires_at", ">", param("now"))
      .orderBy("last_seen_at", "desc")
      .orderBy("id", "desc"),
  );
  const expired = statement(() => db.build.deleteFrom("sessions").where("expires_at", "<=", param("now")));
  const ofUser = db.build
    .deleteFrom("sessions")
    .where("user_id", "=", param("user_id"))
    .where("expires_at", ">", param("now"))
    .returning("id");
  const ended = {
    all: statement(() => ofUser),
    only: statement(() => ofUser.where("id", "=", param("session"))),
    allBut: statement(() => ofUser.where("id", "!=", param("session"))),
  };

  const { entitled, begun, isRunning: goesOn, replaced, confirmed, codes, codeUsed, withdrawn } = beginStatements(db);
  const challenges = challengeChanges(db);

  const changeAccess = accessChange(db);
  const seen = unchangedUsers(db);
  const list = async (userId: number, now: Timestamp): Promise<SessionRecord[]> =>
    (await db.all(listed, { user_id: userId, now })).map(sessionOf);
  const end = async (
    tx: Sql,
    { userId, which, now }: { readonly userId: number; readonly which: SessionSelection; readonly now: Timestamp },
  ): Promise<number> => {
    const session = which === "all" ? 0 : "only" in which ? which.only : which.allBut;
    return (await tx.all(ended[kindOf(which)], { user_id: userId, session, now })).length;
  };

  /**
   * It runs as a change of access, one after another with changes that end a user's sessions. Such a change either sees
   * the new session, or is seen here.
   */
  const beginning = <Result>(work: (tx: Sql) => Promise<Result>): Promise<Result> => changeAccess(SERVICE, "", work);

  /** Whether the user may begin a session; `null` if not any more. */
  const rightOf = async (tx: Sql, { userId, passwordHash }: NewSession) => {
    const [row] = await tx.all(entitled, { user_id: userId, password_hash: passwordHash });
    return row === undefined ? null : { needsSecondFactor: row.verified !== null };
  };

  const insert = async (tx: Sql, session: NewSession): Promise<void> => {
    await tx.all(begun, {
      user_id: session.userId,
      token_hash: session.tokenHash,
      address: session.address,
      user_agent: session.userAgent,
      last_seen_at: session.now,
      expires_at: session.expiresAt,
      ends_at: session.endsAt,
      created_at: session.now,
      updated_at: session.now,
    });
  };

  /** Removes a recovery code from the user's codes. Returns false if it is not one of them. */
  const takeCode = async (tx: Sql, userId: number, hash: string): Promise<boolean> => {
    const [row] = await tx.all(codes, { user_id: userId });
    const before: readonly string[] = JSON.parse(row?.recovery_codes ?? "[]");
    if (row === undefined || !before.includes(hash)) return false;
    const recovery_codes = JSON.stringify(before.filter((one) => one !== hash));
    return (await tx.all(codeUsed, { user_id: userId, seen: row.recovery_codes, recovery_codes })).length > 0;
  };

  return {
    begin: (session, { token, endsAt }) =>
      beginning(async (tx) => {
        const right = await rightOf(tx, session);
        if (right === null) return null;
        if (right.needsSecondFactor) {
          await challenges.begin(tx, { token, userId: session.userId, now: session.now, endsAt });
          return "challenge";
        }
        await insert(tx, session);
        return "session";
      }),

    beginProved: (session, { challenge: token, recoveryHash }) =>
      beginning(async (tx) => {
        const { userId, now } = session;
        if ((await rightOf(tx, session)) === null || !(await challenges.take(tx, { token, userId, now }))) return false;
        if (recoveryHash !== null && !(await takeCode(tx, userId, recoveryHash))) return false;
        await insert(tx, session);
        return true;
      }),

    beginConfirmed: (session, { replaced: before, sealed, recoveryHashes }) =>
      beginning(async (tx) => {
        const values = { user_id: session.userId, replaced: before, sealed, now: session.now };
        if ((await rightOf(tx, session)) === null || (await tx.all(goesOn, values)).length === 0) return false;
        const recovery_codes = JSON.stringify(recoveryHashes);
        if ((await tx.all(confirmed, { ...values, recovery_codes })).length === 0) return false;
        await tx.all(replaced, values);
        await insert(tx, session);
        return true;
      }),

    async withdraw(tokenHash) {
      await db.writeOne(withdrawn, { token_hash: tokenHash });
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
      await db.writeOne(proved, { id, proved_at: now });
    },
    async recordUse(id, now, expiresAt) {
      await lastUseDb.writeOne(used, { id, last_seen_at: now, expires_at: expiresAt });
    },
    list,
    async listOf(user, now) {
      const found = await list(user.id, now);
      // This is checked last: if the user is unchanged now, everything that was read before belongs to that user.
      return (await seen.isUnchanged(db, user)) ? found : null;
    },
    end: ({ userId, which, now, by }) => changeAccess(by, now, (tx) => end(tx, { userId, which, now })),
    endOf: ({ user, which, now, by }) =>
      changeAccess(by, now, async (tx) =>
        (await seen.lockUnchanged(tx, user)) ? end(tx, { userId: user.id, which, now }) : null,
      ),
    removeExpired: (now) =>
      db.write(async (tx) => {
        await tx.all(expired, { now });
        await challenges.removeExpired(tx, now);
      }),
  };
};
