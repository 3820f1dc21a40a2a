import { EVERY_PERMISSION } from "../../../core/permissions.ts";
import type { UserRecord } from "../../../core/users/user.ts";

export const NOW = "2026-06-01T00:00:00.000Z";

/** A stored user; by default a regular one of dealer 1, with every permission. */
export const person = (fields: Partial<UserRecord> = {}): UserRecord => ({
  id: 5,
  name: "Kim",
  email: "kim@harbor.example.com",
  role: "user",
  dealerId: 1,
  permissions: EVERY_PERMISSION,
  active: true,
  endedBy: null,
  invited: false,
  createdAt: NOW,
  updatedAt: NOW,
  ...fields,
});
