import { describe, expect, test } from "bun:test";
import { dealersKeyMayNotChangeActiveOfDealer } from "../../../../core/access/rules/dealers-key-may-not-change-active-of-dealer.ts";
import { causeOf } from "../../use-cases.ts";

const CHANGES: readonly (readonly [string, scope: number | null, before: 0 | 1, after: 0 | 1, allowed: boolean])[] = [
  ["a bound caller that sends what is there", 7, 1, 1, true],
  ["a bound caller that sends what is there, of an inactive dealer", 7, 0, 0, true],
  ["a bound caller that deactivates", 7, 1, 0, false],
  ["a bound caller that activates", 7, 0, 1, false],
  ["an unbound caller that deactivates", null, 1, 0, true],
  ["an unbound caller that activates", null, 0, 1, true],
];
const reason = "You may not change `active` of a dealer that you are bound to";

describe("a dealer's key may not change active of its dealer", () => {
  for (const [name, scope, before, after, allowed] of CHANGES)
    test(`${name} is ${allowed ? "allowed" : "refused"}`, () => {
      const refusal = dealersKeyMayNotChangeActiveOfDealer(scope, { active: before }, { active: after });
      expect(causeOf(refusal)).toEqual(allowed ? null : { kind: "escalation", reason });
    });
});
