import type { AppType, PermissionSet, Role } from "../permissions.ts";
import type { Association, Powers } from "./principal.ts";
import { RATE_LIMITS } from "./rate-limits.ts";

/** The fields of a user that decide what the user and the user's keys can do. */
export interface UserTraits {
  readonly role: Role;
  readonly dealerId: number | null;
  readonly permissions: PermissionSet;
}

/** The fields of a key that decide what it can do. */
export interface KeyTraits {
  readonly association: Association;
  readonly dealerId: number | null;
  /** The user of a user key. `null` for other keys, and for keys whose user was deleted. */
  readonly holder: UserTraits | null;
  readonly ownPermissions: PermissionSet;
  readonly appType: AppType;
  readonly rateLimit: number | null;
}

/** The permissions that a key acts with: its own, or those of its user. */
export const permissionsOfKey = (key: KeyTraits): PermissionSet =>
  key.association === "user" ? (key.holder?.permissions ?? 0) : key.ownPermissions;

/** The dealer that a key is bound to, directly or through its user. */
export const boundDealerOf = (key: KeyTraits): number | null =>
  key.association === "user" ? (key.holder?.dealerId ?? null) : key.dealerId;

/** The limit of a key in requests a minute: the key's own, or else that of its app type. */
export const rateLimitOfKey = (key: Pick<KeyTraits, "appType" | "rateLimit">): number =>
  key.rateLimit ?? RATE_LIMITS[key.appType];

/** The powers of a key as a caller. */
export const powersOfKey = (key: KeyTraits & { readonly userId: number | null }): Powers => ({
  association: key.association,
  permissions: permissionsOfKey(key),
  dealerId: boundDealerOf(key),
  userId: key.userId,
  role: key.holder?.role ?? null,
  rateLimit: rateLimitOfKey(key),
});

/** The powers of a signed-in user as a caller. */
export const powersOfUser = (user: UserTraits & { readonly id: number }): Powers => ({
  association: "user",
  permissions: user.permissions,
  dealerId: user.dealerId,
  userId: user.id,
  role: user.role,
  // Users have no rate limit of their own. They may give a key the default limit of any app type.
  rateLimit: Math.max(...Object.values(RATE_LIMITS)),
});

/** What a key or user can do, in a form that can be compared with the caller's powers. */
export interface Authority {
  readonly permissions: PermissionSet;
  readonly dealerId: number | null;
  readonly superAdmin: boolean;
  /**
   * True unless the key or user has the role of a regular user. Then it sees all keys of its dealer, and can activate
   * what an admin has deactivated.
   */
  readonly seesDealer: boolean;
  /** Requests a minute; `null` for users. */
  readonly rateLimit: number | null;
}

/** The authority of a key. */
export const authorityOfKey = (key: KeyTraits): Authority => ({
  permissions: permissionsOfKey(key),
  dealerId: boundDealerOf(key),
  superAdmin: key.association === "none" || key.holder?.role === "super_admin",
  seesDealer: key.association !== "user" || key.holder?.role !== "user",
  rateLimit: rateLimitOfKey(key),
});

/** The authority of a user. */
export const authorityOfUser = (user: UserTraits): Authority => ({
  permissions: user.permissions,
  dealerId: user.dealerId,
  superAdmin: user.role === "super_admin",
  seesDealer: user.role !== "user",
  rateLimit: null,
});
