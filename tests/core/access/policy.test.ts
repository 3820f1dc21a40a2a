import { describe, expect, test } from "bun:test";
import { admit } from "../../../core/access/decide.ts";
import { permissionSet } from "../../../core/access/permissions.ts";
import { POLICY } from "../../../core/access/policy.ts";
import { Failure } from "../../../core/failure.ts";
import { allBut, dealerKey, superAdminKey, userKey } from "../callers.ts";
import { APART, SPECIFIED, STORED_ORDER } from "./specified-policy.ts";

const BOUND_CALLERS = {
  "a dealer's key": dealerKey(7),
  "a dealer admin's key": userKey("dealer_admin", 7),
  "the key of a dealer's user": userKey("user", 7),
};

const UNBOUND_CALLERS = {
  "a super-admin key": superAdminKey(),
  "a super-admin user's key": userKey("super_admin", null),
  "the key of a user without a dealer": userKey("user", null),
};

test("the policy matches the specification, row by row, and has no other operation", () => {
  expect<unknown>(POLICY).toEqual({
    ...Object.fromEntries(SPECIFIED.map(({ operation, needs, bound }) => [operation, { needs, bound }])),
    ...APART,
  });
});

describe("permission", () => {
  for (const { operation, needs } of SPECIFIED) {
    test(`${operation} is admitted with ${needs} and with no other pair alone`, () => {
      const admitted = STORED_ORDER.filter(
        (pair) => admit(superAdminKey({ permissions: permissionSet([pair]) }), operation) === null,
      );
      expect(admitted).toEqual([needs]);
    });

    test(`${operation} is refused with every pair but ${needs}, to every caller, and names the missing one`, () => {
      for (const caller of Object.values({ ...BOUND_CALLERS, ...UNBOUND_CALLERS }))
        expect(admit({ ...caller, permissions: allBut(needs) }, operation)).toEqual(
          new Failure({ kind: "permission-missing", needs }),
        );
    });
  }

  test("a key without any pair may do none of these operations", () => {
    for (const { operation } of SPECIFIED)
      expect(admit(superAdminKey({ permissions: 0 }), operation)).toBeInstanceOf(Failure);
  });
});

describe("dealer binding", () => {
  const refusals = { never: new Failure({ kind: "never-for-bound-keys" }) };

  for (const [name, caller] of Object.entries(BOUND_CALLERS))
    for (const { operation, bound } of SPECIFIED)
      test(`${name} with every permission ${bound === "never" ? "is never admitted" : "is admitted"} to ${operation}`, () => {
        expect(admit(caller, operation)).toEqual(bound === "never" ? refusals.never : null);
      });

  for (const [name, caller] of Object.entries(UNBOUND_CALLERS))
    test(`${name} with every permission is admitted to every operation`, () => {
      expect(SPECIFIED.filter(({ operation }) => admit(caller, operation) !== null)).toEqual([]);
    });

  test("a bound key can do everything but create and deactivate a dealer", () => {
    expect(
      SPECIFIED.filter(({ operation }) => admit(dealerKey(7), operation) !== null).map((rule) => rule.operation),
    ).toEqual(["dealer.create", "dealer.deactivate"]);
  });
});
