import {
  type PermissionSet,
  pairsOfSet,
  ROLE_PERMISSIONS,
  ROLES,
  type Role,
  setOfPairs,
} from "../../../core/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { numberOrText } from "../forms/draft.ts";

/** A user as the form holds it. */
export interface UserDraft {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly dealer_id: string;
  readonly permissions: PermissionSet;
}

/** The form of a new user, with no more permissions than the inviting user may grant. */
export const emptyUser = (creator: PresentedUser): UserDraft => ({
  name: "",
  email: "",
  role: "user",
  dealer_id: "",
  permissions: ROLE_PERMISSIONS.user & setOfPairs(creator.permissions),
});

/** The form of an existing user. */
export const draftOfUser = (user: PresentedUser): UserDraft => ({
  name: user.name,
  email: user.email,
  role: user.role,
  dealer_id: user.dealer_id === null ? "" : String(user.dealer_id),
  permissions: setOfPairs(user.permissions),
});

/** The request body of a draft. Names the dealer only when the signed-in user may choose it. */
export const bodyOfUser = (draft: UserDraft, mayChooseDealer: boolean) => ({
  name: draft.name,
  email: draft.email.trim(),
  role: draft.role,
  ...(mayChooseDealer && { dealer_id: draft.role === "super_admin" ? null : numberOrText(draft.dealer_id) }),
  permissions: pairsOfSet(draft.permissions),
});

/** What a changed user can access, as can anybody who knows the secret of one of their keys. */
export interface GainedAccess {
  /** True when the user can access other data than before. */
  readonly reachesOtherData: boolean;
  readonly isSuperAdmin: boolean;
  readonly dealerId: number | null;
}

const dealerOf = (draft: UserDraft): string => (draft.role === "super_admin" ? "" : draft.dealer_id);

/** The access that a change adds to a user; `null` when none. */
export const gainedAccess = (before: UserDraft, after: UserDraft): GainedAccess | null => {
  const isPromoted = ROLES.indexOf(after.role) < ROLES.indexOf(before.role);
  const mayDoMore = (after.permissions & ~before.permissions) !== 0;
  const isSuperAdmin = after.role === "super_admin";
  const reachesOtherData = dealerOf(after) !== dealerOf(before) || (isPromoted && isSuperAdmin);
  if (!isPromoted && !mayDoMore && !reachesOtherData) return null;
  return { reachesOtherData, isSuperAdmin, dealerId: Number(dealerOf(after)) || null };
};
