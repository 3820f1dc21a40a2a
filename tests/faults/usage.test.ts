import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import { makeUsageRepository } from "../../adapters/sql/usage/repository.ts";
import { makeUsageStore } from "../../adapters/sql/usage/store.ts";
import { usageWriter } from "../../adapters/usage/writer.ts";
import { fakeClock } from "../support/clock.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { keyFields, MOMENT, made, newSecret, OPERATOR } from "../support/records.ts";
import { startRelay } from "../support/relay.ts";
import { wholeHistoryOf } from "../support/usage.ts";

setDefaultTimeout(300_000);

const ALWAYS = { first: "2000-01-01T00:00:00.000Z", last: "2100-01-01T00:00:00.000Z" };
const KEYS = 5;

for (const engine of ENGINES.filter(({ name }) => name === "PostgreSQL"))
  describe(`usage counted while ${engine.name} goes away and comes back`, () => {
    test("is completely written once the database is back, and nothing of it twice, whichever answers were lost", async () => {
      const url = await engine.migratedUrl();
      const direct = await engine.open(url);
      const keys = makeKeyRepository(direct, () => {});
      const ids: number[] = [];
      for (let count = 0; count < KEYS; count++)
        ids.push(made(await keys.insert({ key: keyFields(), secret: newSecret(), now: MOMENT, by: OPERATOR })).id);
      const relay = startRelay(url);
      const db = connect(relay.url);
      const writer = usageWriter(makeUsageStore(db), fakeClock(), "behind the relay");
      let counted = 0;
      let failures = 0;
      for (let round = 0; round < 120; round++) {
        for (const id of ids) writer.meter.count(id, "served");
        counted++;
        const writing = writer.write().catch(() => failures++);
        // Each round breaks the transaction at a different point.
        for (let turn = 0; turn < round % 40; turn++) await new Promise((resume) => setImmediate(resume));
        if (round % 2 === 0) relay.become("broken");
        await writing;
        relay.become("fair");
      }
      const written = async () =>
        writer.write().then(
          () => true,
          () => false,
        );
      await eventually(written, Boolean);
      await writer.stop();
      expect(failures).toBeGreaterThan(0);
      for (const id of ids) {
        const { hours } = await makeUsageRepository(direct).of(wholeHistoryOf(id), ALWAYS);
        expect(hours.map(({ served }) => served)).toEqual([counted]);
      }
      await db.close();
      await direct.close();
    });
  });
