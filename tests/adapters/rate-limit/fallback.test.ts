import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type FallbackRateLimiter, openFallbackRateLimiter } from "../../../adapters/rate-limit/fallback.ts";
import { connectRedisRateLimiter, type SharedRateLimiter } from "../../../adapters/rate-limit/redis.ts";
import { type FakeClock, fakeClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { NO_REDIS, type Redis, startRedis } from "../../support/redis.ts";

/** Longer than a request waits for the store, and than a pause may last. */
const LONG_MS = 1000;
/** Attempts to reach a lost store again, each of which fails. */
const ATTEMPTS = 2;

describe.skipIf(NO_REDIS)("the rate limiter in Redis with a fallback", () => {
  let redis: Redis;
  let limiter: FallbackRateLimiter;
  let events: string[];
  let pauses: number;
  /** How often each address was tried. */
  let tried: Map<string, number>;
  let clock: FakeClock;

  const connect = (url: string): Promise<SharedRateLimiter> => connectRedisRateLimiter(url, clock, clock);
  const open = (url: string): Promise<FallbackRateLimiter> =>
    openFallbackRateLimiter({
      connect() {
        tried.set(url, timesTried(url) + 1);
        return connect(url);
      },
      clock,
      onPaused: () => void pauses++,
      onResumed: () => {},
      onLost: () => void events.push("lost"),
      onRegained: () => void events.push("regained"),
    });

  beforeEach(async () => {
    events = [];
    pauses = 0;
    tried = new Map();
    clock = fakeClock();
    redis = await startRedis();
    limiter = await open(redis.url);
  });
  afterEach(async () => {
    limiter.close();
    await redis.kill();
  });

  /** Time passes until this is done: a silent server has its time, too. */
  const whileTimePasses = async <Value>(work: Promise<Value>): Promise<Value> => {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    await eventually(() => {
      clock.advance(LONG_MS);
      return isDone;
    }, Boolean);
    return done;
  };

  const timesTried = (url: string): number => tried.get(url) ?? 0;
  const triedMore = async (url: string): Promise<void> => {
    const wanted = timesTried(url) + ATTEMPTS;
    await eventually(() => timesTried(url) >= wanted, Boolean);
  };

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
    );

  const FAULTS: Readonly<
    Record<string, { readonly strike: () => Promise<void> | void; readonly mend: () => Promise<void> | void }>
  > = {
    "is killed": { strike: () => redis.kill(), mend: () => redis.start() },
    stalls: {
      async strike() {
        redis.stall();
        clock.advance(LONG_MS);
        await eventually(() => pauses > 0, Boolean);
        clock.advance(LONG_MS);
        await eventually(() => events.includes("lost"), Boolean);
      },
      mend: () => redis.resume(),
    },
  };

  for (const [fault, { strike, mend }] of Object.entries(FAULTS))
    test(`answers requests under way when Redis ${fault}, delays none afterwards, and uses Redis again once it is back`, async () => {
      await takeAtOnce(100, "before");
      expect(events).toEqual([]);
      const underWay = takeAtOnce(100, "under way");
      await strike();
      await underWay;
      await takeAtOnce(100, "first");
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const wanted = timesTried(redis.url) + 1;
        await eventually(async () => {
          // A stalled Redis takes connections and says nothing: each attempt has its time.
          clock.advance(LONG_MS);
          expect(await admitsAtOnce(10, "later")).toBe(true);
          return timesTried(redis.url) >= wanted;
        }, Boolean);
      }
      expect(events).toEqual(["lost"]);
      await mend();
      await regained();
      expect(events).toEqual(["lost", "regained"]);
      const other = await connect(redis.url);
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
    const limiters = await whileTimePasses(Promise.all(urls.map(open)));
    for (const opened of limiters) expect(await admitsAtOnce(100, "alone", opened)).toBe(true);
    await whileTimePasses(Promise.all(urls.map(triedMore)));
    expect(events).toEqual(["lost", "lost", "lost"]);
    for (const opened of limiters) opened.close();
    silent.stop(true);
  });

  test("reports nothing and leaves nothing running after it is closed", async () => {
    limiter.close();
    await redis.kill();
    expect((await limiter.take("closed", 5)).admitted).toBe(true);
    const before = timesTried(redis.url);
    // Another one is tried again and again meanwhile.
    const other = "redis://127.0.0.1:1";
    const another = await open(other);
    await triedMore(other);
    another.close();
    expect([timesTried(redis.url), events]).toEqual([before, ["lost"]]);
  });
});
