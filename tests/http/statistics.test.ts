import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Statistics } from "../../core/dealers/statistics.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { ANSWERING } from "../support/engines.ts";
import { create, dealerBody, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const statisticsVehicle = ({ id, make, model, year, created_at }: Vehicle) => ({ id, make, model, year, created_at });

/** A sum of prices in whole cents, exact within the range of numbers. */
const cents = (vehicles: readonly Vehicle[]): number =>
  vehicles.reduce((sum, { price }) => sum + Math.round(price * 100), 0);

for (const engine of ANSWERING)
  describe(`statistics on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;
    const statistics = async (dealer: number) =>
      (await fixture.api<Statistics>("GET", `/api/dealers/${dealer}/stats`)).body;
    const add = (dealer: number, fields: object) =>
      create<Vehicle>(fixture.api, "/api/vehicles", vehicleBody(dealer, fields));

    test("of an empty inventory are zeros, and name no vehicle", async () => {
      const dealer = await newDealer();
      const before = fixture.service.after(0);
      const { timestamp, ...rest } = await statistics(dealer);
      const after = fixture.service.after(0);
      expect(rest).toEqual({
        dealer_id: dealer,
        total_vehicles: 0,
        available_vehicles: 0,
        sold_vehicles: 0,
        pending_vehicles: 0,
        average_price: 0,
        inventory_value: 0,
        average_days_on_lot: 0,
        newest_vehicle: null,
        oldest_vehicle: null,
        photo_bytes: 0,
      });
      expect([before, timestamp, after].toSorted()).toEqual([before, timestamp, after]);
    });

    test("tell the mean time on the lot of the vehicles that are not sold in whole days", async () => {
      const dealer = await newDealer();
      const daysAgo = (days: number) => fixture.service.after(-days * 86_400);
      for (const [days, status] of [
        [10.5, "available"],
        [20.9, "pending"],
        [-0.5, "available"],
        [400, "sold"],
      ] as const)
        await add(dealer, { status, listed_at: daysAgo(days), ...(status === "sold" && { sold_at: daysAgo(1) }) });
      await add(dealer, { listed_at: daysAgo(1) });
      expect(await statistics(dealer)).toMatchObject({ average_days_on_lot: 7 });
    });

    test("count all vehicles, value the unsold ones, and name the newest and oldest", async () => {
      const dealer = await newDealer();
      const oldest = await add(dealer, { price: 1_000_000, status: "sold" });
      await add(dealer, { price: 0.1 });
      await add(dealer, { price: 0.2 });
      await add(dealer, { price: 10, status: "pending" });
      const newest = await add(dealer, { price: 5_000_000, status: "sold" });
      expect(await statistics(dealer)).toMatchObject({
        total_vehicles: 5,
        available_vehicles: 2,
        sold_vehicles: 2,
        pending_vehicles: 1,
        average_price: 3.43,
        inventory_value: 10.3,
        newest_vehicle: statisticsVehicle(newest),
        oldest_vehicle: statisticsVehicle(oldest),
      });
    });

    test("of an inventory with only sold vehicles have no value", async () => {
      const dealer = await newDealer();
      await add(dealer, { price: 5, status: "sold" });
      expect(await statistics(dealer)).toMatchObject({ total_vehicles: 1, average_price: 0, inventory_value: 0 });
    });

    test("have no rounding errors: a thousand times ten cents are a hundred", async () => {
      const dealer = await newDealer();
      await Promise.all(Array.from({ length: 1000 }, () => add(dealer, { price: 0.1 })));
      expect(await statistics(dealer)).toMatchObject({
        inventory_value: 100,
        average_price: 0.1,
        total_vehicles: 1000,
      });
    });

    test("are those of the current vehicles after any changes, deletions and moves", async () => {
      const status = fc.constantFrom("available", "sold", "pending");
      const price = fc.integer({ min: 0, max: 10_000_000_000 }).map((amount) => amount / 100);
      const steps = fc.array(
        fc.oneof(
          fc.record({ kind: fc.constant("add" as const), status, price }),
          fc.record({ kind: fc.constant("change" as const), place: fc.nat(9), status, price }),
          fc.record({ kind: fc.constant("give away" as const), place: fc.nat(9) }),
          fc.record({ kind: fc.constant("delete" as const), place: fc.nat(9) }),
        ),
        { maxLength: 25, size: "max" },
      );
      await fc.assert(
        fc.asyncProperty(steps, async (sequence) => {
          const [dealer, other] = [await newDealer(), await newDealer()];
          const ids: number[] = [];
          for (const step of sequence) {
            const at = "place" in step ? `/api/vehicles/${ids[step.place] ?? 999_999_999}` : "";
            if (step.kind === "add") ids.push((await add(dealer, { status: step.status, price: step.price })).id);
            if (step.kind === "change")
              await fixture.api("PUT", at, { body: { status: step.status, price: step.price } });
            if (step.kind === "give away") await fixture.api("PUT", at, { body: { dealer_id: other } });
            if (step.kind === "delete") await fixture.api("DELETE", at);
          }
          for (const of of [dealer, other]) {
            const path = `/api/vehicles?dealer_id=${of}&limit=1000`;
            const { vehicles } = (await fixture.api<{ vehicles: Vehicle[] }>("GET", path)).body;
            const counted = (wanted: string) => vehicles.filter((vehicle) => vehicle.status === wanted).length;
            const unsold = vehicles.filter((vehicle) => vehicle.status !== "sold");
            const [newest, oldest] = [vehicles[0], vehicles.at(-1)];
            const { timestamp: _, average_price, ...rest } = await statistics(of);
            expect(rest).toEqual({
              average_days_on_lot: 0,
              dealer_id: of,
              total_vehicles: vehicles.length,
              available_vehicles: counted("available"),
              sold_vehicles: counted("sold"),
              pending_vehicles: counted("pending"),
              inventory_value: cents(unsold) / 100,
              newest_vehicle: newest === undefined ? null : statisticsVehicle(newest),
              oldest_vehicle: oldest === undefined ? null : statisticsVehicle(oldest),
              photo_bytes: 0,
            });
            const averageCents = unsold.length === 0 ? 0 : cents(unsold) / unsold.length;
            expect(Math.abs(Math.round(average_price * 100) - averageCents)).toBeLessThanOrEqual(0.5);
          }
        }),
        { numRuns: 20 },
      );
    });
  });
