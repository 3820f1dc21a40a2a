import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeSaleRepository } from "../../adapters/sql/history/sales.ts";
import { makeRowWork } from "../../adapters/sql/imports/row-steps.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { RowStep } from "../../core/imports/import-repository.ts";
import { comparedKey, type RowKey } from "../../core/imports/matching.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { dealerFields, MOMENT, made, OPERATOR, vehicleFields } from "../support/records.ts";
import { storedImages } from "../support/stored-images.ts";

const MOST_IMAGES = 100;
const NOBODY: RowKey = { vin: null, stock_number: null };

for (const engine of ENGINES)
  describe(`vehicles looked up for an import's rows on ${engine.name}`, () => {
    let db: TestDatabase;
    const stock: { dealer: number; asked: number; other: number }[] = [];

    /** Two vehicles for each of two dealers, with the same VINs and stock numbers at both. */
    beforeAll(async () => {
      db = await engine.open();
      const vehicles = makeVehicleRepository(db, vehicleWordsIn(db));
      for (let at = 0; at < 2; at++) {
        const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
        const insert = async (vin: string, stock_number: string): Promise<number> =>
          made(await vehicles.insert(vehicleFields(dealer, { vin, stock_number }), OPERATOR)).id;
        stock.push({ dealer, asked: await insert("1HGCM82633A004352", "Große 7"), other: await insert("VIN2", "B8") });
      }
    });
    afterAll(() => db.close());

    const inStep = <Result>(work: (step: RowStep) => Promise<Result>): Promise<Result> =>
      makeRowWork(db, { words: vehicleWordsIn(db), pause: nextTurn }).begin()(work);

    const find = (dealer: number, keys: readonly RowKey[], ids: readonly number[] = []): Promise<readonly number[]> =>
      inStep(async (step) => (await step.reads.vehiclesWith(dealer, { keys, ids })).map(({ id }) => id));

    test.each([
      ["its VIN in any case", { ...NOBODY, vin: "1hgcm82633a004352" }],
      ["its stock number", { ...NOBODY, stock_number: "Große 7" }],
      ["its stock number in other letters", { ...NOBODY, stock_number: "GROSSE 7" }],
    ])("are found by %s, and only the dealer's own", async (_, key) => {
      for (const { dealer, asked } of stock) expect(await find(dealer, [comparedKey(key)])).toEqual([asked]);
    });

    test("are found by id, but only the dealer's own", async () => {
      const [ours, theirs] = stock as [(typeof stock)[number], (typeof stock)[number]];
      expect(await find(ours.dealer, [], [ours.asked])).toEqual([ours.asked]);
      expect(await find(ours.dealer, [], [theirs.asked])).toEqual([]);
      expect(await find(ours.dealer, [NOBODY])).toEqual([]);
    });

    test("are found by a stock number of ASCII letters in any case", async () => {
      for (const { dealer, other } of stock)
        expect(await find(dealer, [comparedKey({ ...NOBODY, stock_number: "b8" })])).toEqual([other]);
    });

    test("can belong only to an existing dealer", async () => {
      const [{ dealer }] = stock as [(typeof stock)[number]];
      const hasDealer = (id: number) => inStep((step) => step.reads.hasDealer(id));
      expect([await hasDealer(dealer), await hasDealer(dealer + 1000)]).toEqual([true, false]);
    });

    test("belong to the dealer who has the code that was asked for", async () => {
      const withCode = async (code: string): Promise<number> =>
        (await makeDealerRepository(db).insert(dealerFields({ codes: [code] }), OPERATOR)).id;
      const [north] = [await withCode("n7"), await withCode("s7")];
      const found = await inStep((step) => step.reads.dealersWithCodes(["n7", "unknown"]));
      expect(found).toEqual(new Map([["n7", north]]));
    });

    test("have the price that their present dealer entered for their own sale, and no other", async () => {
      const vehicles = makeVehicleRepository(db, vehicleWordsIn(db));
      const [{ dealer }, { dealer: other }] = stock as [(typeof stock)[number], (typeof stock)[number]];
      const sold = async (sold_price: number | null): Promise<number> => {
        const fields = vehicleFields(dealer, { status: "sold", sold_at: MOMENT });
        const { id, updated_at: version } = made(await vehicles.insert(fields, OPERATOR));
        const change = { vehicleId: id, scope: dealer, version, changes: { sold_price }, now: MOMENT, by: OPERATOR };
        made(await makeSaleRepository(db).change(change));
        return id;
      };
      const [entered, silent, moved] = [await sold(900), await sold(null), await sold(800)];
      await sold(700);
      const move = { id: moved, scope: null, versions: null, now: MOMENT, by: OPERATOR };
      made(await vehicles.update({ ...move, changes: { dealer_id: other } }));
      const found = await inStep((step) => step.reads.soldPricesOf([entered, silent, moved]));
      expect(found).toEqual(new Map([[entered, 900]]));
    });

    test("have their own images only", async () => {
      const images = storedImages(db, MOST_IMAGES);
      const [{ dealer, asked, other }] = stock as [(typeof stock)[number]];
      for (const vehicleId of [asked, other])
        await images.add({
          ...{ vehicleId, scope: dealer, now: MOMENT, by: OPERATOR },
          draft: { image_url: `https://images.example.com/${vehicleId}.jpg` },
        });
      const found = await inStep((step) => step.reads.imagesOf([asked]));
      expect([...found.keys()]).toEqual([asked]);
    });
  });
