import {
  ACTIONS,
  holds,
  type Permission,
  type PermissionSet,
  RESOURCES,
  type Resource,
  setOfPairs,
} from "../../../core/access/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import type { KeyDraft } from "./key-draft.ts";

/** What a key will be able to do, and whose records it will see. */
export interface KeyEffect {
  readonly permissions: PermissionSet;
  /** The dealer it is bound to; `null` for none. */
  readonly dealerId: number | null;
  readonly isSuperAdmin: boolean;
  /** The user whose key it is. */
  readonly user: PresentedUser | null;
  /** What was asked for and the one who asks does not hold: the service refuses it. */
  readonly beyond: PermissionSet;
}

/** The dealer to which everything the user makes belongs; `null` for those who may choose. */
export const bindingOf = (user: PresentedUser): number | null => (user.role === "super_admin" ? null : user.dealer_id);

/** What the key of this draft will amount to, made by `creator`; the service has the last word. */
export const effectOf = (draft: KeyDraft, creator: PresentedUser, users: readonly PresentedUser[]): KeyEffect => {
  const user = draft.association === "user" ? (users.find(({ id }) => String(id) === draft.user_id) ?? null) : null;
  const asked = draft.association === "user" ? setOfPairs(user?.permissions ?? []) : draft.permissions;
  const chosen = Number(draft.dealer_id) || null;
  return {
    permissions: asked,
    dealerId:
      draft.association === "user"
        ? (user?.dealer_id ?? null)
        : draft.association === "none"
          ? null
          : (bindingOf(creator) ?? chosen),
    isSuperAdmin: draft.association === "none" || user?.role === "super_admin",
    user,
    beyond: asked & ~setOfPairs(creator.permissions),
  };
};

/** What a key bound to a dealer may not do whatever its permissions, as the policy has it. */
const NEVER_WHEN_BOUND: readonly Permission[] = ["dealers:delete"];

/** The actions that will take effect on a resource. */
export const actionsOn = (effect: KeyEffect, resource: Resource) =>
  ACTIONS.filter((action) => {
    const permission = `${resource}:${action}` as const;
    const isNever = effect.dealerId !== null && !effect.isSuperAdmin && NEVER_WHEN_BOUND.includes(permission);
    return holds(effect.permissions & ~effect.beyond, permission) && !isNever;
  });

/** Whose records of a resource the key will see, in words. */
export const sightOf = (effect: KeyEffect, resource: Resource, dealer: string): string => {
  const { isSuperAdmin, dealerId, user } = effect;
  if (isSuperAdmin)
    return {
      vehicles: "all vehicles",
      dealers: "all dealers",
      keys: "all keys",
      users: "all users",
      audit: "every entry",
    }[resource];
  const isOwnOnly = user?.role === "user";
  switch (resource) {
    case "vehicles":
      return dealerId === null ? "all vehicles" : `vehicles of ${dealer} only`;
    case "dealers":
      return dealerId === null ? "all dealers" : `${dealer} only`;
    case "keys":
      if (isOwnOnly || dealerId === null) return user === null ? "no keys" : `keys of ${user.name} only`;
      return `keys of ${dealer} only`;
    case "users":
      if (dealerId !== null) return `users of ${dealer} only`;
      return user === null ? "no users" : `${user.name} only`;
    case "audit":
      return dealerId === null ? "its own doings only" : `entries of ${dealer} only`;
  }
};

/** Resources on which the key will be able to do something. */
export const reachedResources = (effect: KeyEffect): Resource[] =>
  RESOURCES.filter((resource) => actionsOn(effect, resource).length > 0);
