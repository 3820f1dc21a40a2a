import { powersOfUser, type UserTraits } from "../../../core/access/authority.ts";
import { scopeOf } from "../../../core/access/decide.ts";
import { setOfPairs } from "../../../core/access/permissions.ts";
import type { Powers } from "../../../core/access/principal.ts";
import type { PresentedUser } from "../../../core/users/user.ts";

/** What of a presented user the rules of access ask for. */
export const traitsOf = (user: PresentedUser): UserTraits & { readonly id: number } => ({
  id: user.id,
  role: user.role,
  dealerId: user.dealer_id,
  permissions: setOfPairs(user.permissions),
});

/** The user as a caller, for the rules of access. */
export const powersOf = (user: PresentedUser): Powers => powersOfUser(traitsOf(user));

/** The dealer to which everything the user makes belongs; `null` for those who may choose. */
export const bindingOf = (user: PresentedUser): number | null => scopeOf(powersOf(user));
