import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeUsageRepository } from "../../adapters/sql/usage/repository.ts";
import { makeUsageStore } from "../../adapters/sql/usage/store.ts";
import { includingUnsaved } from "../../adapters/usage/including-unsaved.ts";
import { usageWriter } from "../../adapters/usage/writer.ts";
import type { UsageRepository } from "../../core/keys/usage-repository.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { denial, newKey, removeKey, wholeHistoryOf } from "../support/usage.ts";

setDefaultTimeout(300_000);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NINE = "2026-03-14T09:00:00.000Z";
const ALWAYS = { first: "2000-01-01T00:00:00.000Z", last: "2100-01-01T00:00:00.000Z" };
const INSTANCES = ["one", "two", "three"];

for (const engine of ENGINES)
  describe(`usage that several processes count on ${engine.name}`, () => {
    let url: string;
    let db: SqlDatabase;
    let usage: UsageRepository;
    let writers = 0;

    beforeAll(async () => {
      url = await engine.migratedUrl();
      db = await engine.open(url);
      usage = makeUsageRepository(db);
    });
    afterAll(() => db.close());

    const hoursOf = async (keyId: number) => (await usage.of(wholeHistoryOf(keyId), ALWAYS)).hours;

    const processOn = (on: SqlDatabase, clock = fakeClock()) => {
      const writer = usageWriter(makeUsageStore(on), clock, `process ${++writers}`);
      return { clock, writer, seen: includingUnsaved(makeUsageRepository(on), writer) };
    };

    test("is exact if several instances add to the same hours while they are read", async () => {
      const ids = await Promise.all(Array.from({ length: 10 }, () => newKey(db)));
      const instances = await Promise.all(
        INSTANCES.map(async () => {
          const on = await engine.open(url);
          return { on, ...processOn(on) };
        }),
      );
      const [rounds, each] = [15, 40];
      await Promise.all(
        instances.map(async ({ writer, seen, clock }, instance) => {
          for (let round = 1; round <= rounds; round++) {
            for (let count = 0; count < each; count++)
              for (const id of instance % 2 ? ids.toReversed() : ids) writer.meter.count(id, "served");
            const underWay = writer.write();
            // A process's own counts are never missing or doubled, even while they are being written.
            const own = (await seen.of(wholeHistoryOf(ids[0] as number), ALWAYS)).hours.reduce(
              (sum, hour) => sum + hour.served,
              0,
            );
            expect(own).toBeGreaterThanOrEqual(round * each);
            expect(own).toBeLessThanOrEqual(rounds * each * INSTANCES.length);
            await underWay;
            if (round === 10) clock.advance(HOUR_MS);
          }
        }),
      );
      for (const id of ids)
        expect((await hoursOf(id)).map(({ served }) => served)).toEqual([
          10 * each * INSTANCES.length,
          5 * each * INSTANCES.length,
        ]);
      const totals = await usage.totals("everything", ALWAYS);
      const everyKey = await queryDatabase(url, "SELECT CAST(SUM(served) AS INTEGER) AS served FROM key_usage_hours");
      expect(everyKey).toEqual([{ served: totals.reduce((sum, hour) => sum + hour.served, 0) }]);
      for (const { on, writer } of instances) {
        await writer.stop();
        await on.close();
      }
    });

    test("is visible at once in the process that counted it, and is never counted twice when it is stored", async () => {
      const keyId = await newKey(db);
      const { writer, seen, clock } = processOn(db);
      const look = async () => {
        const { hours, lastUse, denials } = await seen.of(wholeHistoryOf(keyId), ALWAYS);
        const requests = (await seen.byKey([wholeHistoryOf(keyId)], ALWAYS)).reduce(
          (sum, row) => sum + row.requests,
          0,
        );
        return {
          served: hours.reduce((sum, hour) => sum + hour.served, 0),
          requests,
          at: lastUse?.at,
          codes: denials.map(({ code }) => code),
        };
      };
      const before = (await seen.totals("everything", ALWAYS)).reduce((sum, hour) => sum + hour.served, 0);
      writer.meter.count(keyId, "served");
      writer.meter.deny(keyId, denial({ code: "first" }));
      const expected = { served: 1, requests: 1, at: clock.now(), codes: ["first"] };
      expect(await look()).toEqual(expected);
      await writer.write();
      expect(await look()).toEqual(expected);
      clock.advance(1000);
      writer.meter.count(keyId, "served");
      writer.meter.deny(keyId, denial({ code: "second" }));
      expect(await look()).toEqual({ served: 2, requests: 2, at: clock.now(), codes: ["second", "first"] });
      const after = (await seen.totals("everything", ALWAYS)).reduce((sum, hour) => sum + hour.served, 0);
      expect(after - before).toBe(2);
      await writer.stop();
    });

    test("is deleted with its key", async () => {
      const keyId = await newKey(db);
      const { writer } = processOn(db);
      writer.meter.count(keyId, "served");
      await writer.write();
      writer.meter.count(keyId, "served");
      await removeKey(db, keyId);
      await writer.stop();
      expect(await queryDatabase(url, `SELECT hour FROM key_usage_hours WHERE key_id = ${keyId}`)).toEqual([]);
    });

    test("is kept for ninety days", async () => {
      const keyId = await newKey(db);
      const { writer, clock } = processOn(db);
      writer.meter.count(keyId, "served");
      const hoursAt = async (moment: string) => {
        clock.set(Date.parse(moment) + 90 * DAY_MS);
        await writer.writeAndClean();
        return (await hoursOf(keyId)).map(({ hour }) => hour);
      };
      expect(await hoursAt(clock.now())).toEqual([NINE]);
      // Deletion runs once an hour, and keeps an hour until all of it is older.
      expect(await hoursAt("2026-03-14T09:59:59.999Z")).toEqual([NINE]);
      expect(await hoursAt("2026-03-14T10:25:59.999Z")).toEqual([NINE]);
      expect(await hoursAt("2026-03-14T10:26:00.000Z")).toEqual([]);
    });
  });
