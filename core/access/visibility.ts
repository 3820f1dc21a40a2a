import { isSuperAdmin, type Powers, type Principal } from "./principal.ts";

/** Which keys, users or audit entries a caller can see (interface 5.6). It is part of every statement's WHERE. */
export type Visibility = "everything" | { readonly dealerId: number } | { readonly userId: number };

/**
 * The users that a caller sees: super-admins see all users, bound callers those of their dealer, others only
 * themselves.
 */
export const visibilityOfUsers = (caller: Powers): Visibility => {
  if (isSuperAdmin(caller)) return "everything";
  return caller.dealerId === null ? { userId: caller.userId ?? 0 } : { dealerId: caller.dealerId };
};

/**
 * The audit entries that a caller sees: super-admins see all entries, bound callers those of their dealer, others those
 * of their own actions and keys.
 */
export const visibilityOfAudit = (caller: Powers): Visibility => visibilityOfUsers(caller);

/** Nobody has this id. */
const NO_USER = 0;

/**
 * Whose changes a caller sees by name in the history of a vehicle: those that it would see in the audit log. A public
 * key is shown to everybody, so it names nobody.
 */
export const visibilityOfActors = (caller: Principal): Visibility =>
  caller.isPublic ? { userId: NO_USER } : visibilityOfAudit(caller);

/**
 * The keys that a caller sees: super-admins see all keys, a dealer's admins and keys those of the dealer, regular users
 * only their own.
 */
export const visibilityOfKeys = (caller: Powers): Visibility =>
  caller.role === "user" && !isSuperAdmin(caller) ? { userId: caller.userId ?? 0 } : visibilityOfUsers(caller);
