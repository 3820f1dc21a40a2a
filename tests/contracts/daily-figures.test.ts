import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeRemovedRepository } from "../../adapters/sql/removed/repository.ts";
import { makeReportRepository } from "../../adapters/sql/report/repository.ts";
import { storedFigures } from "../../adapters/sql/report/stored-figures.ts";
import { copyDatabase } from "../../adapters/sql/schema/copy.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { FIGURES, type Figures, sumOf } from "../../core/report/figures.ts";
import { STATUSES } from "../../core/vehicles/fields.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, openTwice, type TestDatabase } from "../support/engines.ts";
import { type LotChange, lotModel } from "../support/lot-model.ts";
import { dealerFields, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const EARLIEST = "0000-01-01T00:00:00.000Z";
const DEALERS = 3;
const WRITERS = 12;
const HOUR_MS = 3_600_000;
const ALWAYS = { from: "2000-01-01", to: "2100-01-01" };

const status = fc.constantFrom(...STATUSES);
/** In cents, including none and amounts with odd cents. */
const cents = fc.oneof(fc.constantFrom(0, 1, 10_000_000_000), fc.integer({ min: 0, max: 5_000_000 }));
const dealer = fc.nat(DEALERS - 1);
/** Hours from the start: few days, so that a day has many events, and their boundaries. */
const hour = fc.integer({ min: -60, max: 60 });
const place = fc.nat(7);

const steps = (length: number) =>
  fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("add" as const), dealer, status, cents, hour }) },
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant("change" as const),
          place,
          named: fc.record({ dealer, status, cents, hour, soldFor: cents }, { requiredKeys: [] }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("correct" as const), place, cents, hour }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), place }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("restore" as const), place }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("purge" as const), place }) },
    ),
    { maxLength: length, size: "max" },
  );
type Step = typeof steps extends (length: number) => fc.Arbitrary<(infer One)[]> ? One : never;

const run = async (db: SqlDatabase, text: string) => {
  await db.writeWithoutTimeout(async (tx) => void (await tx.all({ text, bind: () => [] }, {})));
};

/** Corrects the sale of a sold vehicle, whose row is locked first, as by the service. */
const correctSale = (db: SqlDatabase, id: number, { soldAt, cents }: { soldAt: string; cents: number }) =>
  db.writeWithoutTimeout(async (tx) => {
    const of = (text: string) => tx.all({ text, bind: () => [] }, {});
    const held = await of(
      `SELECT id FROM vehicles WHERE id = ${id} AND status = 'sold' ${db.engine === "postgres" ? "FOR UPDATE" : ""}`,
    );
    if (held.length === 0) return;
    await of(`UPDATE vehicles SET sold_at = '${soldAt}' WHERE id = ${id}`);
    await of(`UPDATE vehicle_sales SET sold_cents = ${cents} WHERE vehicle_id = ${id} AND present = 1`);
  });

/** The stored figures of each dealer and day that has any, of existing and of purged vehicles. */
const readFigures = async (db: SqlDatabase, dealers: readonly number[]): Promise<Map<string, Figures>> => {
  const columns = FIGURES.join(", ");
  const text = `SELECT dealer_id, day, ${columns} FROM daily_figures UNION ALL
    SELECT dealer_id, day, ${columns} FROM former_figures`;
  const rows = await db.all<Figures & { dealer_id: number; day: string }>({ text, bind: () => [] }, {});
  const days = new Map<string, Figures>();
  for (const { dealer_id, day, ...figures } of rows) {
    if (!dealers.includes(dealer_id)) continue;
    const key = `${dealer_id} ${day}`;
    days.set(key, sumOf([figures, days.get(key) ?? sumOf([])]));
  }
  return new Map([...days].filter(([, figures]) => FIGURES.some((name) => figures[name] !== 0)));
};

const sorted = (days: ReadonlyMap<string, Figures>) => [...days].sort(([one], [other]) => (one < other ? -1 : 1));

for (const engine of ENGINES)
  describe(`daily figures on ${engine.name}`, () => {
    let db: TestDatabase;
    let elsewhere: TestDatabase;

    beforeAll(async () => {
      [db, elsewhere] = await openTwice(engine);
    });
    afterAll(() => Promise.all([db.close(), elsewhere.close()]));

    const someDealers = async (on: SqlDatabase = db): Promise<number[]> => {
      const ids: number[] = [];
      for (let number = 0; number < DEALERS; number++)
        ids.push(made(await makeDealerRepository(on).insert(dealerFields(), OPERATOR)).id);
      return ids;
    };

    /** Runs steps on a lot, one after another or at once, and also on the model if there is one. */
    const lotOf = (dealers: readonly number[], model: ReturnType<typeof lotModel> | null) => {
      const ids: number[] = [];
      const removed = new Set<number>();
      let clock = 0;
      const dealerAt = (index: number): number => dealers[index] ?? 0;

      return async (step: Step, on: SqlDatabase = db): Promise<void> => {
        // Nine hours between two steps, so that days begin and end between them.
        const at = momentAfter(++clock * 9 * HOUR_MS);
        const vehicles = makeVehicleRepository(on);
        if (step.kind === "add") {
          const listedAt = momentAfter(step.hour * HOUR_MS);
          const fields = { dealer: dealerAt(step.dealer), status: step.status, cents: step.cents, listedAt };
          const vehicle = vehicleFields(fields.dealer, {
            status: step.status,
            price: step.cents / 100,
            listed_at: listedAt,
            sold_at: step.status === "sold" ? at : null,
            created_at: at,
            updated_at: at,
          });
          const { id } = made(await vehicles.insert(vehicle, OPERATOR));
          ids.push(id);
          model?.add(id, fields, at);
          return;
        }
        const id = ids[step.place];
        if (id === undefined) return;
        const one = { id, scope: null, since: EARLIEST, now: at, by: OPERATOR };
        if (step.kind === "restore") {
          if (typeof (await makeRemovedRepository(on).restore(one)) === "object") removed.delete(id);
          return;
        }
        if (step.kind === "purge") {
          if (await makeRemovedRepository(on).purge(one)) ids.splice(step.place, 1);
          return;
        }
        if (step.kind === "remove") {
          await vehicles.remove({ id, scope: null, versions: null, now: at, by: OPERATOR });
          removed.add(id);
          return;
        }
        if (removed.has(id) && model !== null) return;
        if (step.kind === "correct") {
          const soldAt = momentAfter(step.hour * HOUR_MS);
          await correctSale(on, id, { soldAt, cents: step.cents });
          model?.correctSale(id, step.cents, soldAt);
          return;
        }
        const { dealer, hour, cents, status, soldFor } = step.named;
        const change: LotChange = {
          ...(dealer !== undefined && { dealer_id: dealerAt(dealer) }),
          ...(status !== undefined && { status }),
          ...(cents !== undefined && { cents }),
          ...(hour !== undefined && { listed_at: momentAfter(hour * HOUR_MS) }),
          ...(soldFor !== undefined && status === "sold" && { soldFor }),
        };
        const { cents: _, soldFor: entered, ...rest } = change;
        const changes = {
          ...rest,
          ...(cents !== undefined && { price: cents / 100 }),
          ...(entered !== undefined && { sold_price: entered / 100 }),
        };
        if (Object.keys(changes).length === 0) return;
        await vehicles.update({ id, scope: null, changes, now: at, versions: null, by: OPERATOR });
        model?.change(id, change, at);
      };
    };

    test("equal a count of all events after any steps, and stay the same when they are computed anew", async () => {
      await fc.assert(
        fc.asyncProperty(steps(inGate(40, 60)), async (taken) => {
          const dealers = await someDealers();
          const model = lotModel();
          const take = lotOf(dealers, model);
          for (const step of taken) await take(step);
          const expected = sorted(model.figures());
          expect(sorted(await readFigures(db, dealers))).toEqual(expected);
          for (const dealerId of dealers) {
            const months = await makeReportRepository(db).months({ scope: null, dealerId, period: ALWAYS });
            const own = expected.filter(([key]) => key.startsWith(`${dealerId} `)).map(([, figures]) => figures);
            expect(sumOf(months)).toEqual(sumOf(own));
          }
        }),
        { numRuns: inGate(10, 60) },
      );
      expect(await storedFigures(db).verify()).toEqual([]);
      const everybody = (
        await makeDealerRepository(db).list({ scope: null, filter: {}, page: { limit: 1000, offset: 0 } })
      ).items.map(({ id }) => id);
      const before = sorted(await readFigures(db, everybody));
      await storedFigures(db).rebuild();
      expect(sorted(await readFigures(db, everybody))).toEqual(before);
    });

    test(`stay exact while ${WRITERS} writers of two instances change vehicles of the same dealers`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(steps(12), { minLength: WRITERS, maxLength: WRITERS }),
          steps(20),
          async (writers, first) => {
            const dealers = await someDealers();
            const take = lotOf(dealers, null);
            for (const step of first) await take(step);
            await Promise.all([
              ...writers.map(async (taken, writer) => {
                for (const step of taken) await take(step, writer % 2 === 0 ? db : elsewhere);
              }),
              storedFigures(elsewhere).rebuild(),
            ]);
            expect(await storedFigures(db).verify()).toEqual([]);
          },
        ),
        // Shrinking would take long and show less, because of the concurrency.
        { numRuns: inGate(2, 6), endOnFailure: true },
      );
    });

    test("of another dealer are never read", async () => {
      const [north = 0, south = 0] = await someDealers();
      const take = lotOf([north, south], null);
      for (const dealer of [0, 1, 1]) await take({ kind: "add", dealer, status: "available", cents: 500, hour: 0 });
      const reports = makeReportRepository(db);
      const borders = [momentAfter(0)];
      const seen = async (scope: number | null, dealerId: number | null) => {
        const months = await reports.months({ scope, dealerId, period: ALWAYS });
        const lot = await reports.lot({ scope, dealerId, borders, oldest: 10 });
        const { dealers } = await reports.byDealer({ scope, period: ALWAYS });
        return {
          added: sumOf(months).added,
          ages: lot.ages.map(({ vehicles }) => vehicles),
          oldest: lot.oldest.length,
          dealers: dealers.filter(({ dealer_id }) => [north, south].includes(dealer_id)).map(({ added }) => added),
        };
      };
      expect(await seen(north, north)).toEqual({ added: 1, ages: [0, 1], oldest: 1, dealers: [1] });
      expect(await seen(south, null)).toEqual({ added: 2, ages: [0, 2], oldest: 2, dealers: [2] });
      expect(await seen(north, south)).toEqual({ added: 0, ages: [0, 0], oldest: 0, dealers: [1] });
      expect(await seen(null, south)).toEqual({ added: 2, ages: [0, 2], oldest: 2, dealers: [1, 2] });
    });

    test("of a period are those of its days, the first and the last one included", async () => {
      const [dealerId = 0] = await someDealers();
      const take = lotOf([dealerId], null);
      for (const hour of [-48, -24, 0, 24, 48])
        await take({ kind: "add", dealer: 0, status: "available", cents: 500, hour });
      const day = (hour: number): string => momentAfter(hour * HOUR_MS).slice(0, 10);
      const period = { from: day(-24), to: day(24) };
      const reports = makeReportRepository(db);
      expect(sumOf(await reports.months({ scope: null, dealerId, period })).added).toBe(3);
      expect((await reports.byDealer({ scope: dealerId, period })).dealers).toMatchObject([{ added: 3 }]);
      // What is sold is not on the lot.
      await take({ kind: "add", dealer: 0, status: "sold", cents: 500, hour: 0 });
      const lot = await reports.lot({ scope: dealerId, dealerId, borders: [], oldest: 9 });
      expect([lot.ages.map(({ vehicles }) => vehicles), lot.oldest.length]).toEqual([[5], 5]);
    });

    test("of all dealers are read in the turns of long reads, and those of one dealer at once", async () => {
      const [dealerId = 0] = await someDealers();
      const busy = () => {
        throw new Error("long reads wait");
      };
      const reports = makeReportRepository({ ...db, longReads: { ...db.longReads, with: busy } });
      expect((await reports.byDealer({ scope: dealerId, period: ALWAYS })).dealers).toHaveLength(1);
      await expect((async () => reports.byDealer({ scope: null, period: ALWAYS }))()).rejects.toThrow(
        "long reads wait",
      );
    });

    test("of a vehicle that is deleted for good count no price that was reverted", async () => {
      const [dealerId = 0] = await someDealers();
      const take = lotOf([dealerId], null);
      await take({ kind: "add", dealer: 0, status: "available", cents: 500, hour: 0 });
      await take({ kind: "change", place: 0, named: { cents: 400 } });
      // As a reversal leaves it.
      await run(
        db,
        `UPDATE vehicle_history SET pair_dealer_id = dealer_id, dealer_id = NULL WHERE dealer_id = ${dealerId}`,
      );
      await run(db, `UPDATE daily_figures SET price_drops = 0 WHERE dealer_id = ${dealerId}`);
      await take({ kind: "remove", place: 0 });
      await take({ kind: "purge", place: 0 });
      const months = await makeReportRepository(db).months({ scope: null, dealerId, period: ALWAYS });
      expect(sumOf(months)).toMatchObject({ added: 1, price_drops: 0 });
    });

    test("that were tampered with are named, and computing them anew corrects them", async () => {
      const [dealerId = 0] = await someDealers();
      const take = lotOf([dealerId], null);
      await take({ kind: "add", dealer: 0, status: "sold", cents: 700, hour: 0 });
      await take({ kind: "change", place: 0, named: { status: "sold", soldFor: 500 } });
      await run(db, `UPDATE daily_figures SET sold_cents = 1, added = 3 WHERE dealer_id = ${dealerId} AND sold = 1`);
      expect(await storedFigures(db).verify()).toEqual([
        { dealerId, day: "2026-03-14", figure: "added", kept: 3, right: 1 },
        { dealerId, day: "2026-03-14", figure: "sold_cents", kept: 1, right: 500 },
      ]);
      await storedFigures(db).rebuild();
      expect(await storedFigures(db).verify()).toEqual([]);
    });

    for (const into of ENGINES)
      test(`are the same in a copy into ${into.name}, also of vehicles that moved, were removed or are gone`, async () => {
        const [source, target] = [await engine.open(), await into.open()];
        const dealers = await someDealers(source);
        const take = lotOf(dealers, null);
        const added = (dealer: number, status: "available" | "sold"): Step => ({
          kind: "add",
          dealer,
          status,
          cents: 700,
          hour: 3,
        });
        for (const step of [
          added(0, "sold"),
          added(0, "available"),
          added(1, "sold"),
          { kind: "change", place: 0, named: { dealer: 1 } },
          { kind: "change", place: 1, named: { cents: 600, status: "sold" } },
          { kind: "remove", place: 1 },
          { kind: "remove", place: 2 },
          { kind: "purge", place: 2 },
        ] satisfies Step[])
          await take(step, source);
        const before = sorted(await readFigures(source, dealers));
        expect(sumOf(before.map(([, figures]) => figures))).toMatchObject({ added: 4, sold: 3, price_drops: 1 });
        await copyDatabase(source, target, () => {});
        expect(sorted(await readFigures(target, dealers))).toEqual(before);
        await makeRemovedRepository(target).restore({
          id: 2,
          scope: null,
          since: EARLIEST,
          now: momentAfter(1),
          by: OPERATOR,
        });
        expect(sorted(await readFigures(target, dealers))).toEqual(before);
        expect(await storedFigures(target).verify()).toEqual([]);
        await Promise.all([source.close(), target.close()]);
      });
  });
