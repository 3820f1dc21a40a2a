import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { fetchWriter } from "../../adapters/sql/feeds/fetches.ts";
import { makeFeedRepository } from "../../adapters/sql/feeds/repository.ts";
import { makeFeedService } from "../../adapters/sql/feeds/service.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { fieldsAfter } from "../../core/feeds/feed.ts";
import type { FeedRepository, FeedService, ServedFeed } from "../../core/feeds/feed-repository.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, momentAfter, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const HOUR_MS = 3_600_000;

for (const engine of ENGINES)
  describe(`the stored state of a feed on ${engine.name}`, () => {
    const clock = fakeClock();
    let db: SqlDatabase;
    let feeds: FeedRepository;
    let service: FeedService;
    const dealers: number[] = [];
    const change = { scope: null, now: MOMENT, by: OPERATOR } as const;

    beforeAll(async () => {
      db = await engine.open();
      feeds = makeFeedRepository(db);
      service = makeFeedService(db, { clock, cache: { cacheValue: (read) => read } });
      for (let count = 0; count < 3; count++)
        dealers.push((await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id);
    });
    afterAll(() => db.close());

    const newFeed = async (token: string, dealerIds: readonly number[] = dealers.slice(0, 1)): Promise<number> => {
      const body = { name: "Own", channel: "csv", currency: "USD", mileage_unit: "mi" } as const;
      const fields = fieldsAfter(body, { dealer_ids: [...dealerIds] });
      return Number(await feeds.insert({ fields, tokenHash: token, now: MOMENT, by: OPERATOR }));
    };
    const look = async (id: number, token: string, now = MOMENT): Promise<ServedFeed> =>
      made(await service.findByToken(id, token, now));
    const update = (id: number, dealerIds: readonly number[]) =>
      feeds.update({
        ...change,
        id,
        takesOver: false,
        decide: ({ fields, endedBy }) => ({ fields: fieldsAfter(fields, { dealer_ids: [...dealerIds] }), endedBy }),
      });

    test("is the feed's own: what was seen, counted and held", async () => {
      const [one, other] = [await newFeed("its one"), await newFeed("its other")];
      const { updatedAt } = await look(one, "its one");
      const before = await look(other, "its other");
      await service.saveState(one, { state: "seen", modifiedAt: MOMENT });
      await service.saveCounts(one, updatedAt, { state: "counted", rows: 7, leftOut: 2, reason: null });
      await service.hold(one, updatedAt, { at: MOMENT, rows: 1, before: 7 });
      expect(await look(one, "its one")).toMatchObject({
        seen: { state: "seen", modifiedAt: MOMENT },
        counted: { state: "counted", rows: 7, leftOut: 2 },
        held: { rows: 1, before: 7 },
      });
      expect(await look(other, "its other")).toEqual(before);
    });

    test("ignores a count from before a change, and such a count does not hold the feed", async () => {
      const id = await newFeed("changed");
      const { updatedAt } = await look(id, "changed");
      await update(id, dealers.slice(1, 2));
      await service.saveCounts(id, updatedAt, { state: "counted", rows: 7, leftOut: 2, reason: null });
      await service.hold(id, updatedAt, { at: MOMENT, rows: 1, before: 7 });
      expect(await look(id, "changed")).toMatchObject({ counted: null, held: null });
    });

    test("forgets the fetches of a feed that moves to another dealer, and of no other feed", async () => {
      const [moved, stays] = [await newFeed("moved"), await newFeed("stays")];
      const writer = fetchWriter(db, clock);
      for (const id of [moved, stays])
        writer.record(id, { at: MOMENT, address: "203.0.113.7", agent: null, status: 200, rows: 1, left_out: 0 });
      await writer.flush();
      await update(moved, dealers.slice(1, 2));
      const fetchesOf = async (id: number) =>
        made(await feeds.find(id, { scope: null, visibility: "everything", now: MOMENT })).feed.fetches.length;
      expect([await fetchesOf(moved), await fetchesOf(stays)]).toEqual([0, 1]);
    });

    test("accepts an old token until its grace ends, to the millisecond", async () => {
      const id = await newFeed("old");
      const graceEnds = momentAfter(HOUR_MS);
      await feeds.rotate({ ...change, id, tokenHash: "new", graceEnds, refusal: () => null });
      expect(await service.findByToken(id, "old", momentAfter(HOUR_MS - 1))).not.toBeNull();
      expect(await service.findByToken(id, "old", graceEnds)).toBeNull();
      expect(await service.findByToken(id, "new", graceEnds)).not.toBeNull();
    });

    test("of two dealers changes once the vehicles of one of them change, and not for a third dealer", async () => {
      const id = await newFeed("of two", dealers.slice(0, 2));
      const { state } = await look(id, "of two");
      const add = (dealer: number | undefined) =>
        makeVehicleRepository(db).insert(vehicleFields(dealer ?? 0), OPERATOR);
      await add(dealers[2]);
      expect((await look(id, "of two")).state).toBe(state);
      await add(dealers[1]);
      expect((await look(id, "of two")).state).not.toBe(state);
    });
  });
