import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { LateAnswer, timeoutAfter } from "../../../adapters/rate-limit/timeout.ts";
import { type FakeClock, fakeClock } from "../../support/clock.ts";

const LIMIT_MS = 100;
/** How often a process looks whether an answer is late. */
const TICK_MS = 10;

describe("a wait for answers", () => {
  let clock: FakeClock;
  beforeEach(() => {
    jest.useFakeTimers();
    clock = fakeClock();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Lets the process look so many times. */
  const look = async (times: number): Promise<void> => {
    jest.advanceTimersByTime(times * TICK_MS);
    await Promise.resolve();
  };
  /** What became of an answer by now. */
  const fateOf = <Value>(answer: Promise<Value>) => {
    const fate: { now: Value | "pending" | "late" } = { now: "pending" };
    answer.then(
      (value) => {
        fate.now = value;
      },
      (error) => {
        if (error instanceof LateAnswer) fate.now = "late";
      },
    );
    return fate;
  };
  const never = () => new Promise<never>(() => {});

  test("ends at its limit, and not before", async () => {
    const wait = timeoutAfter(LIMIT_MS, clock).wait(never());
    const fate = fateOf(wait);
    clock.advance(LIMIT_MS - 1);
    await look(5);
    expect(fate.now).toBe("pending");
    clock.advance(1);
    await look(1);
    expect(fate.now).toBe("late");
  });

  test("does not end before the process has looked three times: an answer may lie there unread", async () => {
    const timeout = timeoutAfter(LIMIT_MS, clock);
    const fate = fateOf(timeout.wait(never()));
    clock.advance(10 * LIMIT_MS);
    await look(2);
    expect(fate.now).toBe("pending");
    await look(1);
    expect(fate.now).toBe("late");
  });

  test("goes on for answers that are asked for later, and looks no more when none is awaited", async () => {
    const timeout = timeoutAfter(LIMIT_MS, clock);
    const first = fateOf(timeout.wait(never()));
    clock.advance(LIMIT_MS / 2);
    await look(3);
    const [second, answered] = [fateOf(timeout.wait(never())), fateOf(timeout.wait(Promise.resolve("answer")))];
    clock.advance(LIMIT_MS / 2);
    await look(1);
    expect([first.now, second.now, answered.now]).toEqual(["late", "pending", "answer"]);
    clock.advance(LIMIT_MS / 2);
    await look(2);
    expect(second.now).toBe("late");
    expect(jest.getTimerCount()).toBe(0);
    const third = fateOf(timeout.wait(never()));
    clock.advance(LIMIT_MS);
    await look(3);
    expect(third.now).toBe("late");
  });
});
