import { describe, expect, test } from "bun:test";
import type { Change } from "../../../core/history/change.ts";
import { historyHidesOtherDealers } from "../../../core/history/history-hides-other-dealers.ts";
import { NOW } from "../use-cases.ts";

const KEY = { type: "key", id: 3, name: "Harbor website" } as const;
const OPERATOR = { type: "operator", id: null, name: "Operator" } as const;
const MOVE: Change = {
  at: NOW,
  field: "dealer_id",
  old: 7,
  new: 8,
  by: KEY,
  via: "api",
  change_id: null,
  reverts: null,
  reverted_by: null,
};
const PRICE: Change = { ...MOVE, field: "price" };

const READERS: readonly (readonly [
  string,
  scope: number | null,
  Change,
  actor: number | null,
  seen: Partial<Change>,
])[] = [
  ["an unbound caller sees both dealers and the actor", null, MOVE, 9, {}],
  ["the old dealer sees that it left", 7, MOVE, 7, { new: null }],
  ["the new dealer sees that it came, and an operator who acted from outside", 8, MOVE, 0, { old: null, by: OPERATOR }],
  ["another dealer would see neither", 9, MOVE, 9, { old: null, new: null }],
  ["values of other fields are no dealers", 9, PRICE, 9, {}],
  ["an actor of whom nothing is known acted from outside", 7, PRICE, null, { by: OPERATOR }],
  ["a change that nobody recorded has no actor", 7, { ...PRICE, by: null, via: null }, null, {}],
];

/** Regular users without a dealer see both dealers, but not what others do. */
const USERS: readonly (readonly [string, userId: number, seen: Partial<Change>])[] = [
  ["a regular user sees what they did", 5, {}],
  ["a regular user does not see who else acted", 6, { by: OPERATOR }],
];

describe("a vehicle's history hides other dealers", () => {
  for (const [name, scope, change, actor, seen] of READERS)
    test(name, () => {
      const reader = { scope, visibility: scope === null ? ("everything" as const) : { dealerId: scope } };
      const shown = historyHidesOtherDealers(reader, change, actor === null ? null : { userId: null, dealerId: actor });
      expect(shown).toEqual({ ...change, ...seen });
    });
  for (const [name, userId, seen] of USERS)
    test(name, () => {
      const shown = historyHidesOtherDealers({ scope: null, visibility: { userId } }, MOVE, { userId: 5, dealerId: 0 });
      expect(shown).toEqual({ ...MOVE, ...seen });
    });
});
