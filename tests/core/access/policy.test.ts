import { describe, expect, test } from "bun:test";
import { admit } from "../../../core/access/decide.ts";
import { POLICY, permissionsNeededFor } from "../../../core/access/policy.ts";
import { isAdmitted } from "../../../core/access/use-case.ts";
import { Failure } from "../../../core/failure.ts";
import { EVERY_PERMISSION, permissionSet } from "../../../core/permissions.ts";
import { allBut, dealerKey, superAdminKey, userKey } from "../callers.ts";
import { NOT_FOR_PAGES, SPECIFIED, STORED_ORDER } from "./specified-policy.ts";

const CALLERS = [
  dealerKey(7),
  userKey("dealer_admin", 7),
  userKey("user", 7),
  superAdminKey(),
  userKey("super_admin", null),
  userKey("user", null),
];

test("the policy matches the specification, row by row, and has no other operation", () => {
  expect<unknown>(POLICY).toEqual(Object.fromEntries(SPECIFIED.map(({ operation, ...rule }) => [operation, rule])));
});

test("the permissions that the documentation names for an operation are those that it needs, its own one first", () => {
  const named = SPECIFIED.map(({ operation }) => permissionsNeededFor(operation));
  // Strictly: `toEqual` takes a list with `undefined` at its end for the same list.
  expect(named).toStrictEqual(SPECIFIED.map(({ needs, alsoNeeds }) => [needs ?? [], alsoNeeds ?? []].flat()));
});

describe("permission", () => {
  for (const { operation, needs, alsoNeeds } of SPECIFIED) {
    const others = alsoNeeds === undefined ? [] : [alsoNeeds];
    test(`${operation} is admitted with ${needs ?? "each pair"} alone, and refused to every caller without it`, () => {
      const admitted = STORED_ORDER.filter(
        (pair) => admit(superAdminKey({ permissions: permissionSet([pair, ...others]) }), operation) === null,
      );
      expect(admitted).toEqual(needs === null ? [...STORED_ORDER] : [needs]);
      const lacking = CALLERS.map((caller) => ({ ...caller, permissions: needs === null ? 0 : allBut(needs) }));
      const without = lacking.map((caller) => admit(caller, operation));
      const missing = needs === null ? null : new Failure({ kind: "permission-missing", needs });
      expect(without).toEqual(CALLERS.map(() => missing));
      expect(lacking.map((caller) => isAdmitted(caller, operation))).toEqual(lacking.map(() => missing === null));
    });

    for (const other of others)
      test(`${operation} is refused to every caller without ${other}`, () => {
        const missing = new Failure({ kind: "permission-missing", needs: other });
        expect(CALLERS.map((caller) => admit({ ...caller, permissions: allBut(other) }, operation))).toEqual(
          CALLERS.map(() => missing),
        );
      });
  }

  test("a key without any pair may do nothing but what needs none", () => {
    const admitted = SPECIFIED.filter(({ operation }) => admit(superAdminKey({ permissions: 0 }), operation) === null);
    expect(admitted.map(({ operation }) => operation).sort()).toEqual([
      "key.me",
      "settings.read",
      "vehicle.bulk",
      "vehicle.vin",
    ]);
  });

  test("a public key is refused what is not for pages, whatever it holds, and nothing else that its dealer's keys may do", () => {
    const key = dealerKey(7, { permissions: EVERY_PERMISSION });
    for (const { operation } of SPECIFIED) {
      const refused = NOT_FOR_PAGES.includes(operation) ? new Failure({ kind: "never-for-public-keys" }) : null;
      expect(admit({ ...key, isPublic: true }, operation)).toEqual(refused ?? admit(key, operation));
    }
    const without = { ...key, permissions: 0, isPublic: true };
    expect(admit(without, "vehicle.export")).toEqual(
      new Failure({ kind: "permission-missing", needs: "vehicles:read" }),
    );
  });

  test("a bound key can do everything but create and deactivate a dealer and change the settings", () => {
    const refused = SPECIFIED.filter(
      ({ operation }) => admit(dealerKey(7, { permissions: EVERY_PERMISSION }), operation) !== null,
    );
    expect(refused.map(({ operation }) => operation).sort()).toEqual([
      "dealer.create",
      "dealer.deactivate",
      "settings.update",
    ]);
  });
});
