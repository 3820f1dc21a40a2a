import { expect, setDefaultTimeout, test } from "bun:test";
import { copyDatabase } from "../../adapters/sql/copy.ts";
import { makeKeyRepository } from "../../adapters/sql/keys.ts";
import { makeUsageRepository } from "../../adapters/sql/usage.ts";
import { makeUsageStore } from "../../adapters/sql/usage-store.ts";
import { ENGINES } from "../support/engines.ts";
import { keyFields, MOMENT, made, momentAfter, newSecret, OPERATOR } from "../support/records.ts";
import { counts, denial } from "../support/usage.ts";

setDefaultTimeout(60_000);

const HOUR_MS = 3_600_000;
/** More than are read at a time. */
const HOURS = 1500;
const ALWAYS = { first: "2000-01-01T00:00:00.000Z", last: "2100-01-01T00:00:00.000Z" };

for (const from of ENGINES)
  for (const into of ENGINES)
    test(`a copy from ${from.name} into ${into.name} has the usage of every key, and new denials get new numbers`, async () => {
      const [source, target] = [await from.open(), await into.open()];
      const keys = makeKeyRepository(source, () => {});
      const ids: number[] = [];
      for (let count = 0; count < 2; count++)
        ids.push(made(await keys.insert(keyFields(), newSecret(), MOMENT, OPERATOR)).id);
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
        },
        MOMENT,
      );
      const copied = await copyDatabase(source, target, () => {});
      expect(copied.find(({ table }) => table === "key_usage_hours")?.rows).toBe(2 * HOURS);
      for (const id of ids)
        expect(await makeUsageRepository(target).of(id, ALWAYS)).toEqual(
          await makeUsageRepository(source).of(id, ALWAYS),
        );
      await makeUsageStore(target).add("another", { number: 1, hours: [], uses: [], denials: ids.map(row) }, MOMENT);
      await Promise.all([source.close(), target.close()]);
    });
