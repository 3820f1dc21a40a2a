import { SECOND_FACTOR_RULES, type SecondFactorRule } from "../core/access/rules/users-must-set-up-second-factor.ts";
import { ConfigError, type Environment } from "./config-error.ts";

/** The users who must have a second factor in the portal. */
export const secondFactorRuleOf = (environment: Environment): SecondFactorRule => {
  const text = environment.REQUIRE_SECOND_FACTOR ?? "none";
  const rule = SECOND_FACTOR_RULES.find((word) => word === text);
  if (rule === undefined)
    throw new ConfigError("REQUIRE_SECOND_FACTOR", `must be one of ${SECOND_FACTOR_RULES.join(", ")}`, "super_admin");
  return rule;
};
