import { describe, expect, test } from "bun:test";
import type { Actor, Principal } from "../../../core/access/principal.ts";
import type { StoredChange } from "../../../core/recent-changes/recent-change.ts";
import type { RecentChangeRepository, ReversalStep } from "../../../core/recent-changes/recent-change-repository.ts";
import { makeRecentChanges } from "../../../core/recent-changes/recent-changes.ts";
import type { VehicleTrail } from "../../../core/recent-changes/reversal.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { fakeClock } from "../../support/clock.ts";
import { vehicleFields } from "../../support/records.ts";
import { dealerKey, superAdminKey } from "../callers.ts";
import { causeOf, succeeded } from "../use-cases.ts";

const admin = superAdminKey();
const changeOf = (id: string, fields: Partial<StoredChange> = {}): StoredChange => ({
  id,
  kind: "bulk",
  at: "2026-03-01T00:00:00.000Z",
  by: { type: "key", id: 1, name: "Front desk" },
  vehicles: 45,
  revertible: 45,
  vehicleId: null,
  fields: ["price"],
  reverts: null,
  revertedAt: null,
  revertedBy: null,
  ...fields,
});

interface Given {
  readonly stored?: readonly StoredChange[];
  /** The highest id of a vehicle of the change. */
  readonly vehicles?: number;
  readonly trail?: (id: number) => Partial<VehicleTrail>;
  /** Ends the request after so many parts. */
  readonly lastsParts?: number;
  readonly stops?: "rights" | "others";
  readonly failsAtPart?: number;
  readonly isUnavailable?: boolean;
  readonly refused?: readonly number[];
  /** How long a vehicle takes. */
  readonly revertMs?: number;
}

const begin = (given: Given = {}) => {
  const { stored = [changeOf("ours")], vehicles = 45, trail = () => ({}), refused = [] } = given;
  const clock = fakeClock();
  const asked = {
    lists: [] as Parameters<RecentChangeRepository["list"]>[0][],
    scopes: [] as (number | null)[],
    parts: [] as (readonly number[])[],
    by: [] as Actor[],
    pauses: 0,
    reverted: [] as number[],
  };
  const trailOf = (id: number): VehicleTrail => {
    const present = { id, ...vehicleFields(1, { price: 90, stock_number: `S${id}` }) } as Vehicle;
    const entries = [
      { id, changeId: "ours", reverts: null, dealerId: 1, before: { price: 100 }, after: { price: 90 } },
    ];
    return {
      ...{ id, present, shown: { price: 90 }, entries, replaced: {}, clearedStage: null, endedSale: null },
      ...trail(id),
    };
  };
  const changes: RecentChangeRepository = {
    async list(query) {
      asked.lists.push(query);
      return stored.slice(0, query.limit + 1);
    },
    count: async () => stored.length,
    find: async (id, { scope }) => {
      asked.scopes.push(scope);
      return stored.find((one) => one.id === id) ?? null;
    },
    vehiclesOf: async (_, scope, { after, limit }) => {
      asked.scopes.push(scope);
      return Array.from({ length: vehicles }, (__, at) => at + 1)
        .filter((id) => id > after)
        .slice(0, limit);
    },
    async revertPart({ by }, work) {
      asked.by.push(by);
      const step: ReversalStep = {
        async trails(ids) {
          asked.parts.push(ids);
          return ids.map(trailOf);
        },
        async revert({ id }) {
          asked.reverted.push(id);
          clock.advance(given.revertMs ?? 0);
          return !refused.includes(id);
        },
      };
      if (given.failsAtPart === asked.by.length) throw new Error("lost");
      const result = await work(step);
      // A millisecond for each part.
      clock.advance(1);
      return result;
    },
    purgeSome: async () => 0,
  };
  const cases = makeRecentChanges({
    changes,
    clock,
    maxMs: given.lastsParts ?? 1000,
    holdsOthersUp: () => given.stops === "others",
    pause: async () => void asked.pauses++,
    isUnavailable: () => given.isUnavailable === true,
  });
  const revert = (query: object = {}, by: Principal = admin, id = "ours") =>
    cases.revert(by, { id, query, mayGoOn: () => given.stops !== "rights" });
  return { ...cases, revert, asked, clock };
};

describe("a list of recent changes", () => {
  test("has a page and says where it ended, if others follow", async () => {
    const stored = ["a", "b", "c"].map((id) => changeOf(id));
    const page = async (limit: number) => {
      const { changes, total, last } = succeeded(await begin({ stored }).list(admin, { limit }));
      return [changes.map(({ id }) => id), total, last];
    };
    expect(await page(2)).toEqual([["a", "b"], 3, { at: changeOf("b").at, id: "b" }]);
    expect(await page(3)).toEqual([["a", "b", "c"], 3, null]);
  });

  test("is of the caller's dealer, else of the one that was asked for, and tells a dealer of a move only that", async () => {
    const stored = [changeOf("moved", { fields: ["dealer_id", "price"] }), changeOf("priced")];
    const told = async (by: Principal, query: object) => {
      const { list, asked } = begin({ stored });
      const { changes } = succeeded(await list(by, query));
      return [asked.lists[0]?.scope, asked.lists[0]?.dealerId, changes.map(({ fields }) => fields)];
    };
    expect(await told(admin, {})).toEqual([null, null, [["dealer_id", "price"], ["price"]]]);
    expect(await told(admin, { dealer_id: 3 })).toEqual([null, 3, [["dealer_id", "price"], ["price"]]]);
    expect(await told(dealerKey(1), { dealer_id: 3 })).toEqual([1, 1, [["dealer_id"], ["price"]]]);
  });

  test("says which can be reverted", async () => {
    const stored = [changeOf("a"), changeOf("b", { revertible: 0 }), changeOf("c", { kind: "reversal" })];
    const { changes } = succeeded(await begin({ stored }).list(admin, {}));
    expect(changes.map(({ revertible }) => revertible)).toEqual([true, false, false]);
  });
});

describe("the reversal of a change of many vehicles", () => {
  test("goes through them in parts, with a pause between two", async () => {
    const { revert, asked } = begin();
    const answer = succeeded(await revert());
    expect(asked.parts.map((ids) => [ids.at(0), ids.at(-1)])).toEqual([
      [1, 20],
      [21, 40],
      [41, 45],
    ]);
    // One before each further look for vehicles, of which the last finds none.
    expect(asked.pauses).toBe(2);
    expect(answer).toMatchObject({ reverts: "ours", total: 45, next: null });
    expect(answer.change_id).toBe(asked.by[0]?.change?.id ?? "");
    expect(new Set(asked.by.map(({ change }) => change?.id)).size).toBe(1);
    expect(asked.by[0]?.change).toMatchObject({ kind: "reversal", reverts: "ours" });
    expect(answer.results[0]).toStrictEqual({ id: 1, outcome: "reverted", fields: ["price"] });
  });

  test("stops between two parts when its time is over, others wait or the caller has other rights, and says where", async () => {
    for (const given of [{ lastsParts: 1 }, { stops: "others" }, { stops: "rights" }] as const)
      expect(succeeded(await begin(given).revert())).toMatchObject({ total: 20, next: 20 });
    expect(succeeded(await begin({ lastsParts: 2 }).revert())).toMatchObject({ total: 40, next: 40 });
    expect(succeeded(await begin({ stops: "others", vehicles: 20 }).revert())).toMatchObject({ total: 20, next: null });
  });

  test("answers what it made before the database was lost, and nothing else is hidden", async () => {
    const lost = { failsAtPart: 2, isUnavailable: true };
    expect(succeeded(await begin(lost).revert())).toMatchObject({ total: 20, next: 20 });
    expect(async () => begin({ ...lost, failsAtPart: 1 }).revert()).toThrow("lost");
    expect(async () => begin({ failsAtPart: 2 }).revert()).toThrow("lost");
  });

  test("lets others run when it has looked at vehicles for long", async () => {
    for (const [revertMs, pauses] of [
      [0, 0],
      [1, 1],
      [2, 2],
    ] as const) {
      const { revert, asked } = begin({ vehicles: 3, revertMs });
      succeeded(await revert());
      expect(asked.pauses).toBe(pauses);
    }
  });

  test("goes on as the same change, if the same caller began it", async () => {
    const former = changeOf("undo", { kind: "reversal", at: "2026-03-10T00:00:00.000Z" });
    const idOf = async (query: object, by: Principal = admin, more: Partial<StoredChange> = { revertedBy: "undo" }) => {
      const { revert, asked } = begin({ stored: [changeOf("ours", more), former] });
      succeeded(await revert(query, by));
      return asked.by[0]?.change;
    };
    expect(await idOf({ after: 20 })).toMatchObject({ id: "undo", at: former.at, reverts: "ours" });
    const others = [
      await idOf({}),
      await idOf({ after: 20 }, superAdminKey({ keyId: 2 })),
      await idOf({ after: 20 }, superAdminKey({ keyId: null, userId: 1 })),
      await idOf({ after: 20 }, admin, {}),
      await idOf({ after: 20 }, admin, { revertedBy: "gone" }),
    ];
    for (const change of others) {
      expect(change).toMatchObject({ kind: "reversal", reverts: "ours" });
      expect(change?.id).not.toBe("undo");
    }
  });

  test("is of the caller's dealer, else of the one that was asked for", async () => {
    const scopesOf = async (query: object, by: Principal) => {
      const { revert, asked } = begin({ vehicles: 1 });
      succeeded(await revert(query, by));
      return new Set(asked.scopes);
    };
    expect(await scopesOf({}, admin)).toEqual(new Set([null]));
    expect(await scopesOf({ dealer_id: 3 }, admin)).toEqual(new Set([3]));
    expect(await scopesOf({ dealer_id: 3 }, dealerKey(1))).toEqual(new Set([1]));
  });

  test("is refused of what cannot be reverted, with the reason, and not found of what is not there", async () => {
    const reasonOf = async (fields: Partial<StoredChange>) =>
      causeOf(await begin({ stored: [changeOf("ours", fields)] }).revert());
    expect(await reasonOf({ kind: "reversal" })).toMatchObject({
      kind: "not-revertible",
      reason: expect.stringMatching("is a reversal"),
    });
    expect(await reasonOf({ revertible: 0 })).toMatchObject({
      kind: "not-revertible",
      reason: expect.stringMatching("changed no field"),
    });
    expect(causeOf(await begin().revert({}, admin, "gone"))).toMatchObject({ kind: "not-found", id: "gone" });
  });

  test("says of each vehicle what became of it, and with names what it is called", async () => {
    const trail = (id: number): Partial<VehicleTrail> =>
      id === 1 ? { present: null } : id === 2 ? { entries: null } : id === 5 ? { shown: { price: 80 } } : {};
    const given: Given = { vehicles: 5, trail, refused: [4] };
    const { revert, asked } = begin(given);
    const { results, change_id } = succeeded(await revert());
    expect([asked.reverted, change_id]).toEqual([[3, 4], asked.by[0]?.change?.id ?? ""]);
    expect(results).toStrictEqual([
      { id: 1, outcome: "not_found", fields: [] },
      { id: 2, outcome: "changed_since", fields: [] },
      { id: 3, outcome: "reverted", fields: ["price"] },
      { id: 4, outcome: "changed_since", fields: [] },
      { id: 5, outcome: "changed_since", fields: [] },
    ]);
    const named = succeeded(await begin(given).revert({ include: "names" })).results;
    expect(named.slice(0, 2)).toMatchObject([
      { name: null, stock_number: null },
      { name: "2024 Toyota Camry", stock_number: "S2" },
    ]);
    const none = succeeded(await begin({ ...given, vehicles: 2 }).revert());
    expect([none.change_id, none.total]).toEqual([null, 2]);
  });

  test("keeps values that are not valid beside those that were kept", async () => {
    const trail = (id: number): Partial<VehicleTrail> => ({
      present: { id, ...vehicleFields(1, { status: "sold", stage: null }) } as Vehicle,
      shown: { status: "sold", stage: null },
      entries: [
        { id, changeId: "ours", reverts: null, dealerId: 1, before: { stage: "in_prep" }, after: { stage: null } },
      ],
    });
    const { results } = succeeded(await begin({ vehicles: 1, trail }).revert());
    expect(results).toStrictEqual([{ id: 1, outcome: "changed_since", fields: [] }]);
  });
});
