import type { Role } from "../../../core/access/permissions.ts";
import type { UserRecord } from "../../../core/users/user.ts";

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
export interface UserRow {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly dealer_id: number | null;
  readonly permissions: number;
  readonly active: number;
  readonly ended_by: Role | null;
  readonly created_at: string;
  readonly updated_at: string;
}

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
