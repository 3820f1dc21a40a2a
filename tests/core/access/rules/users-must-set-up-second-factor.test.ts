import { describe, expect, test } from "bun:test";
import {
  SECOND_FACTOR_RULES,
  usersMustSetUpSecondFactor,
} from "../../../../core/access/rules/users-must-set-up-second-factor.ts";
import { ROLES } from "../../../../core/permissions.ts";

/** The roles whose users must set one up under each setting. */
const MUST = { none: [], super_admin: ["super_admin"], all: ROLES } as const;

describe("a second factor", () => {
  test("is asked of nobody, of super-admins or of all", () => {
    expect(SECOND_FACTOR_RULES).toEqual(["none", "super_admin", "all"]);
  });
  for (const rule of SECOND_FACTOR_RULES)
    for (const role of ROLES) {
      const must = MUST[rule].some((asked) => asked === role);
      test(`${must ? "must be set up" : "is left to the user"} if ${rule} must have one and the role is ${role}`, () =>
        expect(usersMustSetUpSecondFactor(rule, { user: { role }, secondFactor: false })).toBe(must));
      test(`that is set up is enough if ${rule} must have one and the role is ${role}`, () =>
        expect(usersMustSetUpSecondFactor(rule, { user: { role }, secondFactor: true })).toBe(false));
    }
});
