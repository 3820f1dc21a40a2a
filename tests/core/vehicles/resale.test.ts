import { describe, expect, test } from "bun:test";
import { msOf, timestampAt } from "../../../core/clock.ts";
import { undoSaleIssues, withReturn } from "../../../core/vehicles/resale.ts";
import type { VehicleUpdate } from "../../../core/vehicles/vehicle-repository.ts";
import { MOMENT } from "../../support/records.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number, ms = 0) => timestampAt(msOf(MOMENT) - days * DAY_MS - ms);
const RULES = { now: MOMENT, resaleDays: 14 };
const soldAt = (sold_at: string | null) => ({ status: "sold", sold_at, dealer_id: 1 }) as const;
const UNDONE = { status: "available", undo_sale: true } as const;
const STANDING = { status: "available", listed_at: MOMENT, undo_sale: false } as const;

describe("a sold vehicle that is available again", () => {
  // [what, the sale, the change, what the change becomes]
  const CASES: readonly (readonly [string, ReturnType<typeof soldAt>, VehicleUpdate, VehicleUpdate])[] = [
    ["undoes a sale of today", soldAt(MOMENT), { status: "available" }, UNDONE],
    ["undoes a sale of exactly 14 days ago", soldAt(daysAgo(14)), { status: "available" }, UNDONE],
    ["lets an earlier sale stand, and is listed now", soldAt(daysAgo(14, 1)), { status: "available" }, STANDING],
    ["undoes a sale of an unknown date", soldAt(null), { status: "available" }, UNDONE],
    ["undoes an earlier sale if that is said", soldAt(daysAgo(300)), { status: "available", undo_sale: true }, UNDONE],
    ["lets a sale of today stand if that is said", soldAt(MOMENT), { status: "available", undo_sale: false }, STANDING],
    [
      "is listed when the change says so",
      soldAt(daysAgo(30)),
      { status: "pending", listed_at: daysAgo(2) },
      { status: "pending", listed_at: daysAgo(2), undo_sale: false },
    ],
    ["says nothing of the sale while it stays sold", soldAt(daysAgo(30)), { price: 5 }, { price: 5 }],
    [
      "leaves the sale with the dealer that it left",
      soldAt(daysAgo(30)),
      { status: "available", dealer_id: 2, undo_sale: true },
      { status: "available", dealer_id: 2 },
    ],
  ];
  for (const [what, present, changes, expected] of CASES)
    test(what, () => {
      expect(withReturn(present, changes, RULES)).toEqual(expected);
    });

  test("undoes a sale as long as the setting says", () => {
    const decide = (resaleDays: number) =>
      withReturn(soldAt(daysAgo(5)), { status: "available" }, { now: MOMENT, resaleDays });
    expect([decide(4).undo_sale, decide(5).undo_sale]).toEqual([false, true]);
  });
});

test("what becomes of a sale is refused while the vehicle is sold, and says nothing of one that is not", () => {
  const issues = (status: "sold" | "available", changes: VehicleUpdate) =>
    undoSaleIssues({ status }, changes).map(({ path }) => path);
  expect([
    issues("sold", { undo_sale: true }),
    issues("available", { status: "sold", undo_sale: false }),
    issues("sold", { status: "pending", undo_sale: false }),
    issues("available", { undo_sale: true }),
  ]).toEqual([["undo_sale"], ["undo_sale"], [], []]);
  const present = { status: "available", sold_at: null, dealer_id: 1 } as const;
  expect(withReturn(present, { price: 5, undo_sale: true }, RULES)).toEqual({ price: 5 });
});
