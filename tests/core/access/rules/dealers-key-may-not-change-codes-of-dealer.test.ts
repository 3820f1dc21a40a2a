import { describe, expect, test } from "bun:test";
import { dealersKeyMayNotChangeCodesOfDealer } from "../../../../core/access/rules/dealers-key-may-not-change-codes-of-dealer.ts";
import { causeOf } from "../../use-cases.ts";

const CHANGES: readonly (readonly [
  string,
  scope: number | null,
  before: readonly string[],
  after: readonly string[],
  allowed: boolean,
])[] = [
  ["a bound caller that sends what is there", 7, ["A", "B"], ["A", "B"], true],
  ["a bound caller that adds a code", 7, ["A"], ["A", "B"], false],
  ["a bound caller that removes a code", 7, ["A"], [], false],
  ["a bound caller that writes a code in another way", 7, ["A"], ["a"], false],
  ["an unbound caller that adds a code", null, [], ["A"], true],
];
const reason = "You may not change `codes` of a dealer that you are bound to";

describe("a dealer's key may not change the codes of its dealer", () => {
  for (const [name, scope, before, after, allowed] of CHANGES)
    test(`${name} is ${allowed ? "allowed" : "refused"}`, () => {
      const refusal = dealersKeyMayNotChangeCodesOfDealer(scope, { codes: before }, { codes: after });
      expect(causeOf(refusal)).toEqual(allowed ? null : { kind: "escalation", reason });
    });
});
