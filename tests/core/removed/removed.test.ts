import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Principal } from "../../../core/access/principal.ts";
import type { RemovedQuery } from "../../../core/removed/removed-vehicle.ts";
import { dealerKey, superAdminKey } from "../callers.ts";
import {
  causeOf,
  createDealerRecords,
  type DealerRecords,
  newVehicleBody,
  openUseCases,
  read,
  succeeded,
  type UseCases,
} from "../use-cases.ts";

const admin = superAdminKey();

let uses: UseCases;
let one: DealerRecords;
let other: DealerRecords;
beforeAll(async () => {
  uses = await openUseCases();
  one = await createDealerRecords(uses);
  other = await createDealerRecords(uses);
});
afterAll(() => uses.db.close());

test("removed vehicles are listed of the caller's dealer, else of the one that was asked for", async () => {
  const listed = async (by: Principal, query: RemovedQuery) => {
    const { items, ...meta } = succeeded(await uses.removed.list(by, query));
    return { ...meta, ids: items.map(({ id }) => id).sort() };
  };
  const [first, second] = [one.removedId, other.removedId];
  const of = { dealer_id: other.dealerId };
  expect(await listed(admin, {})).toEqual({ total: 2, filterApplied: false, dealerId: null, ids: [first, second] });
  const theirs = { total: 1, filterApplied: false, dealerId: other.dealerId, ids: [second] };
  expect(await listed(admin, of)).toEqual(theirs);
  expect(await listed(admin, { ...of, q: "camry" })).toEqual(theirs);
  expect(await listed(admin, { ...of, q: "corolla" })).toMatchObject({ total: 0, ids: [] });
  const bound = { total: 1, filterApplied: true, dealerId: one.dealerId, ids: [first] };
  for (const query of [{}, of]) expect(await listed(dealerKey(one.dealerId), query)).toEqual(bound);
});

test("a vehicle is taken back or removed for good, or it is said why not", async () => {
  const { dealerId } = await createDealerRecords(uses);
  const removed = async (): Promise<number> => {
    const { id } = succeeded(await uses.vehicles.create(admin, newVehicleBody({ dealer_id: dealerId, vin: "V1" })));
    succeeded(await uses.vehicles.remove(admin, id));
    return id;
  };
  const [back, again, purged] = [await removed(), await removed(), await removed()];
  const restore = (id: number) => uses.removed.restore(admin, id);
  expect(read(await restore(back)).id).toBe(back);
  expect(causeOf(await restore(back))).toMatchObject({ kind: "not-found", subject: "vehicle", id: back });
  succeeded(await uses.dealers.update(admin, { id: dealerId, input: { unique_vin: "refuse" } }));
  expect(causeOf(await restore(again))?.kind).toBe("duplicate-vehicle");
  expect(succeeded(await uses.removed.purge(admin, purged))).toBe(true);
  expect(causeOf(await uses.removed.purge(admin, purged))).toMatchObject({ kind: "not-found", id: purged });
  succeeded(await uses.dealers.deactivate(admin, dealerId));
  expect(causeOf(await restore(again))).toMatchObject({
    kind: "not-restorable",
    reason: expect.stringMatching("inactive"),
  });
});
