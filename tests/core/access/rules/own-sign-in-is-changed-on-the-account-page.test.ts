import { describe, expect, test } from "bun:test";
import type { Principal } from "../../../../core/access/principal.ts";
import {
  ownEmailIsChangedOnTheAccountPage,
  ownSignInIsChangedOnTheAccountPage,
} from "../../../../core/access/rules/own-sign-in-is-changed-on-the-account-page.ts";
import { dealerKey, superAdminKey, userKey } from "../../callers.ts";
import { causeOf } from "../../use-cases.ts";

const CALLERS: readonly (readonly [string, Principal, isOwn: boolean])[] = [
  ["a user, of themselves", userKey("super_admin", null, { userId: 5, keyId: null }), true],
  ["a user's key, of its user", userKey("dealer_admin", 7, { userId: 5 }), true],
  ["a user, of another", userKey("super_admin", null, { userId: 6 }), false],
  ["a dealer's key", dealerKey(7), false],
  ["a super-admin key", superAdminKey(), false],
];

describe("users change their own sign-in on the account page", () => {
  for (const [name, caller, isOwn] of CALLERS)
    test(`${name}: ${isOwn ? "refused, and so is another address; the same address is allowed" : "allowed"}`, () => {
      const refusal = isOwn ? ({ kind: "own-account" } as const) : null;
      const before = { id: 5, email: "robin@example.com" };
      const changed = (email: string) => causeOf(ownEmailIsChangedOnTheAccountPage(caller, before, { email }));
      expect(causeOf(ownSignInIsChangedOnTheAccountPage(caller, 5))).toEqual(refusal);
      expect(changed("kim@example.com")).toEqual(refusal);
      expect(changed("robin@example.com")).toBeNull();
    });
});
