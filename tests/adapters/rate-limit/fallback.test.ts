import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type FallbackRateLimiter, openFallbackRateLimiter } from "../../../adapters/rate-limit/fallback.ts";
import { connectRedisRateLimiter } from "../../../adapters/rate-limit/redis.ts";
import { systemClock } from "../../../adapters/system/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { NO_REDIS, type Redis, startRedis } from "../../support/redis.ts";

const WAIT_MS = 30_000;
/** Long enough for several attempts to reach the store again. */
const OUTAGE_MS = 800;

describe.skipIf(NO_REDIS)("the rate limiter in Redis with a fallback", () => {
  let redis: Redis;
  let limiter: FallbackRateLimiter;
  let events: string[];

  const open = (url: string): Promise<FallbackRateLimiter> =>
    openFallbackRateLimiter({
      connect: () => connectRedisRateLimiter(url),
      clock: systemClock,
      onPaused() {},
      onResumed() {},
      onLost: () => void events.push("lost"),
      onRegained: () => void events.push("regained"),
    });

  beforeEach(async () => {
    events = [];
    redis = await startRedis();
    limiter = await open(redis.url);
  });
  afterEach(async () => {
    limiter.close();
    await redis.kill();
  });

  /** Sends this many at once; resolves when all are answered. */
  const takeAtOnce = (requests: number, subject: string, asked = limiter) =>
    Promise.all(Array.from({ length: requests }, () => asked.take(subject, 1_000_000)));

  /** True if all are admitted synchronously, without waiting for the store. */
  const admitsAtOnce = (requests: number, subject: string, asked = limiter): Promise<boolean> => {
    const admissions = takeAtOnce(requests, subject, asked);
    return Promise.race([
      admissions.then(() => true),
      new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
    ]);
  };

  const regained = () =>
    eventually(
      () => events.at(-1),
      (last) => last === "regained",
      WAIT_MS,
    );

  const FAULTS: Readonly<
    Record<string, { readonly strike: () => Promise<void> | void; readonly mend: () => Promise<void> | void }>
  > = {
    "is killed": { strike: () => redis.kill(), mend: () => redis.start() },
    stalls: { strike: () => redis.stall(), mend: () => redis.resume() },
  };

  for (const [fault, { strike, mend }] of Object.entries(FAULTS))
    test(`answers requests under way when Redis ${fault}, delays none afterwards, and uses Redis again once it is back`, async () => {
      await takeAtOnce(100, "before");
      expect(events).toEqual([]);
      const underWay = takeAtOnce(100, "under way");
      await strike();
      await underWay;
      await takeAtOnce(100, "first");
      const until = performance.now() + OUTAGE_MS;
      while (performance.now() < until) {
        expect(await admitsAtOnce(10, "later")).toBe(true);
        await Bun.sleep(20);
      }
      expect(events).toEqual(["lost"]);
      await mend();
      await regained();
      expect(events).toEqual(["lost", "regained"]);
      const other = await connectRedisRateLimiter(redis.url);
      await limiter.take("together", 10);
      expect((await other.take("together", 10)).remaining).toBe(8);
      other.close();
    });

  test("limits by itself while Redis is gone", async () => {
    await redis.kill();
    const taken = await Promise.all(Array.from({ length: 150 }, () => limiter.take("alone", 100)));
    expect(taken.filter(({ admitted }) => admitted)).toHaveLength(100);
  });

  test("survives repeated restarts", async () => {
    for (let round = 0; round < 3; round++) {
      await redis.kill();
      await takeAtOnce(20, "restarts");
      await redis.start();
      await regained();
    }
    expect(events).toEqual(["lost", "regained", "lost", "regained", "lost", "regained"]);
  });

  test("limits by itself, and says so once, without Redis, with a wrong password or at another server's port", async () => {
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const urls = ["redis://127.0.0.1:1", redis.url.replace(/:[^:@]+@/, ":wrong@"), `redis://127.0.0.1:${silent.port}`];
    const limiters = await Promise.all(urls.map(open));
    for (const opened of limiters) expect(await admitsAtOnce(100, "alone", opened)).toBe(true);
    await Bun.sleep(OUTAGE_MS);
    expect(events).toEqual(["lost", "lost", "lost"]);
    for (const opened of limiters) opened.close();
    silent.stop(true);
  });

  test("reports nothing and leaves nothing running after it is closed", async () => {
    limiter.close();
    await redis.kill();
    expect((await limiter.take("closed", 5)).admitted).toBe(true);
    await Bun.sleep(600);
    expect(events).toEqual([]);
  });
});
