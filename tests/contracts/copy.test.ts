import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeHistoryRepository } from "../../adapters/sql/history/repository.ts";
import { makeSaleRepository } from "../../adapters/sql/history/sales.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeRemovedRepository } from "../../adapters/sql/removed/repository.ts";
import { copyDatabase } from "../../adapters/sql/schema/copy.ts";
import { makeUsageRepository } from "../../adapters/sql/usage/repository.ts";
import { makeUsageStore } from "../../adapters/sql/usage/store.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { VehicleUpdate } from "../../core/vehicles/vehicle-repository.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { changeStoredKey } from "../support/key-changes.ts";
import {
  actingKey,
  dealerFields,
  keyFields,
  MOMENT,
  made,
  momentAfter,
  newSecret,
  OPERATOR,
  vehicleFields,
} from "../support/records.ts";
import { counts, denial, wholeHistoryOf } from "../support/usage.ts";

setDefaultTimeout(300_000);

const HOUR_MS = 3_600_000;
/** More rows than one read returns. */
const HOURS = 1500;
const ALWAYS = { first: "2000-01-01T00:00:00.000Z", last: "2100-01-01T00:00:00.000Z" };

/** The history, sales and removals of vehicles in a database. */
const lotOn = (db: SqlDatabase) => {
  const vehicles = makeVehicleRepository(db);
  const sales = makeSaleRepository(db);
  const history = makeHistoryRepository(db);
  const removed = makeRemovedRepository(db);
  const page = { limit: 100, offset: 0 };
  return {
    sales,
    removed,
    add: async (dealerId: number, fields: Parameters<typeof vehicleFields>[1] = {}) =>
      made(await vehicles.insert(vehicleFields(dealerId, fields), OPERATOR)).parse().id,
    change: async (id: number, changes: VehicleUpdate, at: string) =>
      made(await vehicles.update({ id, scope: null, changes, now: at, versions: null, by: actingKey(7) })).parse(),
    remove: (id: number, now: string) => vehicles.remove({ id, scope: null, versions: null, now, by: actingKey(7) }),
    restore: async (id: number) =>
      made(await removed.restore({ id, scope: null, since: MOMENT, now: momentAfter(9000), by: OPERATOR })),
    /** The current sale of each vehicle, and the history that each dealer sees. */
    told: async (ids: readonly number[], dealers: readonly number[]) => {
      const told: unknown[] = [];
      for (const vehicleId of ids)
        for (const dealerId of dealers)
          told.push([
            vehicleId,
            dealerId,
            await sales.find(vehicleId, dealerId),
            await history.read({ vehicleId, dealerId, scope: dealerId, field: null, page, after: null }),
          ]);
      return told;
    },
    listRemoved: async () =>
      (await removed.list({ scope: null, visibility: "everything", since: MOMENT, filter: {}, page })).items,
  };
};

const newDealer = async (db: SqlDatabase): Promise<number> =>
  made(await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;

const denialOf = (keyId: number) => ({ keyId, at: MOMENT, ...denial() });

/** Two keys with usage of many hours. */
const addUsedKeys = async (db: SqlDatabase): Promise<readonly number[]> => {
  const keys = makeKeyRepository(db, () => {});
  const ids: number[] = [];
  for (let count = 0; count < 2; count++)
    ids.push(made(await keys.insert({ key: keyFields(), secret: newSecret(), now: MOMENT, by: OPERATOR })).id);
  const batch = {
    number: 1,
    hours: ids.flatMap((keyId) =>
      Array.from({ length: HOURS }, (_, hour) => ({
        keyId,
        hour: momentAfter(hour * HOUR_MS),
        ...counts({ served: hour, unauthorized: keyId }),
      })),
    ),
    uses: ids.map((keyId) => ({ keyId, at: MOMENT, address: "198.51.100.1", user_agent: "curl/8" })),
    denials: ids.map(denialOf),
    oldSecrets: [],
  };
  await makeUsageStore(db).add("a process", batch, MOMENT);
  return ids;
};

/** A key that was used by one dealer, and then given to another. */
const addMovedKey = async (db: SqlDatabase): Promise<{ keyId: number; north: number; south: number }> => {
  const [north, south] = [await newDealer(db), await newDealer(db)];
  const keys = makeKeyRepository(db, () => {});
  const fields = keyFields({ dealerId: north });
  const key = made(await keys.insert({ key: fields, secret: newSecret(), now: MOMENT, by: OPERATOR }));
  const batch = {
    number: 1,
    hours: [{ keyId: key.id, hour: MOMENT, ...counts({ served: 3 }) }],
    uses: [{ keyId: key.id, at: MOMENT, address: null, user_agent: null }],
    denials: [],
    oldSecrets: [],
  };
  await makeUsageStore(db).add("another process", batch, MOMENT);
  const moved = { ...fields, dealerId: south };
  const now = momentAfter(2 * HOUR_MS);
  made(await changeStoredKey(keys, key, { does: "change", fields: moved, now }));
  return { keyId: key.id, north, south };
};

const SALE = { sold_price: 940.5, note: "With winter tyres" };

/** Vehicles of two dealers: one that was reduced, a sold one, one that was sold again by the next dealer, a removed one. */
const addLot = async (db: SqlDatabase) => {
  const dealers = [await newDealer(db), await newDealer(db)] as const;
  const [north, south] = dealers;
  const lot = lotOn(db);
  const reduced = await lot.add(north, { price: 1000 });
  await lot.change(reduced, { price: 900, mileage: 7 }, momentAfter(1000));
  const sold = await lot.add(north, { price: 1000 });
  const { updated_at: version } = await lot.change(sold, { price: 950, status: "sold" }, momentAfter(2000));
  const told = { vehicleId: sold, scope: null, version, changes: SALE, now: momentAfter(3000), by: OPERATOR };
  expect(await lot.sales.change(told)).toMatchObject(SALE);
  const moved = await lot.add(north, { status: "sold", sold_at: MOMENT });
  await lot.change(moved, { dealer_id: south }, momentAfter(2000));
  const gone = await lot.add(south, { trim: "XSE", status: "sold", sold_at: MOMENT });
  await lot.change(gone, { mileage: 1 }, momentAfter(1000));
  await lot.remove(gone, momentAfter(2000));
  return { dealers, reduced, sold, moved, gone };
};

/** A vehicle that was sold before sales were recorded. */
const addOldSale = async (db: SqlDatabase): Promise<number> => {
  const fields = vehicleFields(await newDealer(db), { status: "sold", sold_at: MOMENT });
  const { id } = made(await makeVehicleRepository(db).insert(fields, OPERATOR));
  await db.migrate(async (run) => {
    await run(`UPDATE vehicles SET sold_at = NULL WHERE id = ${id}`);
    await run(`DELETE FROM vehicle_sales WHERE vehicle_id = ${id}`);
  });
  return id;
};

for (const from of ENGINES)
  for (const into of ENGINES)
    describe(`a copy from ${from.name} into ${into.name}`, () => {
      let source: TestDatabase;
      let target: TestDatabase;
      let copied: Awaited<ReturnType<typeof copyDatabase>>;
      let used: readonly number[];
      let key: Awaited<ReturnType<typeof addMovedKey>>;
      let lot: Awaited<ReturnType<typeof addLot>>;
      let oldSale: number;

      beforeAll(async () => {
        [source, target] = [await from.open(), await into.open()];
        used = await addUsedKeys(source);
        key = await addMovedKey(source);
        lot = await addLot(source);
        oldSale = await addOldSale(source);
        copied = await copyDatabase(source, target, () => {});
      });
      afterAll(() => Promise.all([source.close(), target.close()]));

      test("has the usage of every key, and numbers new denials anew", async () => {
        expect(copied.find(({ table }) => table === "key_usage_hours")?.rows).toBe(2 * HOURS + 1);
        for (const id of used)
          expect(await makeUsageRepository(target).of(wholeHistoryOf(id), ALWAYS)).toEqual(
            await makeUsageRepository(source).of(wholeHistoryOf(id), ALWAYS),
          );
        const denials = used.map(denialOf);
        await makeUsageStore(target).add("later", { number: 1, hours: [], uses: [], denials, oldSecrets: [] }, MOMENT);
      });

      test("keeps which usage dates from before the key's current dealer", async () => {
        const usage = makeUsageRepository(target);
        expect(await usage.totals({ dealerId: key.south }, ALWAYS)).toEqual([]);
        const kept = await usage.totals({ dealerId: key.north }, ALWAYS);
        expect(kept.map(({ served }) => served)).toEqual([3]);
        const found = await makeKeyRepository(target, () => {}).find(key.keyId, { dealerId: key.south });
        expect(found).toMatchObject({ id: key.keyId, lastUsedAt: null });
      });

      test("has the history, sales and removed vehicles", async () => {
        const { dealers, reduced, sold, moved, gone } = lot;
        const [north] = dealers;
        const [before, after] = [lotOn(source), lotOn(target)];
        const ids = [reduced, sold, moved];
        expect(await after.told(ids, dealers)).toEqual(await before.told(ids, dealers));
        expect(await after.sales.find(sold, north)).toMatchObject(SALE);
        expect(await after.listRemoved()).toHaveLength(1);
        expect(await after.listRemoved()).toEqual(await before.listRemoved());
        // Later changes have the same effects in both.
        for (const each of [before, after]) {
          await each.restore(gone);
          await each.change(gone, { mileage: 2 }, momentAfter(10_000));
          await each.change(sold, { status: "available" }, momentAfter(10_000));
          await each.change(reduced, { price: 850, status: "sold" }, momentAfter(10_000));
        }
        expect(await after.listRemoved()).toEqual([]);
        expect(await after.told([...ids, gone], dealers)).toEqual(await before.told([...ids, gone], dealers));
        expect(await after.sales.find(reduced, north)).toMatchObject({
          sold_price: null,
          sold_at: momentAfter(10_000),
        });
      });

      test("has vehicles that were sold before sales were recorded", async () => {
        const sales = { text: `SELECT 1 AS one FROM vehicle_sales WHERE vehicle_id = ${oldSale}`, bind: () => [] };
        expect(await target.all(sales, {})).toHaveLength(0);
        expect((await makeVehicleRepository(target).find(oldSale, null))?.parse()).toMatchObject({
          status: "sold",
          sold_at: null,
        });
      });
    });
