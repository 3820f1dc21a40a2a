import type { AppType, PermissionSet, Role } from "./permissions.ts";
import { EVERY_PERMISSION } from "./permissions.ts";

/** What a key is tied to; stored on the key, never inferred (specification 2.4). */
export const ASSOCIATIONS = ["dealer", "user", "none"] as const;
export type Association = (typeof ASSOCIATIONS)[number];

/** Who acts, for the audit log. */
export interface Actor {
  /** The acting key; `null` for the command line. */
  readonly keyId: number | null;
}

/** An authenticated caller. `dealerId` is the dealer it is bound to; `null` only for unbound callers. */
export interface Principal extends Actor {
  readonly appType: AppType;
  readonly association: Association;
  readonly permissions: PermissionSet;
  readonly dealerId: number | null;
  readonly userId: number | null;
  readonly role: Role | null;
  /** Requests a minute. */
  readonly rateLimit: number;
}

/** A `none` key or the key of a super-admin user: not bound to a dealer, sees all keys and users. */
export const isSuperAdmin = (principal: Principal): boolean =>
  principal.association === "none" || principal.role === "super_admin";

/** Who the command line acts as: whoever can run it already holds the database. */
export const OPERATOR: Principal = {
  keyId: null,
  appType: "desktop",
  association: "none",
  permissions: EVERY_PERMISSION,
  dealerId: null,
  userId: null,
  role: null,
  rateLimit: Number.MAX_SAFE_INTEGER,
};
