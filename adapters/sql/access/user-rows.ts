import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Visibility } from "../../../core/access/visibility.ts";
import type { UserRecord } from "../../../core/users/user.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, statementCache } from "../query/statement.ts";
import type { Row } from "../query/tables.ts";
import { kindOf, type VisibilityKind, visibilityValues } from "./visibility.ts";

/** Columns of a user's record. */
export const USER_COLUMNS = [
  "id",
  "name",
  "email",
  "role",
  "dealer_id",
  "permissions",
  "active",
  "ended_by",
  "created_at",
  "updated_at",
] as const;

/** A row of users, with these columns and WAS_INVITED. */
export type UserRow = Omit<Row<"users">, "email_folded"> & { readonly invited: 0 | 1 };

/** 1 for a user who was invited and has no password yet, or else 0. Accepted invitations are deleted. */
export const WAS_INVITED = sql<0 | 1>`CASE WHEN EXISTS (SELECT 1 FROM invitations WHERE invitations.user_id = users.id)
  AND NOT EXISTS (SELECT 1 FROM sign_in_accounts WHERE sign_in_accounts.user_id = users.id) THEN 1 ELSE 0 END`.as(
  "invited",
);

/** The record of a row. */
export const userOf = (row: UserRow): UserRecord => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  dealerId: row.dealer_id,
  permissions: row.permissions,
  active: row.active === 1,
  endedBy: row.ended_by,
  invited: row.invited === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** The WHERE condition for the users that a reader may see. */
export const IS_USER_VISIBLE: Readonly<Record<VisibilityKind, RawBuilder<SqlBool>>> = {
  everything: sql<SqlBool>`1 = 1`,
  dealer: sql<SqlBool>`dealer_id = ${param("visibleDealer")}`,
  user: sql<SqlBool>`id = ${param("visibleUser")}`,
};

/** Finds one user, within a transaction or outside; `null` if the reader may not see them. */
export const userFinding = (db: SqlDatabase) => {
  const finds = statementCache<UserRow>();
  return async (source: Sql, id: number, visibility: Visibility): Promise<UserRecord | null> => {
    const find = finds(kindOf(visibility), () =>
      db
        .selectFrom("users")
        .select([...USER_COLUMNS, WAS_INVITED])
        .where("id", "=", param("id"))
        .where(IS_USER_VISIBLE[kindOf(visibility)]),
    );
    const [row] = await source.all(find, { id, ...visibilityValues(visibility) });
    return row === undefined ? null : userOf(row);
  };
};
