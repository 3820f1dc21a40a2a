import { expect, setDefaultTimeout, test } from "bun:test";
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
import { ENGINES } from "../support/engines.ts";
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

for (const from of ENGINES)
  for (const into of ENGINES)
    test(`a copy from ${from.name} into ${into.name} has the usage of every key, and numbers new denials anew`, async () => {
      const [source, target] = [await from.open(), await into.open()];
      const keys = makeKeyRepository(source, () => {});
      const ids: number[] = [];
      for (let count = 0; count < 2; count++)
        ids.push(made(await keys.insert({ key: keyFields(), secret: newSecret(), now: MOMENT, by: OPERATOR })).id);
      const row = (keyId: number) => ({ keyId, at: MOMENT, ...denial() });
      await makeUsageStore(source).add(
        "a process",
        {
          number: 1,
          hours: ids.flatMap((keyId) =>
            Array.from({ length: HOURS }, (_, hour) => ({
              keyId,
              hour: momentAfter(hour * HOUR_MS),
              ...counts({ served: hour, unauthorized: keyId }),
            })),
          ),
          uses: ids.map((keyId) => ({ keyId, at: MOMENT, address: "198.51.100.1", user_agent: "curl/8" })),
          denials: ids.map(row),
          oldSecrets: [],
        },
        MOMENT,
      );
      const copied = await copyDatabase(source, target, () => {});
      expect(copied.find(({ table }) => table === "key_usage_hours")?.rows).toBe(2 * HOURS);
      for (const id of ids)
        expect(await makeUsageRepository(target).of(wholeHistoryOf(id), ALWAYS)).toEqual(
          await makeUsageRepository(source).of(wholeHistoryOf(id), ALWAYS),
        );
      await makeUsageStore(target).add(
        "another",
        { number: 1, hours: [], uses: [], denials: ids.map(row), oldSecrets: [] },
        MOMENT,
      );
      await Promise.all([source.close(), target.close()]);
    });

for (const from of ENGINES)
  for (const into of ENGINES)
    test(`a copy from ${from.name} into ${into.name} keeps which usage dates from before the key's current dealer`, async () => {
      const [source, target] = [await from.open(), await into.open()];
      const newDealer = async () => made(await makeDealerRepository(source).insert(dealerFields(), OPERATOR)).id;
      const [north, south] = [await newDealer(), await newDealer()];
      const keys = makeKeyRepository(source, () => {});
      const fields = keyFields({ dealerId: north });
      const key = made(await keys.insert({ key: fields, secret: newSecret(), now: MOMENT, by: OPERATOR }));
      await makeUsageStore(source).add(
        "a process",
        {
          number: 1,
          hours: [{ keyId: key.id, hour: MOMENT, ...counts({ served: 3 }) }],
          uses: [{ keyId: key.id, at: MOMENT, address: null, user_agent: null }],
          denials: [],
          oldSecrets: [],
        },
        MOMENT,
      );
      const moved = { ...fields, dealerId: south };
      made(
        await keys.update({
          seen: key,
          visibility: "everything",
          fields: moved,
          now: momentAfter(2 * HOUR_MS),
          by: OPERATOR,
        }),
      );
      await copyDatabase(source, target, () => {});
      const usage = makeUsageRepository(target);
      expect(await usage.totals({ dealerId: south }, ALWAYS)).toEqual([]);
      const kept = await usage.totals({ dealerId: north }, ALWAYS);
      expect(kept.map(({ served }) => served)).toEqual([3]);
      const found = await makeKeyRepository(target, () => {}).find(key.id, { dealerId: south });
      expect(found).toMatchObject({ id: key.id, lastUsedAt: null });
      await Promise.all([source.close(), target.close()]);
    });

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

for (const from of ENGINES)
  for (const into of ENGINES)
    test(`a copy from ${from.name} into ${into.name} has the history, sales and removed vehicles`, async () => {
      const [source, target] = [await from.open(), await into.open()];
      const newDealer = async () => made(await makeDealerRepository(source).insert(dealerFields(), OPERATOR)).id;
      const dealers = [await newDealer(), await newDealer()] as const;
      const [north, south] = dealers;
      const [before, after] = [lotOn(source), lotOn(target)];
      const reduced = await before.add(north, { price: 1000 });
      await before.change(reduced, { price: 900, mileage: 7 }, momentAfter(1000));
      const sold = await before.add(north, { price: 1000 });
      const { updated_at: version } = await before.change(sold, { price: 950, status: "sold" }, momentAfter(2000));
      const sale = { sold_price: 940.5, note: "With winter tyres" };
      const now = momentAfter(3000);
      const told = { vehicleId: sold, scope: null, version, changes: sale, now, by: OPERATOR };
      expect(await before.sales.change(told)).toMatchObject(sale);
      // Sold again by the next dealer.
      const moved = await before.add(north, { status: "sold", sold_at: MOMENT });
      await before.change(moved, { dealer_id: south }, momentAfter(2000));
      const gone = await before.add(south, { trim: "XSE", status: "sold", sold_at: MOMENT });
      await before.change(gone, { mileage: 1 }, momentAfter(1000));
      await before.remove(gone, momentAfter(2000));
      const ids = [reduced, sold, moved];

      await copyDatabase(source, target, () => {});
      expect(await after.told(ids, dealers)).toEqual(await before.told(ids, dealers));
      expect(await after.sales.find(sold, north)).toMatchObject(sale);
      expect(await after.listRemoved()).toEqual(await before.listRemoved());
      // Later changes have the same effects in both.
      for (const lot of [before, after]) {
        await lot.restore(gone);
        await lot.change(gone, { mileage: 2 }, momentAfter(10_000));
        await lot.change(sold, { status: "available" }, momentAfter(10_000));
        await lot.change(reduced, { price: 850, status: "sold" }, momentAfter(10_000));
      }
      expect(await after.listRemoved()).toEqual([]);
      expect(await after.told([...ids, gone], dealers)).toEqual(await before.told([...ids, gone], dealers));
      expect(await after.sales.find(reduced, north)).toMatchObject({ sold_price: 850, sold_at: momentAfter(10_000) });
      await Promise.all([source.close(), target.close()]);
    });

for (const from of ENGINES)
  for (const into of ENGINES)
    test(`a copy from ${from.name} into ${into.name} has vehicles that were sold before sales were recorded`, async () => {
      const [source, target] = [await from.open(), await into.open()];
      const dealer = made(await makeDealerRepository(source).insert(dealerFields(), OPERATOR)).id;
      const { id } = made(
        await makeVehicleRepository(source).insert(
          vehicleFields(dealer, { status: "sold", sold_at: MOMENT }),
          OPERATOR,
        ),
      );
      await source.migrate(async (run) => {
        await run("UPDATE vehicles SET sold_at = NULL");
        await run("DELETE FROM vehicle_sales");
      });
      const copied = await copyDatabase(source, target, () => {});
      expect(copied.find(({ table }) => table === "vehicle_sales")?.rows).toBe(0);
      expect((await makeVehicleRepository(target).find(id, null))?.parse()).toMatchObject({
        status: "sold",
        sold_at: null,
      });
      await Promise.all([source.close(), target.close()]);
    });
