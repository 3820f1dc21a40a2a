import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Visibility } from "../../../core/access/visibility.ts";
import type { UserRecord } from "../../../core/users/user.ts";
import type { Queries } from "../query/driver.ts";
import type { Row } from "../query/tables.ts";

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
export const isUserVisible = (visibility: Visibility): RawBuilder<SqlBool> =>
  visibility === "everything"
    ? sql<SqlBool>`1 = 1`
    : "dealerId" in visibility
      ? sql<SqlBool>`dealer_id = ${visibility.dealerId}`
      : sql<SqlBool>`id = ${visibility.userId}`;

/** Finds one user, within a transaction or outside; `null` if the reader may not see them. */
export const findUser = async (on: Queries, id: number, visibility: Visibility): Promise<UserRecord | null> => {
  const row = await on
    .selectFrom("users")
    .select([...USER_COLUMNS, WAS_INVITED])
    .where("id", "=", id)
    .where(isUserVisible(visibility))
    .executeTakeFirst();
  return row === undefined ? null : userOf(row);
};
