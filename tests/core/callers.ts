import type { Principal } from "../../core/access/principal.ts";
import { EVERY_PERMISSION, type Permission, permissionBit, type Role } from "../../core/permissions.ts";

/** A super-admin's key with every permission by default. */
export const superAdminKey = (fields: Partial<Principal> = {}): Principal => ({
  keyId: 1,
  name: "Front desk",
  via: "api",
  address: null,
  requestId: null,
  authorization: null,
  appType: "web",
  association: "none",
  permissions: EVERY_PERMISSION,
  dealerId: null,
  userId: null,
  role: null,
  rateLimit: 100,
  ...fields,
});

/** A key tied to one dealer, with every permission by default. */
export const dealerKey = (dealerId: number, fields: Partial<Principal> = {}): Principal =>
  superAdminKey({ association: "dealer", dealerId, ...fields });

/** The key of a user with this role and dealer, with every permission by default. */
export const userKey = (role: Role, dealerId: number | null, fields: Partial<Principal> = {}): Principal =>
  superAdminKey({ association: "user", role, dealerId, userId: 1, ...fields });

/** Every permission but this one. */
export const allBut = (permission: Permission): number => EVERY_PERMISSION & ~permissionBit(permission);
