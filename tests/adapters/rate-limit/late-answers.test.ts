import { describe, expect, jest, test } from "bun:test";
import { WINDOW_MS } from "../../../core/access/rate-limits.ts";
import { NO_REDIS } from "../../support/redis.ts";
import { LOOK_MS, limiterFixture, SUBJECTS } from "./limiter-fixture.ts";

describe.skipIf(NO_REDIS)("a limiter whose Redis is late or lost", () => {
  const fixture = limiterFixture();
  const {
    steps,
    line,
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
  const tellsOf = (subject: string) =>
    line()
      .reports()
      .filter((one) => one.subject === subject);

  test("asks once for each request, and tells nothing that Redis knows", async () => {
    for (let request = 0; request < 3; request++) await admittedOf(take("a"));
    expect(line().asked).toEqual(Array(3).fill({ what: "count", subject: "a" }));
    expect([fixture.limiter.isAlone, events]).toEqual([false, []]);
  });

  test("counts a late request once: as Redis did, or as one that it admitted alone", async () => {
    const other = await connectStore();
    for (let request = 0; request < 2; request++) await other.take("full", 2);
    other.close();
    const letGo = line().hold();
    const late = [take("full", 2), take("free")];
    beLate();
    expect(await admittedOf(...late)).toEqual([true, true]);
    expect([fixture.limiter.isAlone, events]).toEqual([true, ["paused"]]);
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
    expect([fixture.limiter.isAlone, events]).toEqual([false, ["paused", "resumed"]]);
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

  test("says nothing of a pause that ends after it is closed", async () => {
    const letGo = line().hold();
    const late = take("a");
    beLate();
    await admittedOf(late);
    const letGoLast = line().hold();
    letGo();
    // The request, and both questions whether Redis answers again.
    await until(() => line().answered === 3);
    fixture.limiter.close();
    letGoLast();
    await settled();
    expect(events).toEqual(["paused"]);
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
      fixture.clock.advance(ms);
      steps.onResumed = holdTelling;
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
    expect([fixture.limiter.isAlone, events]).toEqual([true, ["paused"]]);
    line().pass();
    letGo();
    await until(() => events.length > 1);
    expect([fixture.limiter.isAlone, events]).toEqual([false, ["paused", "resumed"]]);
  });

  test("tells what was given back at once, or as soon as Redis answers", async () => {
    const given = { subject: "a", told: { unreported: -1 } };
    await admittedOf(take("a"), take("a"), take("a"));
    fixture.limiter.giveBack("a");
    expect(tellsOf("a")).toMatchObject([given]);
    await until(async () => (await counted("a"))[1] === 2);
    const letGo = line().hold();
    const late = take("another");
    beLate();
    await admittedOf(late);
    fixture.limiter.giveBack("a");
    expect(tellsOf("a")).toHaveLength(1);
    line().pass();
    letGo();
    await until(() => events.includes("resumed"));
    expect(tellsOf("a")).toMatchObject([given, given]);
    await until(async () => (await counted("a"))[1] === 1);
    await until(() => line().answered === line().asked.length);
    await loseStore();
    fixture.limiter.giveBack("a");
    await regain();
    expect(tellsOf("a")).toMatchObject([given]);
  });
});
