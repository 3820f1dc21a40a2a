import { describe, expect, test } from "bun:test";
import type { Powers } from "../../../../core/access/principal.ts";
import { feedsAreMadeByThoseWhoMayReadThem } from "../../../../core/access/rules/feeds-are-made-by-those-who-may-read-them.ts";
import type { FailureCause } from "../../../../core/failure.ts";
import { type Permission, permissionSet } from "../../../../core/permissions.ts";
import { dealerKey, superAdminKey, userKey } from "../../callers.ts";
import { causeOf } from "../../use-cases.ts";

const UNREADABLE: FailureCause = { kind: "permission-missing", needs: "vehicles:read" };
const FOREIGN: FailureCause = { kind: "foreign", subject: "dealer" };
const withOnly = (...permissions: Permission[]) => ({ permissions: permissionSet(permissions) });

// [caller, the feed's dealers, why the caller may not make it].
const CASES: readonly (readonly [string, Powers, readonly number[] | null, FailureCause | null])[] = [
  ["a dealer's key, of its dealer", dealerKey(7, withOnly("vehicles:read")), [7], null],
  ["a dealer's key that may not read", dealerKey(7, withOnly("feeds:write")), [7], UNREADABLE],
  ["a dealer's key, of another dealer", dealerKey(7, withOnly("vehicles:read")), [8], FOREIGN],
  ["a dealer's key, of another dealer as well", dealerKey(7, withOnly("vehicles:read")), [7, 8], FOREIGN],
  ["a dealer's key, of all dealers", dealerKey(7, withOnly("vehicles:read")), null, FOREIGN],
  ["a user without a dealer, of all dealers", userKey("user", null, withOnly("vehicles:read")), null, null],
  ["a user without a dealer who may not read", userKey("user", null, withOnly("feeds:write")), null, UNREADABLE],
  ["a super-admin, of all dealers", superAdminKey(withOnly("vehicles:read")), null, null],
  ["a super-admin that may not read", superAdminKey(withOnly("feeds:write")), [7], UNREADABLE],
];

describe("a feed is made, changed and read", () => {
  for (const [who, caller, dealerIds, refusal] of CASES)
    test(`by ${who}: ${refusal === null ? "allowed" : refusal.kind}`, () => {
      expect(causeOf(feedsAreMadeByThoseWhoMayReadThem(caller, dealerIds))).toEqual(refusal);
    });
});
