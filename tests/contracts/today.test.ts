import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeFeedRepository } from "../../adapters/sql/feeds/repository.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import { makeTodayRepository } from "../../adapters/sql/today/repository.ts";
import { makeUsageStore } from "../../adapters/sql/usage/store.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { fieldsAfter } from "../../core/feeds/feed.ts";
import { firstProgress } from "../../core/imports/after-step.ts";
import { optionsOf } from "../../core/imports/import.ts";
import type { DealerNow, TodayRepository } from "../../core/today/today-repository.ts";
import type { VehicleFields } from "../../core/vehicles/vehicle-repository.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
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
import { storedImages } from "../support/stored-images.ts";
import { counts, denial } from "../support/usage.ts";

setDefaultTimeout(300_000);

const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => momentAfter(-days * DAY_MS);
const WEEK_AGO = daysAgo(7);
const IMAGE = { image_url: "https://images.example.com/side.jpg", is_primary: true };

for (const engine of ENGINES)
  describe(`a dealer's lot today on ${engine.name}`, () => {
    let db: TestDatabase;
    let today: TodayRepository;
    let ours: number;
    let theirs: number;
    let at: DealerNow;

    const newDealer = async (): Promise<number> => (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
    const add = async (dealer: number, fields: Partial<VehicleFields>): Promise<number> =>
      made(await makeVehicleRepository(db).insert(vehicleFields(dealer, fields), OPERATOR)).id;
    const run = (text: string) => db.migrate(async (each) => void (await each(text)));
    /** The same questions about our dealer by a caller of another one, who finds nothing. */
    const foreign = (): DealerNow => ({ ...at, scope: theirs });

    beforeAll(async () => {
      db = await engine.open();
      today = makeTodayRepository(db);
    });
    afterAll(() => db.close());

    const begin = async (): Promise<void> => {
      [ours, theirs] = [await newDealer(), await newDealer()];
      at = { scope: ours, dealerId: ours, now: MOMENT };
    };

    test("has the number, value and ages of what is there now, what came lately, and what was sold lately", async () => {
      await begin();
      const price = 1000.01;
      for (const dealer of [ours, theirs]) {
        await add(dealer, { price, listed_at: daysAgo(2) });
        await add(dealer, { price, listed_at: daysAgo(30), status: "pending" });
        // It was listed when it was made.
        await add(dealer, { price });
        const sold = { price, status: "sold" } as const;
        await add(dealer, { ...sold, listed_at: daysAgo(20), sold_at: daysAgo(1) });
        await add(dealer, { ...sold, listed_at: daysAgo(3), sold_at: daysAgo(1) });
        await add(dealer, { ...sold, listed_at: daysAgo(90), sold_at: daysAgo(8) });
      }
      expect(await today.lot(at)).toEqual({ vehicles: 3, mark: expect.any(Number), cents: 300_003, ms: 32 * DAY_MS });
      expect(await today.listedAfter(at, WEEK_AGO)).toEqual({ vehicles: 2, ms: 2 * DAY_MS });
      expect(await today.listedAfter(at, MOMENT)).toEqual({ vehicles: 0, ms: 0 });
      expect(await today.soldAfter(at, WEEK_AGO)).toEqual({ vehicles: 1, ms: 13 * DAY_MS });
      expect(await today.lot({ ...at, scope: null })).toEqual(await today.lot(at));
      expect(await today.lot(foreign())).toBeNull();
      const none = { vehicles: 0, ms: 0 };
      expect(await today.listedAfter(foreign(), WEEK_AGO)).toEqual(none);
      expect(await today.soldAfter(foreign(), WEEK_AGO)).toEqual(none);
    });

    test("counts unsold vehicles without images, and has the first of those that were listed in some periods", async () => {
      await begin();
      const images = storedImages(db);
      const [first, second, border] = [
        await add(ours, { listed_at: daysAgo(62), title: null, stock_number: "A1", price: 5000 }),
        await add(ours, { listed_at: daysAgo(46) }),
        await add(ours, { listed_at: daysAgo(45) }),
      ];
      await add(ours, { listed_at: daysAgo(48) });
      await add(ours, { listed_at: daysAgo(46), status: "sold", sold_at: MOMENT });
      await add(theirs, { listed_at: daysAgo(46) });
      for (const [place, name] of ["back", "front"].entries()) {
        const draft = { image_url: `https://images.example.com/${name}.jpg`, is_primary: place === 1 };
        await images.add({ vehicleId: second, scope: null, draft, now: MOMENT, by: OPERATOR });
      }
      const mark = async () => (await today.lot(at))?.mark ?? 0;
      const before = await mark();
      expect(await today.withoutImages(at, before)).toBe(3);
      expect(await today.withoutImages(foreign(), before)).toBe(0);
      expect(await today.withoutImages({ ...at, scope: null }, before)).toBe(3);
      // A count is kept for its mark, which the first image of a vehicle changes, like a new vehicle.
      await images.add({ vehicleId: border, scope: null, draft: IMAGE, now: MOMENT, by: OPERATOR });
      expect(await today.withoutImages(at, before)).toBe(3);
      expect(await today.withoutImages(at, await mark())).toBe(2);
      await add(ours, { listed_at: daysAgo(1) });
      expect(await today.withoutImages(at, await mark())).toBe(3);
      const periods = [60, 45].map((line) => ({ after: daysAgo(line + 3), to: daysAgo(line) }));
      const found = await today.listedWithin(at, periods, 2);
      expect(found.total).toBe(3);
      const named = { year: 2024, make: "Toyota", model: "Camry" };
      expect(found.items).toEqual([
        {
          id: first,
          ...named,
          title: null,
          stock_number: "A1",
          listed_at: daysAgo(62),
          cents: 500_000,
          image_url: null,
          updated_at: expect.any(String),
        },
        {
          ...{ id: second, ...named, title: "2024 Toyota Camry", stock_number: null, listed_at: daysAgo(46) },
          ...{ cents: 2_599_999, image_url: "https://images.example.com/front.jpg", updated_at: expect.any(String) },
        },
      ]);
      expect((await today.listedWithin(at, periods, 8)).items.map(({ id }) => id)).toEqual([first, second, border]);
      expect(await today.listedWithin(foreign(), periods, 8)).toEqual({ total: 0, items: [] });
    });

    test("finds late sales without a price, the last one first", async () => {
      await begin();
      const sold = async (dealer: number, days: number): Promise<number> => {
        const id = await add(dealer, { listed_at: daysAgo(200) });
        const changes = { status: "sold", sold_at: daysAgo(days) } as const;
        made(
          await makeVehicleRepository(db).update({
            id,
            scope: null,
            changes,
            now: MOMENT,
            versions: null,
            by: OPERATOR,
          }),
        );
        return id;
      };
      const [older, newer, priced] = [await sold(ours, 9), await sold(ours, 2), await sold(ours, 3)];
      await sold(ours, 31);
      await sold(theirs, 2);
      await run(`UPDATE vehicle_sales SET sold_cents = 1 WHERE vehicle_id = ${priced}`);
      // Neither an earlier sale, nor one by another dealer, nor a date without a sale counts.
      for (const [dealer, present] of [
        [ours, 0],
        [theirs, 1],
      ])
        await run(`INSERT INTO vehicle_sales (vehicle_id, made_at, dealer_id, sold_cents, listed_at, present)
          VALUES (${newer}, '${daysAgo(90)}', ${dealer}, 1, '${daysAgo(200)}', ${present})`);
      await add(ours, { listed_at: daysAgo(200), sold_at: daysAgo(1) });
      const all = { after: daysAgo(30), among: 9, most: 8 };
      expect(await today.soldWithoutPrice(at, all)).toEqual({ total: 2, items: [newer, older] });
      expect(await today.soldWithoutPrice(at, { ...all, most: 1 })).toEqual({ total: 2, items: [newer] });
      expect(await today.soldWithoutPrice(at, { ...all, among: 2 })).toEqual({ total: 1, items: [newer] });
      expect(await today.soldWithoutPrice(foreign(), all)).toEqual({ total: 0, items: [] });
    });

    test("has what files said of the prices that were changed last, the latest file first", async () => {
      await begin();
      const vehicles = makeVehicleRepository(db);
      const repriced = async (dealer: number, days: number, fields: Partial<VehicleFields> = {}): Promise<number> => {
        const id = await add(dealer, { price: 20_000 });
        const changes = { price: 19_000.5, ...fields };
        made(await vehicles.update({ id, scope: null, changes, now: daysAgo(days), versions: null, by: OPERATOR }));
        return id;
      };
      const said = (id: number, dealer: number, source: string, base: string) =>
        run(`INSERT INTO import_bases (vehicle_id, source, dealer_id, updated_at, base)
          VALUES (${id}, '${source}', ${dealer}, '${daysAgo(source === "uploads" ? 1 : 2)}', '${base}')`);
      const [first, last] = [await repriced(ours, -2), await repriced(ours, -1)];
      const never = await add(ours, { price: 20_000 });
      const sold = await repriced(ours, -3, { status: "sold" });
      const foreigner = await repriced(theirs, -1);
      for (const id of [first, last, never, sold]) await said(id, ours, "uploads", '{"price": 20000.25}');
      await said(foreigner, theirs, "uploads", '{"price": 20000}');
      await said(first, ours, "mapping:1", '{"price": 19000.5}');
      await said(last, ours, "mapping:1", '{"make": "Toyota"}');
      await said(last, theirs, "mapping:2", '{"price": 19000.5}');
      expect(await today.repriced(at, 8)).toEqual([
        { id: first, price: 19_000.5, said: [20_000.25, 19_000.5] },
        { id: last, price: 19_000.5, said: [20_000.25] },
      ]);
      expect(await today.repriced(at, 1)).toHaveLength(1);
      expect(await today.repriced(foreign(), 8)).toEqual([]);
    });

    test("has what the dealer's own active feeds left out, and its last completed import", async () => {
      await begin();
      let feeds = 0;
      const feed = async (dealerIds: readonly number[], counted: string): Promise<number> => {
        const body = { name: "Own", channel: "csv", currency: "USD", mileage_unit: "mi" } as const;
        const fields = fieldsAfter(body, { dealer_ids: [...dealerIds] });
        const token = { tokenHash: `${engine.name} ${ours} ${feeds++}`, now: MOMENT, by: OPERATOR };
        const id = Number(await makeFeedRepository(db).insert({ fields, ...token }));
        await run(`UPDATE feeds SET counted_rows = 9, ${counted} WHERE id = ${id}`);
        return id;
      };
      const reason = `counted_reason = '{"state": "now", "rule": "price_zero", "field": "price", "count": 8}'`;
      // A version before counted the feed again, without a reason.
      const few = await feed([ours], `counted_left_out = 1, counted_state = 'later', ${reason}`);
      const many = await feed([ours], `counted_left_out = 10, counted_state = 'now', ${reason}`);
      await feed([ours], "active = 0, counted_left_out = 11");
      await feed([ours], "counted_left_out = NULL");
      await feed([ours], `deleted_at = '${MOMENT}', counted_left_out = 12`);
      await feed([ours, theirs], "counted_left_out = 13");
      await feed([theirs], "counted_left_out = 14");
      expect(await today.feeds(at)).toEqual([
        {
          id: many,
          name: "Own",
          channel: "csv",
          rows: 9,
          left_out: 10,
          reason: { rule: "price_zero", field: "price", count: 8 },
        },
        { id: few, name: "Own", channel: "csv", rows: 9, left_out: 1, reason: null },
      ]);
      expect(await today.feeds(foreign())).toEqual([]);

      const imports = makeImportRepository(db, fakeClock(Date.parse(MOMENT)));
      const imported = async (dealerId: number, state: string, failed: number): Promise<number> => {
        const progress = { ...firstProgress(optionsOf({}, {})), done: 38 };
        const counted = { ...progress, counts: { ...progress.counts, failed } };
        const arriving = { dealerId, sourceId: null, options: optionsOf({}, {}), by: OPERATOR, now: MOMENT };
        const id = await imports.begin({ ...arriving, progress: counted });
        await run(`UPDATE imports SET state = '${state}' WHERE id = ${id}`);
        return id;
      };
      expect(await today.lastImport(at)).toBeNull();
      await imported(ours, "completed", 5);
      const last = await imported(ours, "completed", 3);
      await imported(ours, "previewed", 7);
      await imported(theirs, "completed", 9);
      expect(await today.lastImport(at)).toEqual({ id: last, rows: 38, failed: 3 });
      expect(await today.lastImport(foreign())).toBeNull();
    });

    test("has the requests of the keys of the dealer that the caller sees, since they were its keys", async () => {
      await begin();
      const keys = makeKeyRepository(db, () => {});
      const keyOf = async (dealerId: number): Promise<number> =>
        made(await keys.insert({ key: keyFields({ dealerId }), secret: newSecret(), now: MOMENT, by: OPERATOR })).id;
      const [one, other] = [await keyOf(ours), await keyOf(theirs)];
      const hour = (keyId: number, days: number, served: number) => ({
        ...{ keyId, hour: daysAgo(days) },
        ...counts({ served, limited: 2, denied: 3 }),
      });
      const denied = (keyId: number, code: string, days = 0.5) => ({ ...denial({ code }), keyId, at: daysAgo(days) });
      await makeUsageStore(db).add(
        `writer of ${engine.name}`,
        {
          ...{ number: 1, uses: [], oldSecrets: [] },
          hours: [hour(one, 0.5, 5), hour(one, 0.25, 6), hour(one, 2, 100), hour(other, 0.5, 7)],
          denials: [
            ...[denied(one, "a"), denied(one, "b"), denied(one, "b"), denied(one, "a", 2), denied(one, "a", 3)],
            ...[denied(other, "c"), denied(other, "c"), denied(other, "c")],
          ],
        },
        MOMENT,
      );
      const found = { id: one, name: "Showroom website", code: "b", ...counts({ served: 11, limited: 4, denied: 6 }) };
      expect(await today.keys(at, { dealerId: ours }, daysAgo(1))).toEqual([found]);
      expect(await today.keys({ ...at, scope: null }, "everything", daysAgo(1))).toEqual([found]);
      expect(await today.keys(at, { userId: 0 }, daysAgo(1))).toEqual([]);
      expect(await today.keys(foreign(), { dealerId: theirs }, daysAgo(1))).toEqual([]);
      await run(`UPDATE api_keys SET bound_since = '${daysAgo(0.3)}' WHERE id = ${one}`);
      expect(await today.keys(at, { dealerId: ours }, daysAgo(1))).toEqual([
        { ...found, code: null, ...counts({ served: 6, limited: 2, denied: 3 }) },
      ]);
    });
  });
