import { describe, expect, test } from "bun:test";
import { admit, type DealerScope, decide, scopeOf } from "../../../core/access/decide.ts";
import { DEFAULT_PERMISSIONS, permissionSet } from "../../../core/access/permissions.ts";
import type { Operation } from "../../../core/access/policy.ts";
import { isSuperAdmin, OPERATOR, type Principal } from "../../../core/access/principal.ts";
import { Failure } from "../../../core/failure.ts";
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

describe("the decision on one dealer's record", () => {
  for (const [name, caller, scope] of CALLERS)
    for (const { operation, bound } of SPECIFIED)
      test(`${name}: ${operation}`, () => {
        const never = scope !== null && bound === "never" ? new Failure({ kind: "never-for-bound-keys" }) : null;
        const allowed = { ...caller, permissions: superAdminKey().permissions };
        for (const subject of ["vehicle", "dealer"] as const) {
          expect(decide(allowed, operation, { subject, dealerId: OWN })).toEqual(never);
          expect(decide(allowed, operation, { subject, dealerId: OTHER })).toEqual(
            never ?? (scope === null ? null : foreign(subject)),
          );
        }
      });
});

// Interface 5.5, cell by cell, for records of a dealer: [operation, unbound key, own record, another dealer's record].
const CELLS: readonly (readonly [Operation, "allowed", "allowed", "refused"])[] = [
  ["vehicle.read", "allowed", "allowed", "refused"],
  ["vehicle.update", "allowed", "allowed", "refused"],
  ["vehicle.delete", "allowed", "allowed", "refused"],
];

test("read, update and delete of a vehicle: any for an unbound key, only its own for a bound one", () => {
  const verdict = (caller: Principal, operation: Operation, dealerId: number) =>
    decide(caller, operation, { subject: "vehicle", dealerId }) === null ? "allowed" : "refused";
  expect(
    CELLS.map(([operation]) => [
      operation,
      verdict(superAdminKey(), operation, OTHER),
      verdict(dealerKey(OWN), operation, OWN),
      verdict(dealerKey(OWN), operation, OTHER),
    ]),
  ).toEqual(CELLS.map((cells) => [...cells]));
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
