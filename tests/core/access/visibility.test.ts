import { describe, expect, test } from "bun:test";
import type { Principal } from "../../../core/access/principal.ts";
import {
  type Visibility,
  visibilityOfActors,
  visibilityOfAudit,
  visibilityOfKeys,
  visibilityOfUsers,
} from "../../../core/access/visibility.ts";
import { dealerKey, superAdminKey, userKey } from "../callers.ts";

const SEVEN = { dealerId: 7 };
const FIVE = { userId: 5 };

// Interface 5.6: [caller, the keys it sees, the users and audit entries it sees].
const SEEN: readonly (readonly [string, Principal, keys: Visibility, others: Visibility])[] = [
  ["a super-admin key", superAdminKey(), "everything", "everything"],
  ["a super-admin key, whatever role it has on record", superAdminKey({ role: "user" }), "everything", "everything"],
  ["a super-admin user's key", userKey("super_admin", null), "everything", "everything"],
  ["a dealer's key", dealerKey(7), SEVEN, SEVEN],
  ["a dealer admin's key", userKey("dealer_admin", 7), SEVEN, SEVEN],
  ["a dealer's user's key", userKey("user", 7, { userId: 5 }), FIVE, SEVEN],
  ["a dealer's user who is signed in", userKey("user", 7, { userId: 5, keyId: null }), FIVE, SEVEN],
  ["an unbound user's key", userKey("user", null, { userId: 5 }), FIVE, FIVE],
  ["a dealer's key whose dealer is gone", dealerKey(0, { dealerId: null }), { userId: 0 }, { userId: 0 }],
  ["a user's key whose user is gone", userKey("user", null, { userId: null }), { userId: 0 }, { userId: 0 }],
];

describe("visibility", () => {
  for (const [name, caller, keys, others] of SEEN)
    test(`of ${name}: keys of ${JSON.stringify(keys)}, users and audit entries of ${JSON.stringify(others)}`, () => {
      expect(visibilityOfKeys(caller)).toEqual(keys);
      expect(visibilityOfUsers(caller)).toEqual(others);
      expect(visibilityOfAudit(caller)).toEqual(others);
      expect(visibilityOfActors(caller)).toEqual(others);
      // A public key is shown to everybody, so it names nobody.
      expect(visibilityOfActors({ ...caller, isPublic: true })).toEqual({ userId: 0 });
    });
});
