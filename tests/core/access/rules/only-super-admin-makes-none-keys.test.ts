import { describe, expect, test } from "bun:test";
import type { Association, Principal } from "../../../../core/access/principal.ts";
import { onlySuperAdminMakesNoneKeys } from "../../../../core/access/rules/only-super-admin-makes-none-keys.ts";
import { dealerKey, superAdminKey, userKey } from "../../callers.ts";
import { causeOf } from "../../use-cases.ts";

const ASKED: readonly (readonly [string, Principal, asked: Association | undefined, allowed: boolean])[] = [
  ["a super-admin key, a none key", superAdminKey(), "none", true],
  ["a super-admin user, a none key", userKey("super_admin", null), "none", true],
  ["a dealer's key, a none key", dealerKey(7), "none", false],
  ["a dealer's admin, a none key", userKey("dealer_admin", 7), "none", false],
  ["an unbound user, a none key", userKey("user", null), "none", false],
  ["a dealer's key, a dealer's key", dealerKey(7), "dealer", true],
  ["a regular user, a user key", userKey("user", 7), "user", true],
  ["a dealer's key, a key of whatever association", dealerKey(7), undefined, true],
];
const reason = "Only a super-admin may make a key without a dealer or user";

describe("only a super-admin makes none keys", () => {
  for (const [name, caller, asked, allowed] of ASKED)
    test(`${name}: ${allowed ? "allowed" : "refused"}`, () => {
      expect(causeOf(onlySuperAdminMakesNoneKeys(caller, asked))).toEqual(
        allowed ? null : { kind: "escalation", reason },
      );
    });
});
