import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, setDefaultTimeout } from "bun:test";
import { RedisClient } from "bun";
import { type FallbackRateLimiter, openFallbackRateLimiter } from "../../../adapters/rate-limit/fallback.ts";
import { connectRedisRateLimiter, type SharedRateLimiter } from "../../../adapters/rate-limit/redis.ts";
import type { Admission } from "../../../core/access/rate-limits.ts";
import { type FakeClock, fakeClock } from "../../support/clock.ts";
import { type Redis, startRedis } from "../../support/redis.ts";
import { type Line, lineOf } from "./recorded-connection.ts";

/** Longer than a request waits for the store, and shorter than a pause may last. */
const LATE_MS = 300;
/** The time between attempts to reach a lost store. */
export const ATTEMPT_MS = 250;
/** The time between looks at a store of which nothing is asked. */
export const LOOK_MS = 1000;
/** More turns than anything takes that happens at all. */
const MAX_TURNS = 5000;
/** More subjects than are told together: the last one is told last. */
export const SUBJECTS = Array.from({ length: 150 }, (_, number) => `subject ${number}`);
const LAST = SUBJECTS.at(-1) ?? "";

/** What a test does while a limiter connects to Redis, and when it has. */
interface Steps {
  beforeConnecting: Promise<void>;
  onConnected: (line: Line) => void;
  onResumed: () => void;
}
const noSteps = (): Steps => ({ beforeConnecting: Promise.resolve(), onConnected() {}, onResumed() {} });

/**
 * A limiter with a Redis of its own and recorded connections, opened anew for each test of the surrounding `describe`.
 * Its clock and its timers stand still until a test moves them.
 */
export const limiterFixture = () => {
  setDefaultTimeout(300_000);
  let redis: Redis;
  let client: RedisClient;
  let clock: FakeClock;
  let limiter: FallbackRateLimiter;
  let attempts: number;
  const events: string[] = [];
  /** Its connections, the last one at the end. */
  const lines: Line[] = [];
  const steps = noSteps();

  const connectStore = (): Promise<SharedRateLimiter> => connectRedisRateLimiter(redis.url, clock, clock);

  beforeAll(async () => {
    redis = await startRedis();
    client = new RedisClient(redis.url);
  });
  afterAll(async () => {
    client.close();
    await redis.kill();
  });
  beforeEach(async () => {
    await client.send("FLUSHALL", []);
    jest.useFakeTimers();
    clock = fakeClock();
    attempts = 0;
    for (const list of [events, lines]) list.length = 0;
    Object.assign(steps, noSteps());
    limiter = await openFallbackRateLimiter({
      async connect() {
        attempts++;
        await steps.beforeConnecting;
        const { line, store } = lineOf(await connectStore());
        lines.push(line);
        steps.onConnected(line);
        return store;
      },
      clock,
      onPaused: () => void events.push("paused"),
      onResumed() {
        events.push("resumed");
        steps.onResumed();
      },
      onLost: () => void events.push("lost"),
      onRegained: () => void events.push("regained"),
    });
  });
  afterEach(() => {
    limiter.close();
    jest.useRealTimers();
  });

  const line = (): Line => {
    const last = lines.at(-1);
    if (last === undefined) throw new Error("it has no connection");
    return last;
  };
  /** Lets this process and Redis work until this is so. */
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    for (let turn = 0; !(await isSo()); turn++) {
      if (turn === MAX_TURNS) throw new Error(`it never happens; what happened: ${events}`);
      await client.send("PING", []);
    }
  };
  /** What would happen at once has happened. */
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await client.send("PING", []);
  };
  const ofAll = async <Answer>(answers: readonly Promise<Answer>[]): Promise<readonly Answer[]> => {
    const known: Answer[] = [];
    for (const [index, answer] of answers.entries())
      answer.then((value) => {
        known[index] = value;
      });
    await until(() => Object.keys(known).length === answers.length);
    return known;
  };
  const admittedOf = async (...answers: readonly Promise<Admission>[]) =>
    (await ofAll(answers)).map(({ admitted }) => admitted);
  const take = async (subject: string, limit = 5): Promise<Admission> => limiter.take(subject, limit);
  /** What was asked is late by now. */
  const beLate = (): void => {
    clock.advance(LATE_MS);
    jest.advanceTimersByTime(50);
  };
  const loseStore = async (): Promise<void> => {
    line().cut();
    await admittedOf(take("somebody's"));
    expect(limiter.isAlone).toBe(true);
  };
  const regain = async (): Promise<void> => {
    jest.advanceTimersByTime(ATTEMPT_MS);
    await until(() => events.at(-1) === "regained");
    expect(limiter.isAlone).toBe(false);
  };
  /** What Redis counts of a subject, in the minute before and in this one. */
  const counted = async (subject: string): Promise<readonly number[]> => {
    const stored = await client.hmget(`vehicle-inventory:rate:${subject}`, ["previous", "current"]);
    return stored.map(Number);
  };

  let letGo: () => void;
  const holdTelling = (): void => {
    letGo = line().hold();
  };
  /** Asks about the last subject while Redis is being told of the first ones. */
  const isToldBeforeAsked = async (told: object): Promise<void> => {
    const asked = take(LAST);
    expect(line().asked.slice(-2)).toMatchObject([
      { what: "report", subject: LAST, told },
      { what: "count", subject: LAST },
    ]);
    line().pass();
    letGo();
    await ofAll([asked]);
  };

  return {
    get clock() {
      return clock;
    },
    get limiter() {
      return limiter;
    },
    get attempts() {
      return attempts;
    },
    events,
    lines,
    steps,
    line,
    connectStore,
    until,
    settled,
    ofAll,
    admittedOf,
    take,
    beLate,
    loseStore,
    regain,
    counted,
    holdTelling,
    isToldBeforeAsked,
  };
};
