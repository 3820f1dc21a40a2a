/** The state of a user's account, as one word. */
export type UserState = "invited" | "active" | "inactive";

/** The state of a user. Deactivated users are inactive; invited users have never set a password. */
export const stateOfUser = (user: { readonly active: boolean; readonly invited: boolean }): UserState => {
  if (!user.active) return "inactive";
  return user.invited ? "invited" : "active";
};
