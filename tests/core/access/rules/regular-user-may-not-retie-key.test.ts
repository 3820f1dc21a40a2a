import { describe, expect, test } from "bun:test";
import { regularUserMayNotRetieKey } from "../../../../core/access/rules/regular-user-may-not-retie-key.ts";
import type { Role } from "../../../../core/permissions.ts";
import { causeOf } from "../../use-cases.ts";

const USERS_KEY = { dealerId: null, userId: 5 };
const DEALERS_KEY = { dealerId: 7, userId: null };

type Ties = typeof USERS_KEY | typeof DEALERS_KEY;
const CHANGES: readonly (readonly [string, Role | null, before: Ties, after: Ties, allowed: boolean])[] = [
  ["a regular user who leaves a user's key as it is", "user", USERS_KEY, { ...USERS_KEY }, true],
  ["a regular user who leaves a dealer's key as it is", "user", DEALERS_KEY, { ...DEALERS_KEY }, true],
  ["a regular user who names another user", "user", USERS_KEY, { ...USERS_KEY, userId: 6 }, false],
  ["a regular user who names another dealer", "user", DEALERS_KEY, { ...DEALERS_KEY, dealerId: 8 }, false],
  ["a dealer's admin who names another user", "dealer_admin", USERS_KEY, { ...USERS_KEY, userId: 6 }, true],
  ["a super-admin who names another dealer", "super_admin", DEALERS_KEY, { ...DEALERS_KEY, dealerId: 8 }, true],
  ["a key without a user that names a user", null, DEALERS_KEY, USERS_KEY, true],
];
const reason = "You may not change the dealer or user that a key is tied to";

describe("a regular user may not retie a key", () => {
  for (const [name, role, before, after, allowed] of CHANGES)
    test(`${name} is ${allowed ? "allowed" : "refused"}`, () => {
      expect(causeOf(regularUserMayNotRetieKey({ role }, before, after))).toEqual(
        allowed ? null : { kind: "escalation", reason },
      );
    });
});
