import type { SignedIn } from "./sessions.ts";

/** The users who must have a second factor. */
export const SECOND_FACTOR_RULES = ["none", "super_admin", "all"] as const;
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number];

/** True for a user who must set up a second factor first. */
export const mustSetUpSecondFactor = (
  rule: SecondFactorRule,
  { user, secondFactor }: Pick<SignedIn, "user" | "secondFactor">,
): boolean => !secondFactor && (rule === "all" || (rule === "super_admin" && user.role === "super_admin"));
