import { powersOfUser, type UserTraits } from "../../../core/access/authority.ts";
import { scopeOf } from "../../../core/access/decide.ts";
import type { Powers } from "../../../core/access/principal.ts";
import { setOfPairs } from "../../../core/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";

/** The traits of a user that the access rules need. */
export const traitsOf = (user: PresentedUser): UserTraits & { readonly id: number } => ({
  id: user.id,
  role: user.role,
  dealerId: user.dealer_id,
  permissions: setOfPairs(user.permissions),
});

/** The user's powers under the access rules. */
export const powersOf = (user: PresentedUser): Powers => powersOfUser(traitsOf(user));

/** The dealer of everything the user creates; `null` for users who may choose. */
export const bindingOf = (user: PresentedUser): number | null => scopeOf(powersOf(user));
