import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, setDefaultTimeout, test } from "bun:test";
import { RedisClient } from "bun";
import { type FallbackRateLimiter, openFallbackRateLimiter } from "../../../adapters/rate-limit/fallback.ts";
import { connectRedisRateLimiter, type SharedRateLimiter } from "../../../adapters/rate-limit/redis.ts";
import { type Admission, WINDOW_MS } from "../../../core/access/rate-limits.ts";
import { type FakeClock, fakeClock } from "../../support/clock.ts";
import { NO_REDIS, type Redis, startRedis } from "../../support/redis.ts";

setDefaultTimeout(300_000);

/** Longer than a request waits for the store, and shorter than a pause may last. */
const LATE_MS = 300;
/** The time between attempts to reach a lost store. */
const ATTEMPT_MS = 250;
/** The time between looks at a store of which nothing is asked. */
const LOOK_MS = 1000;
/** More turns than anything takes that happens at all. */
const MAX_TURNS = 5000;
/** More subjects than are told together: the last one is told last. */
const SUBJECTS = Array.from({ length: 150 }, (_, number) => `subject ${number}`);
const LAST = SUBJECTS.at(-1) ?? "";

/** A connection to Redis that notes what it is asked, and can be cut, and whose answers can be held back. */
const lineOf = (real: SharedRateLimiter) => {
  let gate = Promise.resolve();
  const line = {
    asked: [] as { readonly what: "count" | "report" | "probe"; readonly subject?: string; readonly told?: object }[],
    answered: 0,
    isClosed: false,
    /** Holds the answers to what is asked from now on. Returns what lets them go. */
    hold(): () => void {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      return held.resolve;
    },
    /** Holds no answers to what is asked from now on. */
    pass() {
      gate = Promise.resolve();
    },
    cut: () => real.close(),
    reports: () => line.asked.filter(({ what }) => what === "report"),
  };
  const later = async <Answer>(asked: (typeof line.asked)[number], answer: Promise<Answer>): Promise<Answer> => {
    line.asked.push(asked);
    const held = gate;
    try {
      return await answer;
    } finally {
      line.answered++;
      await held;
    }
  };
  const store: SharedRateLimiter = {
    ...real,
    countRequest: (subject, limit) => later({ what: "count", subject }, real.countRequest(subject, limit)),
    addUnreported: (subject, told) => later({ what: "report", subject, told }, real.addUnreported(subject, told)),
    probe: () => later({ what: "probe" }, real.probe()),
    close() {
      line.isClosed = true;
      real.close();
    },
  };
  return { line, store };
};
type Line = ReturnType<typeof lineOf>["line"];

describe.skipIf(NO_REDIS)("a limiter whose Redis is late or lost", () => {
  let redis: Redis;
  let client: RedisClient;
  let clock: FakeClock;
  let limiter: FallbackRateLimiter;
  let events: string[];
  let attempts: number;
  /** Its connections, the last one at the end. */
  let lines: Line[];
  let beforeConnecting: Promise<void>;
  let onConnected: (line: Line) => void;
  let onResumed: () => void;

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
    [events, lines, attempts] = [[], [], 0];
    beforeConnecting = Promise.resolve();
    onConnected = () => {};
    onResumed = () => {};
    limiter = await openFallbackRateLimiter({
      async connect() {
        attempts++;
        await beforeConnecting;
        const { line, store } = lineOf(await connectRedisRateLimiter(redis.url, clock, clock));
        lines.push(line);
        onConnected(line);
        return store;
      },
      clock,
      onPaused: () => void events.push("paused"),
      onResumed() {
        events.push("resumed");
        onResumed();
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
  const tellsOf = (subject: string) =>
    line()
      .reports()
      .filter((one) => one.subject === subject);

  test("asks once for each request, and tells nothing that Redis knows", async () => {
    for (let request = 0; request < 3; request++) await admittedOf(take("a"));
    expect(line().asked).toEqual(Array(3).fill({ what: "count", subject: "a" }));
    expect([limiter.isAlone, events]).toEqual([false, []]);
  });

  test("goes on alone with what Redis admitted, and without what it refused", async () => {
    for (let request = 0; request < 4; request++) await admittedOf(take("a", 2));
    line().cut();
    expect(await admittedOf(take("a", 3))).toEqual([true]);
    expect(await admittedOf(take("a", 3))).toEqual([false]);
    expect(events).toEqual(["lost"]);
  });

  test("counts a late request once: as Redis did, or as one that it admitted alone", async () => {
    const other = await connectRedisRateLimiter(redis.url, clock, clock);
    for (let request = 0; request < 2; request++) await other.take("full", 2);
    other.close();
    const letGo = line().hold();
    const late = [take("full", 2), take("free")];
    beLate();
    expect(await admittedOf(...late)).toEqual([true, true]);
    expect([limiter.isAlone, events]).toEqual([true, ["paused"]]);
    expect(await admittedOf(take("free"))).toEqual([true]);
    line().pass();
    letGo();
    await until(() => events.includes("resumed"));
    expect(line().reports()).toMatchObject([
      { subject: "full", told: { unreported: 1 } },
      { subject: "free", told: { unreported: 1 } },
    ]);
    for (const [subject, requests] of [
      ["full", 3],
      ["free", 2],
    ] as const)
      await until(async () => (await counted(subject))[1] === requests);
    expect([limiter.isAlone, events]).toEqual([false, ["paused", "resumed"]]);
  });

  test("takes a late request without an answer for one that Redis has counted, if it admitted it", async () => {
    await admittedOf(take("spent", 1));
    line().cut();
    const letGo = line().hold();
    const late = [take("new"), take("spent", 1)];
    beLate();
    expect(await admittedOf(...late)).toEqual([true, false]);
    letGo();
    await until(() => events.includes("lost"));
    await regain();
    expect(line().reports()).toMatchObject([
      { subject: "spent", told: { unreported: 0, known: 1 } },
      { subject: "new", told: { unreported: 0, known: 1 } },
    ]);
  });

  for (const [ends, end] of [
    ["fails", (letGo: () => void) => letGo()],
    ["is late", beLate],
  ] as const)
    test(`is not disturbed by what was asked on a lost connection and ${ends} after there is another one`, async () => {
      const old = line();
      old.cut();
      const letGo = old.hold();
      const underWay = take("a");
      old.pass();
      await loseStore();
      await regain();
      end(letGo);
      expect(await admittedOf(underWay)).toEqual([true]);
      letGo();
      await settled();
      expect([limiter.isAlone, line().isClosed, events]).toEqual([false, false, ["lost", "regained"]]);
    });

  test("says nothing of a pause that ends after it is closed", async () => {
    const letGo = line().hold();
    const late = take("a");
    beLate();
    await admittedOf(late);
    const letGoLast = line().hold();
    letGo();
    // The request, and both questions whether Redis answers again.
    await until(() => line().answered === 3);
    limiter.close();
    letGoLast();
    await settled();
    expect(events).toEqual(["paused"]);
  });

  test("connects once at a time, and closes a connection that comes after it is closed itself", async () => {
    await loseStore();
    const connecting = Promise.withResolvers<void>();
    beforeConnecting = connecting.promise;
    for (const ms of [ATTEMPT_MS, LOOK_MS, ATTEMPT_MS]) jest.advanceTimersByTime(ms);
    await settled();
    jest.advanceTimersByTime(ATTEMPT_MS);
    expect(attempts).toBe(2);
    limiter.close();
    connecting.resolve();
    await until(() => lines.length === 2);
    await settled();
    expect([line().isClosed, events]).toEqual([true, ["lost"]]);
  });

  test("does not connect again after it is closed, whatever became of the last attempt", async () => {
    await loseStore();
    const connecting = Promise.withResolvers<void>();
    beforeConnecting = connecting.promise;
    jest.advanceTimersByTime(ATTEMPT_MS);
    limiter.close();
    connecting.reject(new Error("there is no server"));
    await settled();
    jest.advanceTimersByTime(ATTEMPT_MS);
    await settled();
    expect([attempts, events]).toEqual([2, ["lost"]]);
  });

  test("does not use a Redis that is lost while it is told what was counted", async () => {
    await ofAll(SUBJECTS.map((subject) => take(subject)));
    await loseStore();
    onConnected = (connected) => connected.cut();
    jest.advanceTimersByTime(ATTEMPT_MS);
    await until(() => line().isClosed);
    await settled();
    expect([limiter.isAlone, events]).toEqual([true, ["lost"]]);
    expect(line().reports().length).toBeLessThan(SUBJECTS.length);
    onConnected = () => {};
    await regain();
    // With the one that saw the loss.
    expect(line().reports()).toHaveLength(SUBJECTS.length + 1);
    expect(events).toEqual(["lost", "regained"]);
  });

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
  let letGo: () => void;
  const holdTelling = (): void => {
    letGo = line().hold();
  };

  test("tells a Redis that lost everything what it had counted, before it asks about that", async () => {
    await ofAll(SUBJECTS.map((subject) => take(subject)));
    await loseStore();
    onConnected = holdTelling;
    jest.advanceTimersByTime(ATTEMPT_MS);
    await until(() => !limiter.isAlone);
    await isToldBeforeAsked({ unreported: 0, known: 1 });
  });

  for (const [when, ms, told] of [
    ["in the same minute", 0, { unreported: 1, unreportedBefore: 0 }],
    ["when the next minute has begun", WINDOW_MS, { unreported: 0, unreportedBefore: 1 }],
  ] as const)
    test(`tells a Redis that paused what was admitted meanwhile, before it asks about that, ${when}`, async () => {
      const resume = line().hold();
      const late = take("late");
      beLate();
      await ofAll([late]);
      await ofAll(SUBJECTS.map((subject) => take(subject)));
      clock.advance(ms);
      onResumed = holdTelling;
      line().pass();
      resume();
      await until(() => events.includes("resumed"));
      await isToldBeforeAsked(told);
    });

  test("sees by itself that Redis is late, and that it answers again", async () => {
    const letGo = line().hold();
    jest.advanceTimersByTime(LOOK_MS);
    expect(line().asked).toEqual([{ what: "probe" }]);
    beLate();
    await until(() => events.length > 0);
    expect([limiter.isAlone, events]).toEqual([true, ["paused"]]);
    line().pass();
    letGo();
    await until(() => events.length > 1);
    expect([limiter.isAlone, events]).toEqual([false, ["paused", "resumed"]]);
  });

  test("sees by itself that Redis is lost, which is no pause", async () => {
    line().cut();
    jest.advanceTimersByTime(LOOK_MS);
    await until(() => events.length > 0);
    expect([limiter.isAlone, events]).toEqual([true, ["lost"]]);
  });

  test("tells what was given back at once, or as soon as Redis answers", async () => {
    const given = { subject: "a", told: { unreported: -1 } };
    await admittedOf(take("a"), take("a"), take("a"));
    limiter.giveBack("a");
    expect(tellsOf("a")).toMatchObject([given]);
    await until(async () => (await counted("a"))[1] === 2);
    const letGo = line().hold();
    const late = take("another");
    beLate();
    await admittedOf(late);
    limiter.giveBack("a");
    expect(tellsOf("a")).toHaveLength(1);
    line().pass();
    letGo();
    await until(() => events.includes("resumed"));
    expect(tellsOf("a")).toMatchObject([given, given]);
    await until(async () => (await counted("a"))[1] === 1);
    await until(() => line().answered === line().asked.length);
    await loseStore();
    limiter.giveBack("a");
    await regain();
    expect(tellsOf("a")).toMatchObject([given]);
  });

  test("keeps what it admitted alone until Redis has taken it, in this minute and in the one before", async () => {
    const other = await connectRedisRateLimiter(redis.url, clock, clock);
    for (let request = 0; request < 3; request++) await other.take("a", 9);
    other.close();
    await loseStore();
    await admittedOf(take("a", 9), take("a", 9));
    clock.advance(WINDOW_MS);
    await admittedOf(take("a", 9));
    onConnected = (connected) => connected.cut();
    jest.advanceTimersByTime(ATTEMPT_MS);
    await until(() => line().isClosed);
    await settled();
    onConnected = () => {};
    await regain();
    expect(await counted("a")).toEqual([3 + 2, 1]);
  });
});
