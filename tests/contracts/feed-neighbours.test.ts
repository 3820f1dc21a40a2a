import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { fetchWriter } from "../../adapters/sql/feeds/fetches.ts";
import { makeFeedsOfVehicle } from "../../adapters/sql/feeds/of-vehicle.ts";
import { makeFeedRepository } from "../../adapters/sql/feeds/repository.ts";
import { makeFeedService } from "../../adapters/sql/feeds/service.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { fieldsAfter } from "../../core/feeds/feed.ts";
import { UnknownDealers } from "../../core/feeds/feed-repository.ts";
import type { VehicleFields } from "../../core/vehicles/vehicle-repository.ts";
import { changedRows, type NamedRows } from "../support/changed-rows.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, momentAfter, vehicleFields } from "../support/records.ts";
import { storedImages } from "../support/stored-images.ts";

setDefaultTimeout(300_000);

const VIN = "1HGCM82633A004352";
const SEEN = { scope: null, visibility: "everything", now: MOMENT } as const;
const FETCH = { at: MOMENT, address: "203.0.113.7", agent: null, status: 200, rows: 1, left_out: 0 };

for (const engine of ENGINES)
  describe(`feeds beside others on ${engine.name}`, () => {
    const clock = fakeClock();
    let db: SqlDatabase;
    let feeds: ReturnType<typeof makeFeedRepository>;
    let north = 0;
    let south = 0;

    beforeEach(async () => {
      db = await engine.open();
      feeds = makeFeedRepository(db);
      const newDealer = async (name: string) =>
        (await makeDealerRepository(db).insert(dealerFields({ name }), OPERATOR)).id;
      [north, south] = [await newDealer("North"), await newDealer("South")];
    });
    afterEach(() => db.close());

    const fieldsOf = (dealerIds: readonly number[] | null) =>
      fieldsAfter(
        { name: "Own", channel: "csv", currency: "USD", mileage_unit: "mi" } as const,
        dealerIds === null ? {} : { dealer_ids: [...dealerIds] },
      );
    const feed = async (dealerIds: readonly number[] | null, token = `of ${dealerIds}`): Promise<number> =>
      Number(await feeds.insert({ fields: fieldsOf(dealerIds), tokenHash: token, now: MOMENT, by: OPERATOR }));
    const change = (id: number, scope: number | null = null) => ({ id, scope, now: MOMENT, by: OPERATOR });

    const state = async (): Promise<NamedRows> => {
      const [kept, tokens, fetches] = [
        await db.selectFrom("feeds").selectAll().execute(),
        await db.selectFrom("feed_tokens").selectAll().execute(),
        await db.selectFrom("feed_fetches").selectAll().execute(),
      ];
      return new Map([
        ...kept.map((row) => [`feed ${row.id}`, JSON.stringify(row)] as const),
        ...tokens.map((row) => [`token ${row.hash}`, JSON.stringify(row)] as const),
        ...fetches.map((row) => [`fetch ${row.id} of ${row.feed_id}`, JSON.stringify(row)] as const),
      ]);
    };
    /** What a step changed, added or deleted. */
    const changedBy = async (step: () => Promise<unknown>): Promise<readonly string[]> =>
      (await changedRows(state, step)).map((name) => name.replace(/^fetch \d+ of/, "fetch of")).sort();

    test("change, rotate and go alone, with their own addresses and fetches", async () => {
      const [one, other] = [await feed([north], "one"), await feed([north], "other")];
      await db.write(async (tx) => {
        await tx
          .insertInto("feed_tokens")
          .values({ hash: "older", feed_id: other, ends_at: momentAfter(9) })
          .execute();
        await tx
          .insertInto("feed_tokens")
          .values({ hash: "old", feed_id: one, ends_at: momentAfter(9) })
          .execute();
      });
      const writer = fetchWriter(db, clock);
      for (const id of [one, other]) writer.record(id, FETCH);
      await writer.flush();
      const graceEnds = momentAfter(60_000);
      const rotate = () => feeds.rotate({ ...change(one), tokenHash: "new", graceEnds, refusal: () => null });
      expect(await changedBy(rotate)).toEqual([`feed ${one}`, "token new", "token old", "token one"]);
      const graceOf = async (id: number) => made(await feeds.find(id, SEEN)).feed.grace_until;
      expect([await graceOf(one), await graceOf(other)]).toEqual([graceEnds, momentAfter(9)]);
      expect(made(await feeds.find(other, { ...SEEN, now: momentAfter(9) })).feed.grace_until).toBeNull();
      const renamed = () =>
        feeds.update({
          ...change(one),
          takesOver: false,
          decide: ({ fields, endedBy }) => ({ fields: { ...fields, name: "Changed" }, endedBy }),
        });
      expect(await changedBy(renamed)).toEqual([`feed ${one}`]);
      expect(await changedBy(() => feeds.remove({ ...change(one), refusal: () => null }))).toEqual([
        `feed ${one}`,
        `fetch of ${one}`,
      ]);
      expect([await feeds.find(one, SEEN), await feeds.stored(one, null)]).toEqual([null, null]);
      expect((await feeds.list({ ...SEEN, limit: 9, after: null })).items.map((item) => item.feed.id)).toEqual([other]);
    });

    test("are of the dealer in scope, and only of dealers that are there", async () => {
      const ids = [await feed([north]), await feed([south]), await feed(null, "all")];
      const listed = async (scope: number | null) =>
        (await feeds.list({ ...SEEN, scope, limit: 9, after: null })).items.map((item) => item.feed.id);
      expect([await listed(null), await listed(north), await listed(south)]).toEqual([
        ids.toReversed(),
        ids.slice(0, 1),
        ids.slice(1, 2),
      ]);
      expect([
        await feeds.stored(ids[1] ?? 0, north),
        await feeds.find(ids[1] ?? 0, { ...SEEN, scope: north }),
      ]).toEqual([null, null]);
      const unknown = await feeds.insert({
        ...{ fields: fieldsOf([north, south + 99]), tokenHash: "unknown", now: MOMENT, by: OPERATOR },
      });
      expect(unknown).toEqual(new UnknownDealers([south + 99]));
    });

    test("are served at their own address, which is theirs alone", async () => {
      const [one, other] = [await feed([north], "one"), await feed([south], "other")];
      const service = makeFeedService(db, { clock, cache: { cacheValue: (read) => read } });
      const served = async (id: number, token: string) => (await service.findByToken(id, token, MOMENT))?.id ?? null;
      expect([await served(one, "one"), await served(other, "other")]).toEqual([one, other]);
      expect([await served(one, "other"), await served(other, "one"), await served(one, "none")]).toEqual([
        null,
        null,
        null,
      ]);
    });

    test("count and keep their own fetches, while they are there", async () => {
      const [one, other, gone] = [await feed([north]), await feed([south]), await feed(null, "gone")];
      await feeds.remove({ ...change(gone), refusal: () => null });
      const writer = fetchWriter(db, clock);
      for (let count = 0; count < 3; count++) writer.record(other, FETCH);
      await writer.flush();
      const counted = async () => {
        writer.take({ id: one, hour: null }, 9);
        await writer.flush();
      };
      expect(await changedBy(counted)).toEqual([`feed ${one}`]);
      const fetched = async () => {
        for (let count = 0; count < 22; count++) for (const id of [one, gone]) writer.record(id, FETCH);
        await writer.flush();
        writer.record(one, { ...FETCH, status: 404 });
        await writer.flush();
      };
      expect(await changedBy(fetched)).toEqual(new Array(20).fill(`fetch of ${one}`));
      const { fetches } = made(await feeds.find(one, SEEN)).feed;
      expect([fetches.length, fetches[0]?.status]).toEqual([20, 404]);
      expect(made(await feeds.find(other, SEEN)).feed.fetches).toHaveLength(3);
    });

    test("of a vehicle are those in scope, with its own images and dealer, and what repeats it there", async () => {
      const vehicles = makeVehicleRepository(db);
      const add = async (dealer: number, fields: Partial<VehicleFields>) =>
        made(await vehicles.insert(vehicleFields(dealer, fields), OPERATOR)).id;
      const own = await add(north, { vin: VIN, stock_number: "A1" });
      const theirs = await add(south, { stock_number: "a1" });
      for (const vehicleId of [own, theirs]) {
        const draft = { image_url: `https://images.example.com/${vehicleId}.jpg` };
        await storedImages(db).add({ vehicleId, scope: null, draft, now: MOMENT, by: OPERATOR });
      }
      const [ofNorth, ofSouth, ofAll, gone] = [
        ...[await feed([north]), await feed([south]), await feed(null, "all"), await feed([north], "gone")],
      ] as const;
      await feeds.remove({ ...change(gone), refusal: () => null });
      const of = makeFeedsOfVehicle(db, clock);
      const told = async (id: number, scope: number | null) => {
        const found = await of.of(id, scope);
        return found === null
          ? null
          : {
              name: found.published.dealer.name,
              images: found.published.images,
              feeds: found.feeds.map(({ id: feedId, repeated }) => [feedId, repeated.vin, repeated.stock_number]),
            };
      };
      const images = [`https://images.example.com/${own}.jpg`];
      expect(await told(own, north)).toEqual({ name: "North", images, feeds: [[ofNorth, false, false]] });
      expect(await told(own, south)).toBeNull();
      expect(await told(own, null)).toEqual({
        ...{ name: "North", images },
        feeds: [
          [ofAll, false, false],
          [ofNorth, false, false],
        ],
      });
      const ofTheirs = await told(theirs, null);
      expect([ofTheirs?.name, ofTheirs?.feeds.map(([id]) => id)]).toEqual(["South", [ofAll, ofSouth]]);
      // Newer ones with the same numbers: the VIN repeats in all feeds that have both, the stock number at its dealer.
      await add(south, { vin: VIN.toLowerCase(), created_at: momentAfter(1000) });
      await add(north, { stock_number: "A1", created_at: momentAfter(1000) });
      expect((await told(own, null))?.feeds).toEqual([
        [ofAll, true, true],
        [ofNorth, false, true],
      ]);
    });
  });
