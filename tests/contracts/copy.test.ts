import { expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import { copyDatabase } from "../../adapters/sql/schema/copy.ts";
import { makeUsageRepository } from "../../adapters/sql/usage/repository.ts";
import { makeUsageStore } from "../../adapters/sql/usage/store.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { ENGINES } from "../support/engines.ts";
import {
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
/** More than one read returns. */
const HOURS = 1500;
const ALWAYS = { first: "2000-01-01T00:00:00.000Z", last: "2100-01-01T00:00:00.000Z" };

for (const from of ENGINES)
  for (const into of ENGINES)
    test(`a copy from ${from.name} into ${into.name} has the usage of every key, and new denials get new numbers`, async () => {
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
    test(`a copy from ${from.name} into ${into.name} keeps which usage is older than a key's present dealer`, async () => {
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

for (const from of ENGINES)
  for (const into of ENGINES)
    test(`a copy from ${from.name} into ${into.name} has vehicles that were sold before sales were kept`, async () => {
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
