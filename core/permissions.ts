import { type ResourceWith, resourcesWith } from "./resources.ts";

/** The resources that permissions apply to (interface 2.6). */
export const RESOURCES = resourcesWith("permitted");
/** The actions that permissions allow. */
export const ACTIONS = ["read", "write", "delete"] as const;

export type Resource = ResourceWith<"permitted">;
export type Action = (typeof ACTIONS)[number];
export type Permission = `${Resource}:${Action}`;

/** The kinds of application that keys are made for (interface 2.4). */
export const APP_TYPES = ["web", "desktop", "mobile"] as const;
export type AppType = (typeof APP_TYPES)[number];

/** The roles of users, highest first. */
export const ROLES = ["super_admin", "dealer_admin", "user"] as const;
export type Role = (typeof ROLES)[number];

/** Every permission, in the order of the bits of a stored PermissionSet. Append only; never change the order. */
const PERMISSIONS: readonly Permission[] = RESOURCES.flatMap((resource) =>
  ACTIONS.map((action): Permission => `${resource}:${action}`),
);

/** A set of permissions as one integer, so that checking, adding and removing are single operations, also in SQL. */
export type PermissionSet = number;

/** The bit of one permission. */
export const permissionBit = (permission: Permission): PermissionSet => 1 << PERMISSIONS.indexOf(permission);

/** The set of these permissions. */
export const permissionSet = (permissions: readonly Permission[]): PermissionSet =>
  permissions.reduce((set, permission) => set | permissionBit(permission), 0);

/** The permissions in a set, in their fixed order. */
export const permissionsOf = (set: PermissionSet): Permission[] =>
  PERMISSIONS.filter((permission) => (set & permissionBit(permission)) !== 0);

export const holds = (set: PermissionSet, permission: Permission): boolean => (set & permissionBit(permission)) !== 0;

/** True if `held` contains every permission in `wanted`. */
export const covers = (held: PermissionSet, wanted: PermissionSet): boolean => (wanted & ~held) === 0;

export const EVERY_PERMISSION = permissionSet(PERMISSIONS);

/** The permissions that a new key gets from its app type (interface 5.4). */
export const DEFAULT_PERMISSIONS: Readonly<Record<AppType, PermissionSet>> = {
  web: permissionSet(["vehicles:read"]),
  desktop: permissionSet(["vehicles:read", "vehicles:write", "dealers:read", "dealers:write"]),
  mobile: permissionSet(["vehicles:read", "dealers:read"]),
};

/** The permissions of a new user if none are given. */
export const ROLE_PERMISSIONS: Readonly<Record<Role, PermissionSet>> = {
  super_admin: EVERY_PERMISSION,
  dealer_admin: permissionSet([
    "vehicles:read",
    "vehicles:write",
    "vehicles:delete",
    "keys:read",
    "keys:write",
    "keys:delete",
    "dealers:read",
    "dealers:write",
    "users:read",
    "users:write",
    "audit:read",
    "feeds:read",
    "feeds:write",
    "feeds:delete",
    "webhooks:read",
    "webhooks:write",
    "webhooks:delete",
  ]),
  user: permissionSet(["vehicles:read", "dealers:read", "keys:read"]),
};

/** A permission as clients see it. */
export interface PermissionPair {
  readonly resource: Resource;
  readonly action: Action;
}

export const setOfPairs = (pairs: readonly PermissionPair[]): PermissionSet =>
  permissionSet(pairs.map(({ resource, action }): Permission => `${resource}:${action}`));

export const pairsOfSet = (set: PermissionSet): PermissionPair[] =>
  RESOURCES.flatMap((resource) =>
    ACTIONS.filter((action) => holds(set, `${resource}:${action}`)).map((action) => ({ resource, action })),
  );
