import { describe, expect, test } from "bun:test";
import { memoryRateLimiter } from "../../adapters/rate-limit/memory.ts";
import { fakeClock } from "../support/clock.ts";
import { rateLimiterContract } from "./rate-limiter-contract.ts";

// The limiter has a steady clock; this one is set back to prove that even that would do no harm.
rateLimiterContract("in memory", async (clock) => ({ limiter: memoryRateLimiter({ steadyMs: clock.nowMs }) }));

describe("the memory of the rate limiter in memory", () => {
  const isFull = async (limiter: ReturnType<typeof memoryRateLimiter>, subject: string): Promise<boolean> =>
    !(await limiter.take(subject, 1)).admitted;

  test("is bounded: when full, the subject that has been idle longest makes room", async () => {
    const clock = fakeClock();
    const limiter = memoryRateLimiter(clock, 3);
    for (const subject of ["a", "b", "c"]) await limiter.take(subject, 1);
    clock.advance(60_000);
    await limiter.take("a", 1);
    await limiter.take("d", 1);
    expect(await isFull(limiter, "a")).toBe(true);
    expect(await isFull(limiter, "c")).toBe(true);
    expect(await isFull(limiter, "b")).toBe(false);
  });

  test("ignores a clock that is set back: a window ends when its time is over", async () => {
    const clock = fakeClock();
    const limiter = memoryRateLimiter(clock);
    await limiter.take("set back", 1);
    clock.set(clock.nowMs() - 3_600_000);
    expect(await isFull(limiter, "set back")).toBe(true);
    clock.advance(120_000);
    expect(await isFull(limiter, "set back")).toBe(false);
  });

  test("does not grow with the number of subjects", async () => {
    const clock = fakeClock();
    const limiter = memoryRateLimiter(clock, 1000);
    for (let subject = 0; subject < 5000; subject++) await limiter.take(`subject ${subject}`, 1);
    let known = 0;
    for (let subject = 4999; subject >= 4000; subject--) if (await isFull(limiter, `subject ${subject}`)) known++;
    expect(known).toBe(1000);
    expect(await isFull(limiter, "subject 3999")).toBe(false);
  });
});
