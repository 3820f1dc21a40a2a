import { describe, expect, test } from "bun:test";
import type { UserTraits } from "../../../../core/access/authority.ts";
import type { Principal } from "../../../../core/access/principal.ts";
import { callerMustManageUserOfKey } from "../../../../core/access/rules/caller-must-manage-user-of-key.ts";
import { dealerKey, superAdminKey, userKey } from "../../callers.ts";
import { holder } from "../../keys/key-records.ts";
import { causeOf } from "../../use-cases.ts";

const seen = holder({ dealerId: 7 });
const admin = userKey("dealer_admin", 7);
const regular = userKey("user", 7, { userId: 5 });

const MANAGED: readonly (readonly [string, Principal, userId: number, UserTraits | null, allowed: boolean])[] = [
  ["a super-admin: any user it sees", superAdminKey(), 5, holder(), true],
  ["a super-admin: a user who does not exist", superAdminKey(), 5, null, false],
  ["a dealer's admin: a user it sees", admin, 5, seen, true],
  ["a dealer's admin: a user it does not see", admin, 5, null, false],
  ["a dealer's key: a user it sees", dealerKey(7), 5, seen, true],
  ["a regular user: itself", regular, 5, seen, true],
  ["a regular user: a colleague it sees", regular, 6, seen, false],
];
const reason = "You may not manage keys of this user";

describe("tying a key to a user", () => {
  for (const [name, caller, userId, user, allowed] of MANAGED)
    test(`${name} is ${allowed ? "allowed" : "refused"}`, () => {
      expect(causeOf(callerMustManageUserOfKey(caller, userId, user))).toEqual(
        allowed ? null : { kind: "escalation", reason },
      );
    });
});
