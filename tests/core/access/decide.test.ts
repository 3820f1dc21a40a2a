import { describe, expect, test } from "bun:test";
import { admit, type DealerScope, decide, scopeOf } from "../../../core/access/decide.ts";
import type { Binding } from "../../../core/access/policy.ts";
import { isSuperAdmin, OPERATOR, type Principal } from "../../../core/access/principal.ts";
import { escalation, Failure } from "../../../core/failure.ts";
import { DEFAULT_PERMISSIONS, EVERY_PERMISSION, permissionSet } from "../../../core/permissions.ts";
import { allBut, dealerKey, superAdminKey, userKey } from "../callers.ts";
import { SPECIFIED } from "./specified-policy.ts";

const OWN = 7;
const OTHER = 8;
const foreign = (subject: "vehicle" | "dealer") => new Failure({ kind: "foreign", subject });

const CALLERS: readonly (readonly [name: string, caller: Principal, scope: DealerScope, superAdmin: boolean])[] = [
  ["a super-admin key", superAdminKey(), null, true],
  ["a super-admin key for a website", superAdminKey({ permissions: DEFAULT_PERMISSIONS.web }), null, true],
  ["the key of a super-admin user", userKey("super_admin", null), null, true],
  ["the key of a super-admin user who has a dealer on record", userKey("super_admin", OWN), null, true],
  ["the operator at the command line", OPERATOR, null, true],
  ["the key of a user without a dealer", userKey("user", null), null, false],
  ["a dealer's key", dealerKey(OWN), OWN, false],
  ["the key of a dealer's admin", userKey("dealer_admin", OWN), OWN, false],
  ["the key of a dealer's user", userKey("user", OWN), OWN, false],
];

describe("scope", () => {
  for (const [name, caller, scope, superAdmin] of CALLERS)
    test(`${name} reaches ${scope === null ? "every dealer's records" : "its own dealer's records only"}`, () => {
      expect(scopeOf(caller)).toBe(scope);
      expect(isSuperAdmin(caller)).toBe(superAdmin);
    });
});

/** Every operation by its binding. */
const OPERATIONS = Map.groupBy(SPECIFIED, ({ bound }) => bound);

/** Why a binding does not admit a caller that holds every permission; `null` if it does. */
const refusalOf = (bound: Binding, scope: DealerScope, superAdmin: boolean): Failure | null => {
  if (bound === "never") return scope === null ? null : new Failure({ kind: "never-for-bound-keys" });
  return bound === "super-admins" && !superAdmin ? escalation("Only a super-admin may do this") : null;
};

describe("the decision on one dealer's record", () => {
  for (const [name, caller, scope, superAdmin] of CALLERS)
    for (const [bound, operations] of OPERATIONS)
      test(`${name}: what is ${bound}`, () => {
        const allowed = { ...caller, permissions: EVERY_PERMISSION };
        const refused = refusalOf(bound, scope, superAdmin);
        for (const { operation } of operations) {
          expect(admit(allowed, operation)).toEqual(refused);
          for (const subject of ["vehicle", "dealer"] as const) {
            expect(decide(allowed, operation, { subject, dealerId: OWN })).toEqual(refused);
            expect(decide(allowed, operation, { subject, dealerId: OTHER })).toEqual(
              refused ?? (scope === null ? null : foreign(subject)),
            );
          }
        }
      });
});

test("super-admins bypass the dealer binding, not the permissions: an unassociated web key writes no vehicle", () => {
  const web = superAdminKey({ permissions: DEFAULT_PERMISSIONS.web });
  expect(decide(web, "vehicle.read", { subject: "vehicle", dealerId: OTHER })).toBeNull();
  expect(decide(web, "vehicle.update", { subject: "vehicle", dealerId: OTHER })).toEqual(
    new Failure({ kind: "permission-missing", needs: "vehicles:write" }),
  );
});

test("a missing permission is reported before ownership, so the answer reveals nothing about the record", () => {
  const reader = dealerKey(OWN, { permissions: allBut("vehicles:delete") });
  const missing = new Failure({ kind: "permission-missing", needs: "vehicles:delete" });
  expect(decide(reader, "vehicle.delete", { subject: "vehicle", dealerId: OWN })).toEqual(missing);
  expect(decide(reader, "vehicle.delete", { subject: "vehicle", dealerId: OTHER })).toEqual(missing);
  expect(admit(dealerKey(OWN, { permissions: permissionSet([]) }), "dealer.create")).toEqual(
    new Failure({ kind: "permission-missing", needs: "dealers:write" }),
  );
});
