import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { RedisClient } from "bun";
import { type FallbackRateLimiter, openFallbackRateLimiter } from "../../../adapters/rate-limit/fallback.ts";
import { connectRedisRateLimiter } from "../../../adapters/rate-limit/redis.ts";
import { type FakeClock, fakeClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { NO_REDIS, type Redis, startRedis } from "../../support/redis.ts";
import { timerTurns } from "../../support/timer-turns.ts";

setDefaultTimeout(300_000);

const LIMIT = 300;
const SHORT_MS = 100;
/** Longer than a request waits for the store, and shorter than a pause may last. */
const PAUSE_MS = 300;
/** Longer than a pause may last. */
const LONG_MS = 400;

describe.skipIf(NO_REDIS)("three instances whose Redis pauses", () => {
  let redis: Redis;
  let limiters: FallbackRateLimiter[];
  let events: string[][];
  let clock: FakeClock;

  const open = (words: string[]): Promise<FallbackRateLimiter> =>
    openFallbackRateLimiter({
      connect: () => connectRedisRateLimiter(redis.url, clock, clock),
      clock,
      onPaused: () => void words.push("paused"),
      onResumed: () => void words.push("resumed"),
      onLost: () => void words.push("lost"),
      onRegained: () => void words.push("regained"),
    });

  beforeEach(async () => {
    clock = fakeClock();
    redis = await startRedis();
    events = [[], [], []];
    limiters = await Promise.all(events.map(open));
  });
  afterEach(async () => {
    for (const limiter of limiters) limiter.close();
    await redis.kill();
  });

  const at = (index: number): FallbackRateLimiter => limiters[index % limiters.length] as FallbackRateLimiter;

  /** Sends this many requests at once, spread over the instances, and returns how many were admitted. */
  const burst = async (requests: number, subject: string, limit = LIMIT, to = at): Promise<number> => {
    const taken = await Promise.all(
      Array.from({ length: requests }, async (_, index) => to(index).take(subject, limit)),
    );
    return taken.filter(({ admitted }) => admitted).length;
  };

  const untilReported = (word: string): Promise<string[][]> =>
    eventually(
      () => events,
      (all) => all.every((words) => words.includes(word)),
    );

  /** The requests that Redis has counted for a subject. */
  const counted = async (subject: string): Promise<number> => {
    const client = new RedisClient(redis.url);
    const current = await client.hget(`vehicle-inventory:rate:${subject}`, "current");
    client.close();
    return Number(current);
  };

  /**
   * Stops Redis and sends requests to each instance until it has noticed. Returns how many were sent, and how many
   * admitted.
   */
  const pausedAll = async (subject: string): Promise<{ asked: number; admitted: number }> => {
    redis.stall();
    const answers = burst(limiters.length, subject);
    clock.advance(PAUSE_MS);
    const admitted = await answers;
    await untilReported("paused");
    return { asked: limiters.length, admitted };
  };

  for (const [name, pause] of Object.entries({
    "is stopped": async () => {
      redis.stall();
      clock.advance(SHORT_MS);
      await timerTurns(10, 10);
      redis.resume();
    },
    "makes its clients wait": async () => {
      const client = new RedisClient(redis.url);
      await client.send("CLIENT", ["PAUSE", String(SHORT_MS), "ALL"]);
      client.close();
    },
  }))
    test(`lose nothing if Redis ${name} for a tenth of a second`, async () => {
      const admitted = Promise.all([burst(300, "burst"), pause(), burst(600, "burst")]);
      const [before, , during] = await admitted;
      expect(before + during).toBe(LIMIT);
      expect(events).toEqual([[], [], []]);
    });

  test("refuse an exhausted key during the pause, if they know of it", async () => {
    expect(await burst(600, "used up")).toBe(LIMIT);
    expect(await burst(limiters.length, "used up")).toBe(0);
    expect((await pausedAll("used up")).admitted).toBe(0);
    expect(await burst(900, "used up")).toBe(0);
    redis.resume();
    await untilReported("resumed");
    expect(await burst(300, "used up")).toBe(0);
    expect(events).toEqual([
      ["paused", "resumed"],
      ["paused", "resumed"],
      ["paused", "resumed"],
    ]);
  });

  test("admit at most the requests that arrive during the pause, and count them for all afterwards", async () => {
    const before = await burst(200, "some left");
    const { asked, admitted } = await pausedAll("some left");
    const during = await burst(60, "some left");
    redis.resume();
    await untilReported("resumed");
    const after = await burst(600, "some left");
    expect(before).toBe(200);
    expect(before + admitted + during + after).toBeLessThanOrEqual(LIMIT + asked + 60);
    expect(before + admitted + during + after).toBeGreaterThanOrEqual(LIMIT);
  });

  test("share after the pause what one of them let pass, without another request to that one", async () => {
    await burst(3, "merged");
    const { admitted } = await pausedAll("merged");
    const alone = await burst(50, "merged", LIMIT, () => at(0));
    expect([admitted, alone]).toEqual([3, 50]);
    redis.resume();
    await untilReported("resumed");
    await eventually(
      () => counted("merged"),
      (count) => count === 56,
    );
    expect((await at(1).take("merged", LIMIT)).remaining).toBe(LIMIT - 57);
  });

  test("give their counts to a Redis that comes back empty", async () => {
    expect(await burst(600, "forgotten")).toBe(LIMIT);
    await redis.kill();
    await burst(3, "forgotten");
    await redis.start();
    await untilReported("regained");
    expect(await burst(600, "forgotten")).toBe(0);
  });

  test("report a long pause as a loss, and count what passed once Redis is back", async () => {
    const { admitted } = await pausedAll("lost");
    clock.advance(LONG_MS);
    await untilReported("lost");
    const during = await burst(30, "lost", 30, () => at(0));
    redis.resume();
    await untilReported("regained");
    expect(events[0]).toEqual(["paused", "lost", "regained"]);
    await eventually(
      () => counted("lost"),
      (count) => count >= during + admitted,
    );
  });
});
