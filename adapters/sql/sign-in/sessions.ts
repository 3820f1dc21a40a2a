import { SERVICE } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import type { SessionRecord, SessionRepository, SomeSessions } from "../../../core/sign-in/sessions.ts";
import { accessChange } from "../access/access-change.ts";
import { USER_COLUMNS, userOf } from "../access/user-rows.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, params, statement } from "../query/statement.ts";
import type { Row } from "../query/tables.ts";
import { seenUsers } from "./as-seen.ts";

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

/** The statement for the sessions that `end` should end. */
const kindOf = (which: SomeSessions) => (which === "all" ? "all" : "only" in which ? "only" : "allBut");

/** Sessions in SQL; see the port for what it guarantees. `aside` is the database for the last use, which a read notes, too. */
export const makeSessionRepository = (db: SqlDatabase, aside = db): SessionRepository => {
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

  const stillThere = statement(() =>
    db.build
      .selectFrom("sign_in_accounts")
      .innerJoin("users", "users.id", "sign_in_accounts.user_id")
      .select("users.id")
      .where("users.id", "=", param("user_id"))
      .where("users.active", "=", 1)
      .where("sign_in_accounts.password_hash", "=", param("password_hash")),
  );
  const begun = statement(() => db.build.deleteFrom("sessions").where("token_hash", "=", param("token_hash")));

  const changeAccess = accessChange(db);
  const seen = seenUsers(db);
  const list = async (userId: number, now: Timestamp): Promise<SessionRecord[]> =>
    (await db.all(listed, { user_id: userId, now })).map(sessionOf);
  const end = async (
    tx: Sql,
    { userId, which, now }: { readonly userId: number; readonly which: SomeSessions; readonly now: Timestamp },
  ): Promise<number> => {
    const session = which === "all" ? 0 : "only" in which ? which.only : which.allBut;
    return (await tx.all(ended[kindOf(which)], { user_id: userId, session, now })).length;
  };

  return {
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
    keepIfUnchanged: (tokenHash, userId, passwordHash) =>
      // Serialized with changes that end a user's sessions: each of them either finds this session, or is visible here.
      changeAccess(SERVICE, "", async (tx) => {
        if ((await tx.all(stillThere, { user_id: userId, password_hash: passwordHash })).length > 0) return true;
        if (tokenHash !== null) await tx.all(begun, { token_hash: tokenHash });
        return false;
      }),
    async prove(id, now) {
      await db.writeOne(proved, { id, proved_at: now });
    },
    async recordUse(id, now, expiresAt) {
      await aside.writeOne(used, { id, last_seen_at: now, expires_at: expiresAt });
    },
    list,
    async listOf(user, now) {
      const found = await list(user.id, now);
      // Checked last: what was read before then belongs to the user as seen.
      return (await seen.is(db, user)) ? found : null;
    },
    end: ({ userId, which, now, by }) => changeAccess(by, now, (tx) => end(tx, { userId, which, now })),
    endOf: ({ user, which, now, by }) =>
      changeAccess(by, now, async (tx) =>
        (await seen.stays(tx, user)) ? end(tx, { userId: user.id, which, now }) : null,
      ),
    async removeExpired(now) {
      await db.writeOne(expired, { now });
    },
  };
};
