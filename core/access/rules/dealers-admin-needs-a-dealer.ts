import type { UserTraits } from "../authority.ts";

/** A dealer's admin whose dealer was removed may not do anything, whether signed in or with a key. `null` allows. */
export const dealersAdminNeedsADealer = ({
  role,
  dealerId,
}: Pick<UserTraits, "role" | "dealerId">): "user_without_dealer" | null =>
  role === "dealer_admin" && dealerId === null ? "user_without_dealer" : null;
