import { describe, expect, test } from "bun:test";
import { lotStateIssues, needsCurrentVehicle } from "../../../core/vehicles/lot-state.ts";
import { MOMENT } from "../../support/records.ts";

const onLot = { status: "available", stage: null, listed_at: MOMENT, sold_at: null } as const;
const sold = { ...onLot, status: "sold", sold_at: MOMENT } as const;

describe("what a vehicle was sold for", () => {
  for (const [name, present, sent, isRefused] of [
    ["may come with the status sold", onLot, { status: "sold", sold_price: 5 }, false],
    ["may come with a new vehicle that is sold", null, { status: "sold", sold_price: 0 }, false],
    ["may come alone for a vehicle that is sold", sold, { sold_price: 5 }, false],
    ["is refused for a vehicle that is not sold", onLot, { sold_price: 5 }, true],
    ["is refused for a new vehicle that is not sold", null, { sold_price: 5 }, true],
    ["is refused with another status, also for 0", sold, { status: "pending", sold_price: 0 }, true],
    ["may be null whatever the status", onLot, { sold_price: null }, false],
  ] as const)
    test(name, () =>
      expect(lotStateIssues(present, sent, MOMENT).map(({ path }) => path)).toEqual(isRefused ? ["sold_price"] : []),
    );

  test("is held against the present vehicle unless the status sold comes with it", () =>
    expect(
      [
        { sold_price: 5 },
        { status: "pending", sold_price: 5 } as const,
        { status: "sold", sold_price: 5 } as const,
      ].map(needsCurrentVehicle),
    ).toEqual([true, true, false]));
});
