import { expect, test } from "bun:test";
import fc from "fast-check";
import { authorityOfKey, authorityOfUser } from "../../../../core/access/authority.ts";
import type { Principal } from "../../../../core/access/principal.ts";
import { nobodyHandsOutMoreThanTheyHold } from "../../../../core/access/rules/nobody-hands-out-more-than-they-hold.ts";
import { credentialOf } from "../../../../core/keys/credentials.ts";
import type { KeyRecord } from "../../../../core/keys/key.ts";
import { ACTIONS, EVERY_PERMISSION, permissionSet } from "../../../../core/permissions.ts";
import { userKey } from "../../callers.ts";
import { anyKey, dealerKeyRecord, holder, userKeyRecord } from "../../keys/key-records.ts";
import { excess, powerOf } from "../../keys/power.ts";

const callers = anyKey
  .map((key) => credentialOf(key, "", null)?.principal)
  .filter((principal): principal is Principal => principal !== undefined);

/** The principal of a key once it and its user are active: what a holder of its secret may gain. */
const awakened = (key: KeyRecord): Principal | null =>
  credentialOf({ ...key, holder: key.holder && { ...key.holder, active: true } }, "", null)?.principal ?? null;

const mayTouch = (caller: Principal, key: KeyRecord): boolean =>
  nobodyHandsOutMoreThanTheyHold(caller, authorityOfKey(key)) === null;

const RUNS = { numRuns: 1000 };

test("no caller hands out or changes a key that exceeds it in any part", () => {
  fc.assert(
    fc.property(callers, anyKey, (caller, key) => {
      const target = awakened(key);
      fc.pre(target !== null && mayTouch(caller, key));
      expect(excess(powerOf(target), powerOf(caller))).toEqual([]);
    }),
    RUNS,
  );
});

for (const resource of ["keys", "users", "audit"] as const)
  for (const action of ACTIONS)
    test(`no caller hands out a key that sees more with ${resource}:${action} than the caller does`, () => {
      // The narrowest case: a user without a dealer sees only its own records, a dealer's key all of the dealer's.
      const caller = userKey("user", null);
      const key = dealerKeyRecord(7, { ownPermissions: permissionSet([`${resource}:${action}`]) });
      expect(excess(powerOf(awakened(key) ?? caller), powerOf(caller))).toContain(`${resource} seen`);
      expect(mayTouch(caller, key)).toBe(false);
    });

test("no caller is refused a key that exceeds it in no part", () => {
  fc.assert(
    fc.property(callers, anyKey, (caller, key) => {
      const target = awakened(key);
      fc.pre(target !== null && excess(powerOf(target), powerOf(caller)).length === 0);
      expect(mayTouch(caller, key)).toBe(true);
    }),
    RUNS,
  );
});

test("every caller may change its own key", () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      const caller = credentialOf(key, "", null)?.principal;
      fc.pre(caller !== undefined);
      expect(mayTouch(caller, key)).toBe(true);
    }),
    RUNS,
  );
});

test("anything a caller may hand out may also be handed out with fewer pairs or a lower rate limit", () => {
  const pairs = fc.integer({ min: 0, max: EVERY_PERMISSION });
  fc.assert(
    fc.property(callers, anyKey, pairs, (caller, key, kept) => {
      fc.pre(mayTouch(caller, key));
      const user = key.holder && { ...key.holder, permissions: key.holder.permissions & kept };
      expect(mayTouch(caller, { ...key, ownPermissions: key.ownPermissions & kept, holder: user })).toBe(true);
      expect(mayTouch(caller, { ...key, rateLimit: 1 })).toBe(true);
    }),
    RUNS,
  );
});

test("no chain of keys gains anything", () => {
  fc.assert(
    fc.property(callers, anyKey, anyKey, (caller, first, second) => {
      const middle = awakened(first);
      fc.pre(middle !== null && mayTouch(caller, first) && mayTouch(middle, second));
      expect(mayTouch(caller, second)).toBe(true);
    }),
    RUNS,
  );
});

test("a user's authority equals that of the user's key, except for the rate limit", () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      fc.pre(key.holder !== null);
      expect(authorityOfKey(key)).toEqual({ ...authorityOfUser(key.holder), rateLimit: authorityOfKey(key).rateLimit });
    }),
  );
});

test("a user key without its user can do nothing, whatever pairs and dealer are stored for it", () => {
  const orphan = authorityOfKey(userKeyRecord(null, { ownPermissions: EVERY_PERMISSION, dealerId: 7 }));
  expect(orphan).toMatchObject({ permissions: 0, dealerId: null, superAdmin: false });
  expect(authorityOfKey(userKeyRecord(holder({ role: "super_admin" }))).superAdmin).toBe(true);
});
