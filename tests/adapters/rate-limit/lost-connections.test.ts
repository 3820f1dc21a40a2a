import { describe, expect, jest, test } from "bun:test";
import { WINDOW_MS } from "../../../core/access/rate-limits.ts";
import { NO_REDIS } from "../../support/redis.ts";
import { ATTEMPT_MS, LOOK_MS, limiterFixture, SUBJECTS } from "./limiter-fixture.ts";

describe.skipIf(NO_REDIS)("a limiter whose Redis is late or lost", () => {
  const fixture = limiterFixture();
  const {
    steps,
    line,
    lines,
    events,
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
  } = fixture;

  test("goes on alone with what Redis admitted, and without what it refused", async () => {
    for (let request = 0; request < 4; request++) await admittedOf(take("a", 2));
    line().cut();
    expect(await admittedOf(take("a", 3))).toEqual([true]);
    expect(await admittedOf(take("a", 3))).toEqual([false]);
    expect(events).toEqual(["lost"]);
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
      expect([fixture.limiter.isAlone, line().isClosed, events]).toEqual([false, false, ["lost", "regained"]]);
    });

  test("connects once at a time, and closes a connection that comes after it is closed itself", async () => {
    await loseStore();
    const connecting = Promise.withResolvers<void>();
    steps.beforeConnecting = connecting.promise;
    for (const ms of [ATTEMPT_MS, LOOK_MS, ATTEMPT_MS]) jest.advanceTimersByTime(ms);
    await settled();
    jest.advanceTimersByTime(ATTEMPT_MS);
    expect(fixture.attempts).toBe(2);
    fixture.limiter.close();
    connecting.resolve();
    await until(() => lines.length === 2);
    await settled();
    expect([line().isClosed, events]).toEqual([true, ["lost"]]);
  });

  test("does not connect again after it is closed, whatever became of the last attempt", async () => {
    await loseStore();
    const connecting = Promise.withResolvers<void>();
    steps.beforeConnecting = connecting.promise;
    jest.advanceTimersByTime(ATTEMPT_MS);
    fixture.limiter.close();
    connecting.reject(new Error("there is no server"));
    await settled();
    jest.advanceTimersByTime(ATTEMPT_MS);
    await settled();
    expect([fixture.attempts, events]).toEqual([2, ["lost"]]);
  });

  test("does not use a Redis that is lost while it is told what was counted", async () => {
    await ofAll(SUBJECTS.map((subject) => take(subject)));
    await loseStore();
    steps.onConnected = (connected) => connected.cut();
    jest.advanceTimersByTime(ATTEMPT_MS);
    await until(() => line().isClosed);
    await settled();
    expect([fixture.limiter.isAlone, events]).toEqual([true, ["lost"]]);
    expect(line().reports().length).toBeLessThan(SUBJECTS.length);
    steps.onConnected = () => {};
    await regain();
    // With the one that saw the loss.
    expect(line().reports()).toHaveLength(SUBJECTS.length + 1);
    expect(events).toEqual(["lost", "regained"]);
  });

  test("tells a Redis that lost everything what it had counted, before it asks about that", async () => {
    await ofAll(SUBJECTS.map((subject) => take(subject)));
    await loseStore();
    steps.onConnected = holdTelling;
    jest.advanceTimersByTime(ATTEMPT_MS);
    await until(() => !fixture.limiter.isAlone);
    await isToldBeforeAsked({ unreported: 0, known: 1 });
  });

  test("sees by itself that Redis is lost, which is no pause", async () => {
    line().cut();
    jest.advanceTimersByTime(LOOK_MS);
    await until(() => events.length > 0);
    expect([fixture.limiter.isAlone, events]).toEqual([true, ["lost"]]);
  });

  test("keeps what it admitted alone until Redis has taken it, in this minute and in the one before", async () => {
    const other = await connectStore();
    for (let request = 0; request < 3; request++) await other.take("a", 9);
    other.close();
    await loseStore();
    await admittedOf(take("a", 9), take("a", 9));
    fixture.clock.advance(WINDOW_MS);
    await admittedOf(take("a", 9));
    steps.onConnected = (connected) => connected.cut();
    jest.advanceTimersByTime(ATTEMPT_MS);
    await until(() => line().isClosed);
    await settled();
    steps.onConnected = () => {};
    await regain();
    expect(await counted("a")).toEqual([3 + 2, 1]);
  });
});
