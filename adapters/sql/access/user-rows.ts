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

/** A row of users, with these columns. */
export type UserRow = Omit<Row<"users">, "email_folded">;

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
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
