import { describe, expect, test } from "bun:test";
import {
  ENTRIES_AT_ONCE,
  MOST_ENTRIES,
  reversalOf,
  type TrailEntry,
  type VehicleTrail,
  vehiclesAtOnce,
} from "../../../core/recent-changes/reversal.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";

const OURS = "ours";

/** An entry of another caller, unless it says otherwise. */
const entry = (id: number, before: object, after: object, rest: Partial<TrailEntry> = {}): TrailEntry => ({
  id,
  changeId: null,
  reverts: null,
  dealerId: 1,
  before: { ...before },
  after: { ...after },
  ...rest,
});
const ours = (id: number, before: object, after: object): TrailEntry => entry(id, before, after, { changeId: OURS });

const trailOf = (present: object, entries: readonly TrailEntry[], rest: Partial<VehicleTrail> = {}): VehicleTrail => {
  const vehicle = { dealer_id: 1, ...present } as Vehicle;
  return {
    id: 7,
    present: vehicle,
    shown: { sold_price: null, note: null, ...vehicle },
    entries,
    replaced: {},
    clearedStage: null,
    endedSale: null,
    ...rest,
  };
};

const LOWERED = ours(1, { price: 100 }, { price: 90 });
const SOLD = ours(1, { status: "available" }, { status: "sold" });
const ENDED = ours(1, { status: "sold" }, { status: "available" });
const SALE = { sold_at: "2026-11-20T00:00:00.000Z", sold_price: 95, note: null, firstCents: 10_000 };
const LONG = "x".repeat(1001);

const CASES: readonly (readonly [name: string, VehicleTrail, expected: Partial<ReturnType<typeof reversalOf>>])[] = [
  [
    "is not found if the vehicle is not in reach",
    { ...trailOf({}, [LOWERED]), present: null },
    { outcome: "not_found" },
  ],
  [
    "keeps everything if it was changed too often to look at that",
    { ...trailOf({ price: 90 }, [LOWERED]), entries: null },
    { outcome: "changed_since" },
  ],
  [
    "gives an old value back",
    trailOf({ price: 90 }, [LOWERED]),
    { outcome: "reverted", fields: ["price"], changes: { price: 100 } },
  ],
  [
    "has nothing to do for a vehicle that was created",
    trailOf({ price: 90 }, [{ ...LOWERED, before: null }]),
    { outcome: "unchanged" },
  ],
  [
    "has nothing to do for values that stayed",
    trailOf({ price: 90 }, [ours(1, { price: 90 }, { price: 90 })]),
    { outcome: "unchanged" },
  ],
  [
    "has nothing to do for a move",
    trailOf({ price: 90 }, [ours(1, { price: 100, dealer_id: 2 }, { price: 90, dealer_id: 1 })]),
    { outcome: "unchanged" },
  ],
  [
    "keeps a value that is another by now",
    trailOf({ price: 80 }, [LOWERED]),
    { outcome: "changed_since", changes: {} },
  ],
  [
    "keeps a value that was changed and changed back",
    trailOf({ price: 90 }, [LOWERED, entry(2, { price: 90 }, { price: 80 }), entry(3, { price: 80 }, { price: 90 })]),
    { outcome: "changed_since" },
  ],
  [
    "does not mind what was changed before",
    trailOf({ price: 90 }, [entry(1, { price: 110 }, { price: 100 }), ours(2, { price: 100 }, { price: 90 })]),
    { outcome: "reverted" },
  ],
  [
    "does not mind a later change that was reverted",
    trailOf({ price: 90 }, [
      LOWERED,
      entry(2, { price: 90 }, { price: 80 }, { changeId: "later" }),
      entry(3, { price: 80 }, { price: 90 }, { changeId: "undo", reverts: "later" }),
    ]),
    { outcome: "reverted" },
  ],
  [
    "does nothing the second time",
    trailOf({ price: 100 }, [LOWERED, entry(2, { price: 90 }, { price: 100 }, { changeId: "undo", reverts: OURS })]),
    { outcome: "unchanged" },
  ],
  [
    "does nothing the second time, also where a sale went with its status",
    trailOf({ status: "available" }, [
      ours(1, { status: "available", sold_price: null }, { status: "sold", sold_price: 95 }),
      entry(2, { status: "sold" }, { status: "available" }, { changeId: "undo", reverts: OURS }),
    ]),
    { outcome: "unchanged" },
  ],
  [
    "does nothing the second time, also where a field was kept",
    trailOf({ price: 80, mileage: 5 }, [
      ours(1, { price: 100, mileage: 5 }, { price: 90, mileage: 6 }),
      entry(2, { price: 90 }, { price: 80 }),
      entry(3, { mileage: 6 }, { mileage: 5 }, { changeId: "undo", reverts: OURS }),
    ]),
    { outcome: "unchanged" },
  ],
  [
    "keeps everything after a move to another dealer",
    trailOf({ price: 90, dealer_id: 2 }, [LOWERED]),
    { outcome: "changed_since" },
  ],
  [
    "keeps everything after a move there and back",
    trailOf({ price: 90 }, [
      LOWERED,
      entry(2, { dealer_id: 1 }, { dealer_id: 2 }),
      entry(3, { dealer_id: 2 }, { dealer_id: 1 }),
    ]),
    { outcome: "changed_since" },
  ],
  [
    "reverts one field and keeps another",
    trailOf({ price: 80, featured: 1 }, [ours(1, { price: 100, featured: 0 }, { price: 90, featured: 1 })]),
    { outcome: "reverted", fields: ["featured"], changes: { featured: 0 } },
  ],
  [
    "takes several changes of a vehicle as one",
    trailOf({ price: 80 }, [LOWERED, ours(2, { price: 90 }, { price: 80 })]),
    { fields: ["price"], changes: { price: 100 } },
  ],
  [
    "gives an unset value back",
    trailOf({ trim: "b" }, [ours(1, { trim: null }, { trim: "a" }), ours(2, { trim: "a" }, { trim: "b" })]),
    { changes: { trim: null } },
  ],
  [
    "takes a long text from where it is whole",
    trailOf({ description: "short" }, [ours(1, { description: LONG }, { description: "short" })], {
      replaced: { description: "whole" },
    }),
    { changes: { description: "whole" } },
  ],
  [
    "keeps a text whose old one is not known as a whole",
    trailOf({ description: "short" }, [ours(1, { description: LONG }, { description: "short" })]),
    { outcome: "changed_since" },
  ],
  [
    "keeps a status whose sale somebody entered",
    trailOf({ status: "sold", sold_price: 95 }, [SOLD, entry(2, { sold_price: null }, { sold_price: 95 })]),
    { outcome: "changed_since" },
  ],
  [
    "keeps a status whose stage somebody set",
    trailOf({ status: "sold", stage: "delivered" }, [SOLD, entry(2, { stage: null }, { stage: "delivered" })]),
    { outcome: "changed_since" },
  ],
  [
    "gives the stage back that the status took away",
    trailOf({ status: "sold" }, [SOLD], { clearedStage: "in_prep" }),
    { fields: ["status", "stage"], changes: { status: "available", stage: "in_prep" } },
  ],
  [
    "ends a sale with what was entered of it",
    trailOf({ status: "sold", sold_price: 95 }, [SOLD, ours(2, { sold_price: null }, { sold_price: 95 })]),
    { fields: ["status", "sold_price"], sale: {}, changes: { status: "available" } },
  ],
  [
    "resumes the sale that ended",
    trailOf({ status: "available" }, [ENDED], { endedSale: SALE }),
    { changes: { status: "sold", sold_at: SALE.sold_at }, resumedSale: SALE },
  ],
  ["does not resume a sale that stands", trailOf({ status: "available" }, [ENDED]), { outcome: "unchanged" }],
  [
    "gives a sold price back without the status",
    trailOf({ status: "sold", sold_price: 95 }, [ours(1, { sold_price: 90 }, { sold_price: 95 })]),
    { fields: ["sold_price"], changes: {}, sale: { sold_price: 90 } },
  ],
];

const BOTH = ours(1, { status: "available", price: 100 }, { status: "sold", price: 90 });
const AGAIN = entry(2, { status: "sold" }, { status: "pending" });
const removed = (one: TrailEntry): TrailEntry => ({ ...one, after: null });
const created = (one: TrailEntry): TrailEntry => ({ ...one, before: null });

const MORE_CASES: typeof CASES = [
  [
    "does not mind that the vehicle was removed and taken back since",
    trailOf({ price: 90 }, [LOWERED, removed(entry(2, { price: 90 }, {})), created(entry(3, {}, { price: 90 }))]),
    { outcome: "reverted" },
  ],
  [
    "does not mind what was changed before its first change of a field",
    trailOf({ price: 90 }, [
      created({ ...LOWERED, id: 1 }),
      removed({ ...LOWERED, id: 2 }),
      entry(3, { price: 110 }, { price: 100 }),
      { ...LOWERED, id: 4 },
    ]),
    { outcome: "reverted" },
  ],
  [
    "minds a later change, although one after it was reverted",
    trailOf({ price: 90 }, [
      LOWERED,
      entry(2, { price: 90 }, { price: 80 }, { changeId: "later" }),
      entry(3, { price: 80 }, { price: 70 }, { changeId: "latest" }),
      entry(4, { price: 70 }, { price: 80 }, { changeId: "undo", reverts: "latest" }),
      entry(5, { price: 80 }, { price: 90 }, { changeId: "undo-more", reverts: "before" }),
    ]),
    { outcome: "changed_since" },
  ],
  [
    "does nothing the second time, also where another reversal gave its value back",
    trailOf({ price: 90 }, [
      LOWERED,
      entry(2, { price: 90 }, { price: 100 }, { changeId: "undo", reverts: OURS }),
      entry(3, { price: 100 }, { price: 90 }, { changeId: "undo-more", reverts: "before" }),
    ]),
    { outcome: "unchanged" },
  ],
  [
    "gives a value back where there is none now",
    trailOf({}, [ours(1, { trim: "a" }, { trim: null })]),
    { outcome: "reverted", changes: { trim: "a" } },
  ],
  [
    "gives back texts that entries have as a whole, counted in characters",
    trailOf({ description: "short", note_to_staff: "short" }, [
      ours(
        1,
        { description: "x".repeat(1000), note_to_staff: "🚗".repeat(1000) },
        { description: "short", note_to_staff: "short" },
      ),
    ]),
    { fields: ["description", "note_to_staff"] },
  ],
  [
    "keeps a status that was changed since, and gives the rest back alone",
    trailOf({ status: "pending", price: 90 }, [BOTH, AGAIN], { clearedStage: "in_prep" }),
    { fields: ["price"], changes: { price: 100 }, sale: {}, resumedSale: null },
  ],
  [
    "resumes no sale beside a status that it keeps",
    trailOf(
      { status: "pending", price: 90 },
      [ours(1, { status: "sold", price: 100 }, { status: "available", price: 90 }), AGAIN],
      {
        endedSale: SALE,
      },
    ),
    { fields: ["price"], changes: { price: 100 }, sale: {}, resumedSale: null },
  ],
  [
    "resumes no sale where the vehicle was not sold before",
    trailOf({ status: "sold" }, [SOLD], { endedSale: SALE }),
    { fields: ["status"], changes: { status: "available" }, sale: {}, resumedSale: null },
  ],
  [
    "keeps a status whose sale is not as it was left",
    trailOf({ status: "sold", sold_price: 80 }, [SOLD, ours(2, { sold_price: null }, { sold_price: 95 })]),
    { outcome: "changed_since" },
  ],
  [
    "gives a stage back once, which the change itself took away",
    trailOf({ status: "sold", stage: null }, [SOLD, ours(2, { stage: "in_prep" }, { stage: null })], {
      clearedStage: "in_prep",
    }),
    { fields: ["status", "stage"], changes: { status: "available", stage: "in_prep" }, sale: {}, resumedSale: null },
  ],
  [
    "ends a sale, and writes nothing of what was entered of it",
    trailOf({ status: "sold", sold_price: 95 }, [SOLD, ours(2, { sold_price: null }, { sold_price: 95 })]),
    { fields: ["status", "sold_price"], changes: { status: "available" }, sale: {}, resumedSale: null },
  ],
];

describe("the reversal of a change", () => {
  for (const [name, trail, expected] of CASES)
    test(name, () => {
      expect(reversalOf(OURS, trail)).toMatchObject(expected);
    });
  for (const [name, trail, expected] of MORE_CASES)
    test(name, () => {
      const reversal = reversalOf(OURS, trail);
      expect(reversal).toStrictEqual({ ...reversal, ...expected });
    });
});

test("vehicles are looked at together while their entries are not too many together, and at least one of them", () => {
  const counted = (...entries: readonly number[]) =>
    vehiclesAtOnce(entries.map((count, at) => ({ id: at + 1, entries: count })));
  expect(counted(1, 2, 3)).toEqual({ ids: [1, 2, 3], read: [1, 2, 3] });
  expect(counted(ENTRIES_AT_ONCE - 2, 2, 1)).toEqual({ ids: [1, 2], read: [1, 2] });
  expect(counted(MOST_ENTRIES, 1)).toEqual({ ids: [1], read: [1] });
  expect(counted(MOST_ENTRIES + 1, MOST_ENTRIES, MOST_ENTRIES + 1, 1)).toEqual({ ids: [1, 2, 3], read: [2] });
  expect(counted(1, MOST_ENTRIES + 1, 1)).toEqual({ ids: [1, 2, 3], read: [1, 3] });
  expect(counted()).toEqual({ ids: [], read: [] });
});
