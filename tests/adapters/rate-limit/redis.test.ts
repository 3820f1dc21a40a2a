import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { RedisClient } from "bun";
import fc from "fast-check";
import { connectRedisRateLimiter, type SharedRateLimiter } from "../../../adapters/rate-limit/redis.ts";
import { judge, WINDOW_MS } from "../../../core/access/rate-limits.ts";
import type { Clock } from "../../../core/clock.ts";
import { rateLimiterContract } from "../../contracts/rate-limiter-contract.ts";
import { fakeClock, START_MS } from "../../support/clock.ts";
import { inGate } from "../../support/depth.ts";
import { eventually } from "../../support/eventually.ts";
import { NO_REDIS, type Redis, startRedis } from "../../support/redis.ts";
import { timerTurns } from "../../support/timer-turns.ts";

/** Waits for every answer, because its clock stands still: only the counts matter here. */
const connectPatiently = (url: string, windows?: Clock): Promise<SharedRateLimiter> =>
  connectRedisRateLimiter(url, fakeClock(), windows);

if (!NO_REDIS)
  rateLimiterContract("in Redis", async (clock) => {
    const redis = await startRedis();
    const limiter = await connectPatiently(redis.url, clock);
    return {
      limiter,
      async close() {
        limiter.close();
        await redis.kill();
      },
    };
  });

describe.skipIf(NO_REDIS)("the rate limiter in Redis", () => {
  let redis: Redis;
  let client: RedisClient;

  beforeAll(async () => {
    redis = await startRedis();
    client = new RedisClient(redis.url);
  });
  afterAll(async () => {
    client.close();
    await redis.kill();
  });

  const keyOf = (subject: string): string => `vehicle-inventory:rate:${subject}`;

  /** The minute in which the server is by its own clock. */
  const minuteOfServer = async (): Promise<number> => {
    const [seconds] = await client.send("TIME", []);
    return Math.floor((Number(seconds) * 1000) / WINDOW_MS);
  };

  test("counts by the server's clock, so that instances with different clocks agree", async () => {
    const one = await connectPatiently(redis.url);
    const other = await connectPatiently(redis.url);
    let tried = 0;
    /** How many of 300 requests are admitted, and whether a minute of the server ended meanwhile. */
    const burst = async (): Promise<readonly [admitted: number, minutes: number]> => {
      const [subject, begun] = [`shared ${++tried}`, await minuteOfServer()];
      const taken = await Promise.all(
        Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? one : other).take(subject, 100)),
      );
      return [taken.filter(({ admitted }) => admitted).length, (await minuteOfServer()) - begun];
    };
    expect(await eventually(burst, ([, minutes]) => minutes === 0)).toEqual([100, 0]);
    one.close();
    other.close();
  });

  test("lets idle subjects expire, but not before their requests have no weight any more", async () => {
    const limiter = await connectPatiently(redis.url);
    await limiter.take("idle", 10);
    const lifeMs = await client.pttl(keyOf("idle"));
    // However long the request took.
    expect(lifeMs).toBeGreaterThan(WINDOW_MS);
    expect(lifeMs).toBeLessThanOrEqual(2 * WINDOW_MS);
    limiter.close();
  });

  test("keeps one Redis key for a subject, so that it works on a cluster", async () => {
    await client.send("FLUSHALL", []);
    const clock = fakeClock();
    const limiter = await connectPatiently(redis.url, clock);
    for (let minute = 0; minute < 5; minute++) {
      await limiter.take("one key", 10);
      clock.advance(WINDOW_MS);
    }
    expect((await client.keys("*one key*")).length).toBe(1);
    limiter.close();
  });

  test("counts a request exactly if the rule of the core admits it", async () => {
    const clock = fakeClock();
    const limiter = await connectPatiently(redis.url, clock);
    const count = fc.record({
      limit: fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 2_147_483_647 })),
      share: fc.double({ min: 0, max: 1.2, noNaN: true }),
      current: fc.integer({ min: 0, max: 600 }),
      elapsedMs: fc.integer({ min: 0, max: WINDOW_MS - 1 }),
    });
    const minute = START_MS / WINDOW_MS;
    await fc.assert(
      fc.asyncProperty(count, async ({ limit, share, current, elapsedMs }) => {
        const previous = Math.floor(share * limit);
        const fields = { minute, current, previous };
        await client.send("HSET", [
          keyOf("judged"),
          ...Object.entries(fields).flatMap(([name, value]) => [name, `${value}`]),
        ]);
        clock.set(START_MS + elapsedMs);
        const judged = judge({ previous, current, elapsedMs }, limit);
        expect(await limiter.take("judged", limit)).toEqual(judged);
        expect(await client.hget(keyOf("judged"), "current")).toBe(String(current + (judged.admitted ? 1 : 0)));
      }),
      { numRuns: inGate(500, 3000) },
    );
    limiter.close();
  });

  test("waits for a silent server by its clock alone: a process that was busy for long still connects", async () => {
    redis.stall();
    const connecting = connectPatiently(redis.url);
    // Longer than it waits, by the machine's clock.
    await timerTurns(11, 100);
    redis.resume();
    const limiter = await connecting;
    expect((await limiter.take("patient", 10)).admitted).toBe(true);
    limiter.close();
  });

  test("does not connect to a server that answers something else than its four counts", async () => {
    for (const answer of [":4\r\n", "*3\r\n:1\r\n:2\r\n:3\r\n"]) {
      const server = Bun.listen({
        hostname: "127.0.0.1",
        port: 0,
        socket: {
          data: (socket, asked) =>
            void socket.write(asked.includes("HELLO") ? "%1\r\n+server\r\n+another\r\n" : answer),
        },
      });
      const connecting = connectPatiently(`redis://127.0.0.1:${server.port}`);
      await expect(connecting).rejects.toThrow("something else than counts");
      server.stop(true);
    }
  });

  test("does not connect with a wrong password, and does not reveal it", async () => {
    const url = redis.url.replace(/:[^:@]+@/, ":not-the-password@");
    const error = await connectRedisRateLimiter(url, fakeClock()).catch((reason) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(Bun.inspect(error)).not.toContain("not-the-password");
  });
});
