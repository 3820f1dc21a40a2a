import { isSuperAdmin, type Powers } from "./principal.ts";

/** Which keys, users or audit entries a caller sees (interface 5.6). Part of every statement's WHERE. */
export type Visibility = "everything" | { readonly dealerId: number } | { readonly userId: number };

/** The users a caller sees: all for super-admins, their dealer's for bound callers, themselves for others. */
export const visibilityOfUsers = (caller: Powers): Visibility => {
  if (isSuperAdmin(caller)) return "everything";
  return caller.dealerId === null ? { userId: caller.userId ?? 0 } : { dealerId: caller.dealerId };
};

/**
 * The audit entries a caller sees: all for super-admins, their dealer's for bound callers, and for others what they and
 * their keys did.
 */
export const visibilityOfAudit = (caller: Powers): Visibility => visibilityOfUsers(caller);

/**
 * The keys a caller sees: all for super-admins, their dealer's for a dealer's admins and keys, their own for regular
 * users.
 */
export const visibilityOfKeys = (caller: Powers): Visibility =>
  caller.role === "user" && !isSuperAdmin(caller) ? { userId: caller.userId ?? 0 } : visibilityOfUsers(caller);
