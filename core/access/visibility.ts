import { isSuperAdmin, type Powers } from "./principal.ts";

/** Which keys, users or audit entries a caller sees (interface 5.6). Goes into the WHERE of every statement. */
export type Visibility = "everything" | { readonly dealerId: number } | { readonly userId: number };

/** The users a caller sees: super-admins all, bound callers their dealer's, others themselves. */
export const visibilityOfUsers = (caller: Powers): Visibility => {
  if (isSuperAdmin(caller)) return "everything";
  return caller.dealerId === null ? { userId: caller.userId ?? 0 } : { dealerId: caller.dealerId };
};

/** The audit entries a caller sees: super-admins all, bound callers their dealer's, others what they and their keys did. */
export const visibilityOfAudit = (caller: Powers): Visibility => visibilityOfUsers(caller);

/** The keys a caller sees: super-admins all, a dealer's admins and keys that dealer's, a regular user its own. */
export const visibilityOfKeys = (caller: Powers): Visibility =>
  caller.role === "user" && !isSuperAdmin(caller) ? { userId: caller.userId ?? 0 } : visibilityOfUsers(caller);
