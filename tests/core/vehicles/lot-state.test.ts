import { expect, test } from "bun:test";
import { type LotState, lotStateAfter } from "../../../core/vehicles/lot-state.ts";
import { MOMENT, momentAfter } from "../../support/records.ts";

const NOW = momentAfter(5000);
const PREPARED: LotState = { status: "available", stage: "in_prep", listed_at: MOMENT, sold_at: null };
const SOLD: LotState = { status: "sold", stage: "delivered", listed_at: MOMENT, sold_at: momentAfter(1000) };
const HELD: LotState = { status: "pending", stage: "on_hold", listed_at: null, sold_at: null };

type Change = Parameters<typeof lotStateAfter>;

/** Each rule: the vehicle before, what is sent, and what is other than before. */
const CASES: readonly (readonly [rule: string, present: Change[0], sent: Change[1], other: Partial<LotState>])[] = [
  ["nothing is sent", SOLD, {}, {}],
  ["another status clears the stage", PREPARED, { status: "pending" }, { status: "pending", stage: null }],
  ["the same status keeps it", PREPARED, { status: "available" }, {}],
  [
    "a stage that is sent stays",
    PREPARED,
    { status: "pending", stage: "reserved" },
    { status: "pending", stage: "reserved" },
  ],
  ["a stage can be cleared", PREPARED, { stage: null }, { stage: null }],
  ["what becomes sold is sold now", PREPARED, { status: "sold" }, { status: "sold", stage: null, sold_at: NOW }],
  [
    "or when it is said to be",
    PREPARED,
    { status: "sold", sold_at: MOMENT },
    { status: "sold", stage: null, sold_at: MOMENT },
  ],
  ["sold once more keeps its date", SOLD, { status: "sold" }, {}],
  ["a sale that ends has no date", SOLD, { status: "pending" }, { status: "pending", stage: null, sold_at: null }],
  ["the date of a sale can change", SOLD, { sold_at: NOW }, { sold_at: NOW }],
  ["null leaves dates", SOLD, { sold_at: null, listed_at: null }, {}],
  ["listed when it is said to be", PREPARED, { listed_at: NOW }, { listed_at: NOW }],
  ["an unknown listing stays unknown", HELD, { status: "pending" }, {}],
  ["at another dealer it is listed now", { ...PREPARED, dealer_id: 1 }, { dealer_id: 2 }, { listed_at: NOW }],
  ["and sold now if it is sold", { ...SOLD, dealer_id: 1 }, { dealer_id: 2 }, { listed_at: NOW, sold_at: NOW }],
  ["no dealer is sent", { ...SOLD, dealer_id: 1 }, { status: "sold" }, {}],
  ["the same dealer changes nothing", { ...SOLD, dealer_id: 1 }, { dealer_id: 1 }, {}],
];

for (const [rule, present, sent, other] of CASES)
  test(`what becomes of a vehicle's stage and dates: ${rule}`, () => {
    const { dealer_id: _, ...before } = { dealer_id: 0, ...present };
    expect<object>(lotStateAfter(present, sent, NOW)).toEqual({ ...before, ...other });
  });

test("a new vehicle is available and listed now, and one that is sold is sold now", () => {
  const fresh = { status: "available", stage: null, listed_at: NOW, sold_at: null };
  expect<object>(lotStateAfter(null, { sold_at: null }, NOW)).toEqual(fresh);
  expect<object>(lotStateAfter(null, { status: "sold", stage: "wholesale" }, NOW)).toEqual({
    ...fresh,
    status: "sold",
    stage: "wholesale",
    sold_at: NOW,
  });
  expect<object>(lotStateAfter(null, { status: "sold", listed_at: MOMENT, sold_at: MOMENT }, NOW)).toEqual({
    ...fresh,
    status: "sold",
    listed_at: MOMENT,
    sold_at: MOMENT,
  });
});
