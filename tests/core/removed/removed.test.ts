import { expect, test } from "bun:test";
import { makeRemoved } from "../../../core/removed/removed.ts";
import { DEALER_GONE, DEALER_INACTIVE, type RemovedRepository } from "../../../core/removed/removed-repository.ts";
import { JsonRecord } from "../../../core/stored-json.ts";
import { DuplicateVehicle } from "../../../core/vehicles/duplicates.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { fakeClock } from "../../support/clock.ts";
import { dealerKey, superAdminKey } from "../callers.ts";
import { causeOf, succeeded } from "../use-cases.ts";

const clock = fakeClock();
const admin = superAdminKey();

type Restored = Awaited<ReturnType<RemovedRepository["restore"]>>;

const begin = ({ restored = null, purged = true }: { restored?: Restored; purged?: boolean } = {}) => {
  const lists: Parameters<RemovedRepository["list"]>[0][] = [];
  const removed: RemovedRepository = {
    async list(query) {
      lists.push(query);
      return { total: 0, items: [] };
    },
    restore: async () => restored,
    purge: async () => purged,
    purgeSome: async () => 0,
  };
  return { ...makeRemoved({ removed, clock }), lists };
};

test("removed vehicles are listed of the caller's dealer, else of the one that was asked for", async () => {
  for (const [by, query, scope, filter, meta] of [
    [admin, {}, null, {}, { filterApplied: false, dealerId: null }],
    [
      admin,
      { dealer_id: 3, q: "camry" },
      null,
      { dealerId: 3, search: "camry" },
      { filterApplied: false, dealerId: 3 },
    ],
    [dealerKey(1), { dealer_id: 3 }, 1, { dealerId: 1 }, { filterApplied: true, dealerId: 1 }],
  ] as const) {
    const { list, lists } = begin();
    expect(succeeded(await list(by, query))).toMatchObject(meta);
    expect([lists[0]?.scope, lists[0]?.filter]).toStrictEqual([scope, filter]);
  }
});

test("a vehicle is taken back or removed for good, or it is said why not", async () => {
  const record = new JsonRecord<Vehicle>(5, clock.now(), JSON.stringify({ id: 5 }));
  expect<unknown>(await begin({ restored: record }).restore(admin, 5)).toBe(record);
  const causeAfter = async (restored: Restored) => causeOf(await begin({ restored }).restore(admin, 5));
  expect(await causeAfter(null)).toMatchObject({ kind: "not-found", subject: "vehicle", id: 5 });
  expect(await causeAfter(DEALER_INACTIVE)).toMatchObject({
    kind: "not-restorable",
    reason: expect.stringMatching("is inactive"),
  });
  expect(await causeAfter(DEALER_GONE)).toMatchObject({
    kind: "not-restorable",
    reason: expect.stringMatching("does not exist"),
  });
  expect((await causeAfter(new DuplicateVehicle({ vin: [6], stock_number: [] })))?.kind).toBe("duplicate-vehicle");
  expect(succeeded(await begin().purge(admin, 5))).toBe(true);
  expect(causeOf(await begin({ purged: false }).purge(admin, 5))).toMatchObject({ kind: "not-found", id: 5 });
});
