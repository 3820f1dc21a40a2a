import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeHistoryRepository } from "../../adapters/sql/history/repository.ts";
import { makeSaleRepository } from "../../adapters/sql/history/sales.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { param, statement } from "../../adapters/sql/query/statement.ts";
import { daysOnLot } from "../../adapters/sql/vehicles/days-on-lot.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { beginSale } from "../../adapters/sql/vehicles/sold-price.ts";
import type { StoredChange } from "../../core/history/change.ts";
import { daysOnLotOf } from "../../core/vehicles/days-on-lot.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import type { VehicleFields, VehicleRepository, VehicleUpdate } from "../../core/vehicles/vehicle-repository.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { actingKey, dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";
import { expectDocumentsOfAll } from "../support/vehicle-documents.ts";

setDefaultTimeout(300_000);

const rowsIn = (db: SqlDatabase, text: string) => db.all<Record<string, unknown>>({ text, bind: () => [] }, {});

for (const engine of ENGINES)
  describe(`the history of a vehicle on ${engine.name}`, () => {
    let db: TestDatabase;
    let vehicles: VehicleRepository;
    let north = 0;
    let south = 0;

    beforeAll(async () => {
      db = await engine.open();
      vehicles = makeVehicleRepository(db);
      north = made(await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      south = made(await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
    });
    afterAll(async () => {
      expect(await expectDocumentsOfAll(db, db.url)).toBeGreaterThan(0);
      await db.close();
    });

    const insert = async (fields: Partial<VehicleFields> = {}): Promise<Vehicle> =>
      made(await vehicles.insert(vehicleFields(north, fields), OPERATOR)).parse();
    const change = async (id: number, changes: VehicleUpdate, at = momentAfter(1000)): Promise<Vehicle> => {
      const changed = await vehicles.update({ id, scope: null, changes, now: at, versions: null, by: actingKey(7) });
      const vehicle = made(changed).parse();
      expect(made(await vehicles.find(id, null)).parse()).toEqual(vehicle);
      return vehicle;
    };
    const historyOf = async (id: number) =>
      (
        await rowsIn(
          db,
          `SELECT dealer_id, at, field, old_value, new_value, actor FROM vehicle_history WHERE vehicle_id = ${id} ORDER BY at, field`,
        )
      ).map(({ actor, ...row }) => [...Object.values(row), JSON.parse(String(actor))?.keyId ?? null]);
    const salesOf = async (id: number) =>
      (
        await rowsIn(
          db,
          `SELECT dealer_id, sold_at, sold_cents, first_cents, listed_at, note, present FROM vehicle_sales
            WHERE vehicle_id = ${id} ORDER BY made_at`,
        )
      ).map((row) => Object.values(row));

    test("keeps the previous price and its moment when the price changes, and only then", async () => {
      const { id } = await insert({ price: 100.5 });
      const later = momentAfter(2000);
      expect(await change(id, { price: 90.25 })).toMatchObject({
        previous_price: 100.5,
        price_changed_at: momentAfter(1000),
      });
      expect(await change(id, { price: 90.25, seats: 4 }, later)).toMatchObject({ previous_price: 100.5 });
      expect(await change(id, { status: "pending" }, momentAfter(3000))).toMatchObject({
        previous_price: 100.5,
        price_changed_at: momentAfter(1000),
      });
      expect(await historyOf(id)).toEqual([
        [north, momentAfter(1000), "price", "10050", "9025", 7],
        [north, momentAfter(3000), "status", "available", "pending", 7],
      ]);
    });

    test("has several changes at once as separate entries, and none for the creation", async () => {
      const { id } = await insert();
      expect(await historyOf(id)).toEqual([]);
      await change(id, { price: 1, status: "pending", stage: "deposit", mileage: 5 });
      expect((await historyOf(id)).map(([, , ...told]) => told)).toEqual([
        ["mileage", null, "5", 7],
        ["price", "2599999", "100", 7],
        ["stage", null, "deposit", 7],
        ["status", "available", "pending", 7],
      ]);
    });

    test("clears the stage with a new status, unless the change names a stage", async () => {
      const { id } = await insert({ stage: "in_prep" });
      expect((await change(id, { status: "available" })).stage).toBe("in_prep");
      expect((await change(id, { status: "pending" }, momentAfter(2000))).stage).toBeNull();
      expect((await change(id, { status: "sold", stage: "wholesale" }, momentAfter(3000))).stage).toBe("wholesale");
    });

    test("has a sale with its moment, the first price and no sold price that nobody entered, and follows a change of the moment", async () => {
      const { id, listed_at } = await insert({ price: 100 });
      await change(id, { price: 95 });
      await change(id, { price: 90 }, momentAfter(2000));
      expect((await change(id, { status: "sold", price: 85 }, momentAfter(3000))).sold_at).toBe(momentAfter(3000));
      expect(await salesOf(id)).toEqual([[north, momentAfter(3000), null, 10_000, listed_at, null, 1]]);
      expect((await change(id, { sold_at: momentAfter(2500) }, momentAfter(4000))).sold_at).toBe(momentAfter(2500));
      await change(id, { status: "sold", price: 80 }, momentAfter(5000));
      expect(await salesOf(id)).toEqual([[north, momentAfter(2500), null, 10_000, listed_at, null, 1]]);
      expect((await change(id, { status: "available" }, momentAfter(6000))).sold_at).toBeNull();
      expect(await salesOf(id)).toEqual([]);
    });

    test("has the sale of a vehicle that is created sold, and keeps it when the vehicle is removed", async () => {
      const { id } = await insert({ status: "sold", sold_at: momentAfter(5), price: 7 });
      const sale = [north, momentAfter(5), null, 700, MOMENT, null, 1];
      expect(await salesOf(id)).toEqual([sale]);
      await vehicles.remove({ id, scope: null, versions: null, now: momentAfter(9), by: OPERATOR });
      expect(await salesOf(id)).toEqual([sale]);
    });

    test("loses the previous price and starts a new listing with a move; the sale stays with the former dealer", async () => {
      const { id } = await insert({ price: 100 });
      await change(id, { price: 90 });
      await change(id, { status: "sold" }, momentAfter(2000));
      const moment = momentAfter(3000);
      expect(await change(id, { dealer_id: south, price: 80, mileage: 3 }, moment)).toMatchObject({
        previous_price: null,
        price_changed_at: null,
        listed_at: moment,
        sold_at: moment,
      });
      expect(await salesOf(id)).toEqual([
        [north, momentAfter(2000), null, 10_000, MOMENT, null, 0],
        [south, moment, null, null, moment, null, 1],
      ]);
      // Changes together with a move belong to neither dealer.
      expect((await historyOf(id)).slice(2).map(([dealer, , field]) => [dealer, field])).toEqual([
        [null, "dealer_id"],
        [null, "mileage"],
        [null, "price"],
      ]);
      await change(id, { status: "available" }, momentAfter(4000));
      await change(id, { price: 70 }, momentAfter(5000));
      await change(id, { status: "sold" }, momentAfter(6000));
      expect((await salesOf(id)).at(-1)).toEqual([south, momentAfter(6000), null, 8000, moment, null, 1]);
    });

    test("changes a sale only as it was read, only while the vehicle is sold, and never an earlier sale", async () => {
      const sales = makeSaleRepository(db);
      const { id, updated_at } = await insert({ status: "sold", price: 100 });
      const put = (version: string, sold_price: number) =>
        sales.change({ vehicleId: id, scope: north, version, changes: { sold_price }, now: MOMENT, by: OPERATOR });
      expect(await put(momentAfter(1), 70)).toBeNull();
      expect(await put(updated_at, 80)).toMatchObject({ sold_price: 80 });
      await change(id, { dealer_id: south }, momentAfter(2000));
      const back = await change(id, { dealer_id: north }, momentAfter(3000));
      expect(await put(back.updated_at, 90)).toMatchObject({ sold_price: 90 });
      const cents = (await salesOf(id)).map(([dealer, , sold, , , , present]) => [dealer, sold, present]);
      expect(cents).toEqual([
        [north, 8000, 0],
        [south, null, 0],
        [north, 9000, 1],
      ]);
      expect((await sales.find(id, north))?.sold_price).toBe(90);
      const again = await change(id, { status: "available" }, momentAfter(4000));
      expect(await put(again.updated_at, 60)).toBeNull();
      expect((await salesOf(id)).map(([, , sold]) => sold)).not.toContain(6000);
    });

    test("starts a sale from before sales were recorded when it is described, and changes no other vehicle's", async () => {
      const sales = makeSaleRepository(db);
      const { id, updated_at } = await insert({ status: "sold", sold_at: MOMENT });
      const other = await insert({ status: "sold" });
      await db.migrate(async (run) => {
        await run(`DELETE FROM vehicle_sales WHERE vehicle_id IN (${id}, ${other.id})`);
      });
      const changes = { note: "paid in cash", sold_at: momentAfter(5000) };
      const sale = { vehicleId: id, scope: north, version: updated_at, changes, now: MOMENT, by: OPERATOR };
      expect(await sales.change(sale)).toMatchObject(changes);
      expect(await salesOf(id)).toEqual([[north, momentAfter(5000), null, null, MOMENT, "paid in cash", 1]]);
      // Nor one of a dealer that has not got the vehicle.
      await db.write((tx) => beginSale(tx, { vehicleId: other.id, dealerId: south }));
      expect(await salesOf(other.id)).toEqual([]);
      expect(made(await vehicles.find(other.id, null)).parse()).toEqual(other);
    });

    test("shows a dealer only its own time and its own moves, not who had the vehicle before", async () => {
      const east = made(await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const { id } = await insert({ price: 100, mileage: 9 });
      await change(id, { price: 90 });
      await change(id, { dealer_id: south }, momentAfter(2000));
      await change(id, { price: 85 }, momentAfter(3000));
      await change(id, { dealer_id: east }, momentAfter(4000));
      await change(id, { mileage: 8 }, momentAfter(5000));
      await change(id, { price: 80 }, momentAfter(6000));
      const read = async (scope: number | null, after: Pick<StoredChange, "at" | "field"> | null = null) => {
        const page = { limit: 100, offset: 0 };
        const read = { vehicleId: id, dealerId: east, scope, field: null, page, after };
        const { changes, ...facts } = await makeHistoryRepository(db).read(read);
        return { ...facts, changes: changes.map(({ field, new_value }) => [field, new_value]) };
      };
      // The mileage fell first, but is no price.
      const facts = { firstCents: 8500, priceDrops: 1, arrivedAt: momentAfter(4000) };
      const own = [
        ["price", "8000"],
        ["mileage", "8"],
        ["dealer_id", String(east)],
      ];
      expect(await read(east)).toMatchObject({ ...facts, total: 3, changes: own });
      const others = [
        ["price", "8500"],
        ["dealer_id", String(south)],
        ["price", "9000"],
      ];
      expect(await read(null)).toMatchObject({ ...facts, total: 6, changes: [...own, ...others], firstDealer: north });
      const arrival = { at: momentAfter(4000), field: "dealer_id" } as const;
      expect(await read(null, arrival)).toMatchObject({ ...facts, total: 6, changes: others });
      expect(await read(east, arrival)).toMatchObject({ ...facts, total: 3, changes: [] });
      // A change that was reverted is in nobody's figures, but still in the history of the dealer that made it.
      const ofSouth = await read(south);
      await db.migrate((run) =>
        run(`UPDATE vehicle_history SET pair_dealer_id = dealer_id, dealer_id = NULL
          WHERE vehicle_id = ${id} AND field = 'mileage'`).then(() => {}),
      );
      expect(await read(east)).toMatchObject({ ...facts, total: 3, changes: own });
      expect(await read(south)).toEqual(ofSouth);
    });

    test("counts whole days of 24 hours on the lot, to the millisecond, as the core does", async () => {
      const DAY = 86_400_000;
      const days = statement(() =>
        db
          .selectFrom("vehicles")
          .select(daysOnLot(db.engine, param("now")).as("days"))
          .where("id", "=", param("id")),
      );
      const instant = fc.integer({ min: -3 * DAY, max: 3000 * DAY });
      const near = fc.tuple(fc.integer({ min: -1, max: 2000 }), fc.integer({ min: -1, max: 1 }));
      await fc.assert(
        fc.asyncProperty(instant, near, fc.boolean(), async (start, [whole, off], isSold) => {
          const listed_at = momentAfter(start);
          const end = momentAfter(start + whole * DAY + off);
          const vehicle = await insert({ listed_at, ...(isSold && { status: "sold", sold_at: end }) });
          const now = isSold ? momentAfter(start + 5000 * DAY) : end;
          const expected = Math.max(0, off < 0 ? whole - 1 : whole);
          expect(daysOnLotOf(vehicle, now)).toBe(expected);
          expect(await db.first(days, { id: vehicle.id, now })).toEqual({ days: expected });
        }),
        { numRuns: inGate(30, 100) },
      );
    });

    test("counts the days of older vehicles from their creation to their last change", async () => {
      const fields = { listed_at: null, status: "sold", sold_at: null, updated_at: momentAfter(86_400_000) } as const;
      const { id } = await insert(fields);
      const vehicle = made(await vehicles.find(id, null)).parse();
      expect(vehicle).toMatchObject({ listed_at: MOMENT, sold_at: null });
      expect(daysOnLotOf(vehicle, momentAfter(1e12))).toBe(1);
      const query = db.selectFrom("vehicles").select(daysOnLot(db.engine, param("now")).as("days"));
      const days = statement(() => query.where("id", "=", param("id")));
      expect(await db.first(days, { id, now: momentAfter(1e12) })).toEqual({ days: 1 });
    });
  });
