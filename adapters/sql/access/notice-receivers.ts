import { sql } from "kysely";
import type { NoticeReceiver } from "../../../core/keys/life.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

interface FoundReceiver {
  readonly owner_email: string | null;
  readonly user_id: number | null;
  readonly name: string | null;
  readonly email: string | null;
}

/** Whom a notice goes to: the owner of a key, or else the active user; `null` if there is neither. */
export const receiverIn = ({
  owner_email: owner,
  user_id: userId,
  name,
  email,
}: FoundReceiver): NoticeReceiver | null => {
  if (owner !== null) return { userId: null, name: "", email: owner };
  return userId === null || email === null ? null : { userId, name: name ?? "", email };
};

/** Finds whom notices go to about what a key or user made. */
export const noticeReceivers = (db: SqlDatabase) => {
  const found = sqlStatement(
    db,
    sql<FoundReceiver>`SELECT api_keys.owner_email, users.id AS user_id, users.name, users.email
      FROM (SELECT 1 AS one) AS maker
      LEFT JOIN api_keys ON api_keys.id = ${param<number | null>("key")}
      LEFT JOIN users ON users.active = 1 AND users.id = COALESCE(api_keys.user_id, ${param<number | null>("user")})`,
  );
  return async (
    tx: Sql,
    {
      actor_key_id: key,
      actor_user_id: user,
    }: { readonly actor_key_id: number | null; readonly actor_user_id: number | null },
  ): Promise<NoticeReceiver | null> => {
    const [row] = await tx.all(found, { key, user });
    return row === undefined ? null : receiverIn(row);
  };
};
