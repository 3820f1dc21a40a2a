import { describe, expect, test } from "bun:test";
import { type Count, WindowCounts } from "../../../adapters/rate-limit/counts.ts";
import { WINDOW_MS } from "../../../core/access/rate-limits.ts";
import { fakeClock } from "../../support/clock.ts";

const LIMIT = 10;

/** Counts that a subject may have, and whether a store that is asked anew or has paused is told of them. */
const KNOWN: readonly { readonly fields: Partial<Count>; readonly counted: boolean; readonly unreported: boolean }[] = [
  { fields: {}, counted: false, unreported: false },
  { fields: { unreported: 1 }, counted: true, unreported: true },
  { fields: { unreported: -1 }, counted: true, unreported: true },
  { fields: { unreportedBefore: 1 }, counted: true, unreported: true },
  { fields: { current: 1 }, counted: true, unreported: false },
  { fields: { previous: 1 }, counted: true, unreported: false },
];

describe("the counts of a process", () => {
  test("weigh what was admitted without the store for a minute more, and then forget it", () => {
    const clock = fakeClock();
    const counts = new WindowCounts(clock, LIMIT);
    counts.take(counts.countOf("Kiosk"), LIMIT, "unreported");
    clock.advance(WINDOW_MS);
    expect(counts.countOf("Kiosk")).toMatchObject({ unreported: 0, unreportedBefore: 1 });
    counts.take(counts.countOf("Kiosk"), LIMIT, "unreported");
    clock.advance(2 * WINDOW_MS);
    expect(counts.countOf("Kiosk")).toMatchObject({ unreported: 0, unreportedBefore: 0 });
  });

  test("take a request back in the minute that it was counted in, and none that was not counted", () => {
    const clock = fakeClock();
    const counts = new WindowCounts(clock, LIMIT);
    counts.take(counts.countOf("Kiosk"), LIMIT, "current");
    clock.advance(WINDOW_MS);
    expect(counts.countOf("Kiosk")).toMatchObject({ current: 0, previous: 1 });
    for (const _ of [1, 2]) {
      counts.giveBack(counts.countOf("Kiosk"));
      expect(counts.countOf("Kiosk")).toMatchObject({ current: 0, previous: 0 });
    }
  });

  for (const of of ["counted", "unreported"] as const)
    test(`that are ${of} are named whichever minute they are of, and no others`, () => {
      const counts = new WindowCounts(fakeClock(), LIMIT);
      for (const [index, { fields }] of KNOWN.entries()) Object.assign(counts.countOf(`${index}`), fields);
      expect(counts.subjects(of)).toEqual(KNOWN.flatMap((known, index) => (known[of] ? [`${index}`] : [])));
    });
});
