import { admit } from "../../../core/access/decide.ts";
import type { PresentedUser } from "../../../core/users/user.ts";
import { bindingOf, powersOf } from "../session/powers.ts";

/** True if a user may read what is on a dealer's lot today. */
export const mayReadToday = (user: PresentedUser): boolean => admit(powersOf(user), "dealer.today") === null;

/** The dealer whose lot is the user's first page; `null` for users of several dealers, and of none. */
export const firstDealerOf = (user: PresentedUser): number | null => (mayReadToday(user) ? bindingOf(user) : null);
