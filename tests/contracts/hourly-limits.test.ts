import { expect, setDefaultTimeout, test } from "bun:test";
import { makeHourlyLimits } from "../../adapters/sql/sign-in/hourly-limits.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
import { MOMENT } from "../support/records.ts";

setDefaultTimeout(300_000);

const LIMIT = 3;

for (const engine of ENGINES)
  test(`hourly limits on ${engine.name} hold even if the instances' clocks differ by seconds`, async () => {
    const [db, elsewhere] = await openTwice(engine);
    const ahead = makeHourlyLimits(db, fakeClock(Date.parse(MOMENT) + 5000));
    const behind = makeHourlyLimits(elsewhere, fakeClock(Date.parse(MOMENT)));
    for (const limits of [ahead, behind, ahead]) expect(await limits.take("doing:key:1", LIMIT)).toBe(0);
    for (const limits of [behind, ahead]) {
      expect(await limits.take("doing:key:1", LIMIT)).toBeGreaterThan(0);
      expect(await limits.waitOf("doing:key:1", LIMIT)).toBeGreaterThan(0);
    }
    // The hours of different subjects are separate.
    expect(await ahead.waitOf("doing:key:2", LIMIT)).toBe(0);
    // A clock that was set back further locks nobody out until it reaches the old time.
    const setBack = makeHourlyLimits(db, fakeClock(Date.parse(MOMENT) - 3_600_000));
    expect(await setBack.waitOf("doing:key:1", LIMIT)).toBe(0);
    expect(await setBack.take("doing:key:1", LIMIT)).toBe(0);
    await Promise.all([db.close(), elsewhere.close()]);
  });
