import { describe, expect, test } from "bun:test";
import { ageInWords, agesWithin, LOT_AGES, lotAgeOf, rangeAfter } from "../../../adapters/portal/vehicles/lot-ages.ts";
import { ageGroupsOf } from "../../../core/report/age-groups.ts";

const [FRESH, MONTH, LONG, OLD] = LOT_AGES as readonly [
  (typeof LOT_AGES)[number],
  (typeof LOT_AGES)[number],
  (typeof LOT_AGES)[number],
  (typeof LOT_AGES)[number],
];

describe("the ages of vehicles on the lot", () => {
  test("are those of reports, and every day has one", () => {
    const groups = ageGroupsOf(LOT_AGES.map(() => ({ vehicles: 0, cents: 0 })));
    expect(groups.map(({ from, to }) => ({ from, to }))).toEqual([...LOT_AGES]);
    expect([0, 30, 31, 60, 61, 90, 91, 5000].map(lotAgeOf)).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    expect(LOT_AGES.map(ageInWords)).toEqual(["0 to 30 days", "31 to 60 days", "61 to 90 days", "Over 90 days"]);
  });

  test("are ticked as one range: those in between belong to it, and clearing one leaves a range", () => {
    expect(rangeAfter([], MONTH, true)).toEqual(MONTH);
    expect(agesWithin(rangeAfter([FRESH], LONG, true))).toEqual([FRESH, MONTH, LONG]);
    expect(agesWithin(rangeAfter([LONG], FRESH, true))).toEqual([FRESH, MONTH, LONG]);
    expect(agesWithin(rangeAfter([MONTH], OLD, true))).toEqual([MONTH, LONG, OLD]);
    expect(agesWithin(rangeAfter([OLD], MONTH, true))).toEqual([MONTH, LONG, OLD]);
    expect(agesWithin(rangeAfter([FRESH, MONTH, LONG], FRESH, false))).toEqual([MONTH, LONG]);
    expect(agesWithin(rangeAfter([FRESH, MONTH, LONG], LONG, false))).toEqual([FRESH, MONTH]);
    expect(agesWithin(rangeAfter([FRESH, MONTH, LONG], MONTH, false))).toEqual([FRESH]);
    expect(rangeAfter([OLD], OLD, false)).toBeNull();
    expect(agesWithin(null)).toEqual([]);
    expect(agesWithin({ from: 45, to: null })).toEqual([LONG, OLD]);
  });
});
