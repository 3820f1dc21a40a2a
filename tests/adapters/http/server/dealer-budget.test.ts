import { describe, expect, test } from "bun:test";
import { dealerBudgets } from "../../../../adapters/http/server/dealer-budget.ts";
import { dealerKey, superAdminKey } from "../../../core/callers.ts";
import { fakeClock } from "../../../support/clock.ts";

const HOUR_MS = 3_600_000;

describe("the limit that the keys of a dealer share by default", () => {
  const following = () => {
    const clock = fakeClock();
    const budgetOf = dealerBudgets(null, clock);
    const limitOf = (rateLimit: number, dealerId = 7) => budgetOf(dealerKey(dealerId, { rateLimit }))?.limit;
    return { clock, budgetOf, limitOf };
  };

  test("is ten times the largest key in use, and at least 1 000", () => {
    const { limitOf } = following();
    expect([100, 50, 300, 100].map((limit) => limitOf(limit))).toEqual([1000, 1000, 3000, 3000]);
    expect(limitOf(1, 8)).toBe(1000);
  });

  test("falls again an hour after the last request of the largest key", () => {
    const { clock, limitOf } = following();
    limitOf(5000);
    clock.advance(HOUR_MS - 1);
    expect(limitOf(200)).toBe(50_000);
    limitOf(5000);
    clock.advance(HOUR_MS - 1);
    expect(limitOf(200)).toBe(50_000);
    clock.advance(1);
    expect([limitOf(200), limitOf(100)]).toEqual([2000, 2000]);
  });

  test("is the same object while it is the same limit, and none without a dealer", () => {
    const { budgetOf } = following();
    const one = budgetOf(dealerKey(7, { rateLimit: 100 }));
    expect(budgetOf(dealerKey(7, { rateLimit: 20 }))).toBe(one);
    expect(budgetOf(superAdminKey())).toBeNull();
  });

  test("is another one for public keys, which follows the largest of these", () => {
    const { budgetOf, limitOf } = following();
    const shared = budgetOf(dealerKey(7, { rateLimit: 300 }));
    const ofPublic = budgetOf(dealerKey(7, { rateLimit: 200, isPublic: true }));
    expect([shared?.limit, ofPublic?.limit, limitOf(100)]).toEqual([3000, 2000, 3000]);
    expect(ofPublic?.subject).not.toBe(shared?.subject);
    expect(budgetOf(dealerKey(7, { rateLimit: 100, isPublic: true }))).toBe(ofPublic);
  });

  test("is the operator's own, whatever the keys' limits, if there is one", () => {
    const budgetOf = dealerBudgets(20, fakeClock());
    expect([1, 5000].map((rateLimit) => budgetOf(dealerKey(7, { rateLimit }))?.limit)).toEqual([20, 20]);
  });

  for (const operators of [null, 20])
    test(`is the dealer's own while it has one, also where the operator's is ${operators}`, () => {
      const budgetOf = dealerBudgets(operators, fakeClock());
      const own = (dealerRateLimit: number) => budgetOf(dealerKey(7, { rateLimit: 300, dealerRateLimit }));
      const service = () => budgetOf(dealerKey(7, { rateLimit: 300 }))?.limit;
      const before = service();
      const one = own(7);
      expect([one?.limit, own(8)?.limit, service()]).toEqual([7, 8, before]);
      expect(own(7)?.subject).toBe(one?.subject);
      expect(budgetOf(dealerKey(8, { rateLimit: 300 }))?.limit).toBe(before);
      expect(budgetOf(dealerKey(7, { isPublic: true, dealerRateLimit: 7 }))?.limit).toBe(7);
    });
});
