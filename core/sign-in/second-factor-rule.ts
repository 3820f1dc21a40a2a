import type { SignedIn } from "./sessions.ts";

/** For whom a second factor is compulsory. */
export const SECOND_FACTOR_RULES = ["none", "super_admin", "all"] as const;
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number];

/** True for a user who has to set up a second factor before anything else. */
export const mustSetUpSecondFactor = (
  rule: SecondFactorRule,
  { user, secondFactor }: Pick<SignedIn, "user" | "secondFactor">,
): boolean => !secondFactor && (rule === "all" || (rule === "super_admin" && user.role === "super_admin"));
