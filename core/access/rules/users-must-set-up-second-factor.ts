import type { Role } from "../../permissions.ts";

/** The users who must have a second factor. */
export const SECOND_FACTOR_RULES = ["none", "super_admin", "all"] as const;
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number];

/** True for a signed-in user who must set up a second factor before doing anything else. */
export const usersMustSetUpSecondFactor = (
  rule: SecondFactorRule,
  { user, secondFactor }: { readonly user: { readonly role: Role }; readonly secondFactor: boolean },
): boolean => !secondFactor && (rule === "all" || (rule === "super_admin" && user.role === "super_admin"));
