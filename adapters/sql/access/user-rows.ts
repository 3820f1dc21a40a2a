import { sql } from "kysely";
import type { UserRecord } from "../../../core/users/user.ts";
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
