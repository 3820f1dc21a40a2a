import { describe, expect, test } from "bun:test";
import { dealersKeyMayNotChangeRateLimitOfDealer } from "../../../../core/access/rules/dealers-key-may-not-change-rate-limit-of-dealer.ts";
import { causeOf } from "../../use-cases.ts";

const CHANGES: readonly (readonly [
  string,
  scope: number | null,
  before: number | null,
  after: number | null,
  allowed: boolean,
])[] = [
  ["a bound caller that sends what is there", 7, 20, 20, true],
  ["a bound caller that sends that there is none", 7, null, null, true],
  ["a bound caller that raises it", 7, 20, 21, false],
  ["a bound caller that lowers it", 7, 20, 19, false],
  ["a bound caller that clears it", 7, 20, null, false],
  ["a bound caller that sets one", 7, null, 20, false],
  ["an unbound caller that sets one", null, null, 20, true],
];
const reason = "You may not change `rate_limit` of a dealer that you are bound to";

describe("a dealer's key may not change the limit of its dealer", () => {
  for (const [name, scope, before, after, allowed] of CHANGES)
    test(`${name} is ${allowed ? "allowed" : "refused"}`, () => {
      const refusal = dealersKeyMayNotChangeRateLimitOfDealer(scope, { rate_limit: before }, { rate_limit: after });
      expect(causeOf(refusal)).toEqual(allowed ? null : { kind: "escalation", reason });
    });
});
