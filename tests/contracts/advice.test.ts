import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeAdviceRepository } from "../../adapters/sql/advice/repository.ts";
import type { Advice } from "../../core/advice/advice.ts";
import { dealerKey, superAdminKey } from "../core/callers.ts";
import { causeOf, newDealerBody, newVehicleBody, read, succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { coreOn } from "../support/core.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";

setDefaultTimeout(300_000);

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = "2026-11-20T09:11:00.000Z";
const ADMIN = superAdminKey();
const daysAgo = (days: number): string => new Date(Date.parse(NOW) - days * DAY_MS).toISOString();

for (const engine of ENGINES)
  describe(`what would sell a vehicle on ${engine.name}`, () => {
    let db: TestDatabase;
    let core: ReturnType<typeof coreOn>;
    beforeAll(async () => {
      db = await engine.open();
      core = coreOn(db, fakeClock(Date.parse(NOW)));
      await core.vehicleWords.fill(() => {});
    });
    afterAll(() => db.close());

    const newDealer = async () => succeeded(await core.dealers.create(ADMIN, newDealerBody())).id;
    const add = async (dealer_id: number, fields: object = {}) =>
      succeeded(await core.vehicles.create(ADMIN, newVehicleBody({ dealer_id, year: 2024, ...fields }))).id;
    /** A vehicle that was sold so many days ago, after so many days. */
    const sold = (dealer: number, [ago, days]: readonly [number, number], fields: object = {}) =>
      add(dealer, { status: "sold", sold_at: daysAgo(ago), listed_at: daysAgo(ago + days), price: 20_000, ...fields });
    const adviceOn = async (id: number, query: object = {}, by = ADMIN): Promise<Advice> =>
      succeeded(await core.advices.read(by, id, query));

    test("is from the dealer's own sales of its model, with what they were sold for or else their price", async () => {
      const [ours, theirs] = [await newDealer(), await newDealer()];
      const car = await add(ours, { price: 21_000, listed_at: daysAgo(60) });
      const ids = [
        await sold(ours, [1, 10], { sold_price: 19_000 }),
        await sold(ours, [2, 20]),
        await sold(ours, [3, 30]),
        await sold(ours, [4, 40], { model: "camry" }),
        await sold(ours, [5, 50]),
      ];
      await sold(ours, [1, 1], { model: "Corolla" });
      await sold(ours, [1, 1], { price: 0 });
      await sold(theirs, [1, 1]);
      await add(ours, { price: 20_000 });
      const advice = await adviceOn(car, { price: 20_000 }, dealerKey(ours));
      expect(advice).toMatchObject({ vehicle_id: car, price: 21_000, days_on_lot: 60, enough: true });
      expect(advice.sales.map(({ vehicle_id, price, days }) => [vehicle_id, price, days])).toEqual([
        [ids[0] ?? 0, 19_000, 10],
        [ids[1] ?? 0, 20_000, 20],
        [ids[2] ?? 0, 20_000, 30],
        [ids[3] ?? 0, 20_000, 40],
        [ids[4] ?? 0, 20_000, 50],
      ]);
      expect(advice.at_present).toEqual({ price: 21_000, days: 35, sales: 4, within_percent: 5 });
      expect(advice.at_price).toEqual({ price: 20_000, days: 30, sales: 5, within_percent: 5 });
      expect(await adviceOn(car)).toMatchObject({ sales: advice.sales, at_price: null });
    });

    test("is from its make and body style if its model was sold too seldom, and otherwise only says how often", async () => {
      const dealer = await newDealer();
      const car = await add(dealer, { model: "Crown", body_style: "sedan" });
      await sold(dealer, [1, 1], { model: "Crown" });
      for (let count = 0; count < 4; count++) await sold(dealer, [1, 1], { model: "Camry", body_style: "sedan" });
      expect(await adviceOn(car)).toMatchObject({ enough: false, like: "model", at_present: null, sales: [{}] });
      await sold(dealer, [1, 1], { model: "Corolla", body_style: "sedan" });
      await sold(dealer, [1, 1], { model: "Sienna", body_style: "van" });
      const advice = await adviceOn(car);
      expect([advice.enough, advice.like, advice.sales.length]).toEqual([true, "body_style_and_years", 5]);
    });

    test("is from other vehicles of the same make that stand sold, by their present sale with this dealer", async () => {
      const [ours, theirs] = [await newDealer(), await newDealer()];
      const own = await sold(ours, [1, 10], { sold_price: 18_000 });
      const like = await sold(ours, [2, 20], { sold_price: 19_000 });
      await sold(ours, [3, 30], { make: "Kia" });
      const [available, undated] = [await add(ours), await sold(ours, [4, 40])];
      await db.migrate(async (run) => {
        await run(`UPDATE vehicles SET sold_at = '${daysAgo(1)}' WHERE id = ${available}`);
        await run(`UPDATE vehicles SET sold_at = NULL WHERE id = ${undated}`);
        for (const [dealer, present] of [
          [ours, 0],
          [theirs, 1],
        ])
          await run(`INSERT INTO vehicle_sales (vehicle_id, made_at, dealer_id, sold_cents, listed_at, present)
            VALUES (${like}, '${daysAgo(90)}', ${dealer}, 1, '${daysAgo(99)}', ${present})`);
      });
      const vehicle = read(await core.vehicles.get(ADMIN, own));
      const found = await makeAdviceRepository(db).soldOfModel(vehicle, ours, 9);
      expect(found.map(({ id, cents }) => [id, cents])).toEqual([[like, 1_900_000]]);
    });

    test("is refused to another dealer's key, and to those who may not see selling prices", async () => {
      const [ours, theirs] = [await newDealer(), await newDealer()];
      const car = await add(ours);
      expect(causeOf(await core.advices.read(dealerKey(theirs), car, {}))?.kind).toBe("foreign");
      expect(causeOf(await core.advices.read(dealerKey(ours, { permissions: 1 }), car, {}))?.kind).toBe(
        "permission-missing",
      );
      expect(causeOf(await core.advices.read(ADMIN, 9e9, {}))?.kind).toBe("not-found");
      await sold(ours, [1, 1], { body_style: "sedan" });
      const vehicle = { ...read(await core.vehicles.get(ADMIN, car)), body_style: "sedan" };
      const stored = makeAdviceRepository(db);
      const found = async (scope: number | null) => [
        (await stored.soldOfModel(vehicle, scope, 9)).length,
        (await stored.soldOfStyle(vehicle, scope, 9)).length,
      ];
      expect([await found(ours), await found(null), await found(theirs)]).toEqual([
        [1, 1],
        [1, 1],
        [0, 0],
      ]);
    });
  });
