import type { AppType, PermissionSet, Role } from "./permissions.ts";
import type { Association, Powers } from "./principal.ts";
import { RATE_LIMITS } from "./rate-limits.ts";

/** What of a user decides what the user, and the user's keys, can do. */
export interface UserTraits {
  readonly role: Role;
  readonly dealerId: number | null;
  readonly permissions: PermissionSet;
}

/** What of a key decides what it can do. */
export interface KeyTraits {
  readonly association: Association;
  readonly dealerId: number | null;
  /** The user behind a user key; `null` for other keys, and when the user is gone. */
  readonly holder: UserTraits | null;
  readonly ownPermissions: PermissionSet;
  readonly appType: AppType;
  readonly rateLimit: number | null;
}

/** What a key may do: its own pairs, or its user's. */
export const permissionsOfKey = (key: KeyTraits): PermissionSet =>
  key.association === "user" ? (key.holder?.permissions ?? 0) : key.ownPermissions;

/** The dealer a key is bound to, itself or through its user. */
export const boundDealerOf = (key: KeyTraits): number | null =>
  key.association === "user" ? (key.holder?.dealerId ?? null) : key.dealerId;

/** Requests a minute: the override, or the app type's. */
export const rateLimitOfKey = (key: Pick<KeyTraits, "appType" | "rateLimit">): number =>
  key.rateLimit ?? RATE_LIMITS[key.appType];

/** What a key can do as a caller. */
export const powersOfKey = (key: KeyTraits & { readonly userId: number | null }): Powers => ({
  association: key.association,
  permissions: permissionsOfKey(key),
  dealerId: boundDealerOf(key),
  userId: key.userId,
  role: key.holder?.role ?? null,
  rateLimit: rateLimitOfKey(key),
});

/** What a signed-in user can do as a caller. */
export const powersOfUser = (user: UserTraits & { readonly id: number }): Powers => ({
  association: "user",
  permissions: user.permissions,
  dealerId: user.dealerId,
  userId: user.id,
  role: user.role,
  // Users have no rate limit of their own: they may give a key the usual limit of any app type.
  rateLimit: Math.max(...Object.values(RATE_LIMITS)),
});

/** What a key, or a user, can do: compared with what the caller can. */
export interface Authority {
  readonly permissions: PermissionSet;
  readonly dealerId: number | null;
  readonly superAdmin: boolean;
  /** True when it sees all keys of its dealer, not only its own. */
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
