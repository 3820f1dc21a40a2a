import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type Inventory,
  type StatusTotals,
  statisticsOf,
  type VehicleSummary,
} from "../../../core/dealers/statistics.ts";
import { superAdminKey } from "../callers.ts";
import { causeOf, createDealerRecords, newVehicleBody, openUseCases, succeeded } from "../use-cases.ts";

const NOW = "2026-11-20T09:11:00.000Z";
const NONE: StatusTotals = { vehicles: 0, cents: 0 };
const EMPTY: Inventory = {
  byStatus: { available: NONE, sold: NONE, pending: NONE },
  listedMs: null,
  newest: null,
  oldest: null,
  photoBytes: 0,
};
const summaryOf = (id: number): VehicleSummary => ({ id, make: "Toyota", model: "Camry", year: 2024, created_at: NOW });

const statusTotals = fc
  .array(fc.integer({ min: 0, max: 10_000_000_000 }), { maxLength: 1000, size: "max" })
  .map((prices): StatusTotals => ({ vehicles: prices.length, cents: prices.reduce((sum, price) => sum + price, 0) }));
const inventories = fc
  .record({ available: statusTotals, sold: statusTotals, pending: statusTotals })
  .map((byStatus): Inventory => ({ ...EMPTY, byStatus }));

/** Cents divided among vehicles, half a cent rounded up, in whole numbers. */
const averageCents = (cents: number, vehicles: number): bigint =>
  vehicles === 0 ? 0n : (2n * BigInt(cents) + BigInt(vehicles)) / (2n * BigInt(vehicles));

describe("the statistics of a dealer", () => {
  test("of an empty inventory are zeros, without a newest and an oldest vehicle", () => {
    expect(statisticsOf(7, EMPTY, NOW)).toEqual({
      dealer_id: 7,
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
      timestamp: NOW,
    });
  });

  test("count every vehicle under its status and in the total", () => {
    fc.assert(
      fc.property(inventories, (inventory) => {
        const { available, sold, pending } = inventory.byStatus;
        expect(statisticsOf(7, inventory, NOW)).toMatchObject({
          total_vehicles: available.vehicles + sold.vehicles + pending.vehicles,
          available_vehicles: available.vehicles,
          sold_vehicles: sold.vehicles,
          pending_vehicles: pending.vehicles,
        });
      }),
    );
  });

  test("sum the unsold vehicles exactly, and average them to the nearest cent", () => {
    fc.assert(
      fc.property(inventories, (inventory) => {
        const { available, pending } = inventory.byStatus;
        const cents = available.cents + pending.cents;
        const { inventory_value, average_price } = statisticsOf(7, inventory, NOW);
        expect(inventory_value).toBe(Number(`${cents}e-2`));
        expect(average_price).toBe(Number(`${averageCents(cents, available.vehicles + pending.vehicles)}e-2`));
      }),
    );
  });

  test("do not include sold vehicles in the value", () => {
    fc.assert(
      fc.property(inventories, statusTotals, (inventory, sold) => {
        const { inventory_value, average_price } = statisticsOf(7, inventory, NOW);
        const other = { ...inventory, byStatus: { ...inventory.byStatus, sold } };
        expect(statisticsOf(7, other, NOW)).toMatchObject({ inventory_value, average_price });
      }),
    );
  });

  test("round the mean time on the lot down to whole days, never below 0", () => {
    const days = (ago: number) =>
      statisticsOf(7, { ...EMPTY, listedMs: Date.parse(NOW) - ago * 86_400_000 }, NOW).average_days_on_lot;
    expect([10.999_99, 1, 0.999_99, 0, -1].map(days)).toEqual([10, 1, 0, 0, 0]);
  });

  test("name the newest and the oldest vehicle, whatever its status", () => {
    const inventory: Inventory = { ...EMPTY, newest: summaryOf(9), oldest: summaryOf(2) };
    expect(statisticsOf(7, inventory, NOW)).toMatchObject({
      newest_vehicle: summaryOf(9),
      oldest_vehicle: summaryOf(2),
    });
  });
});

test("statistics follow every creation, change, reassignment and removal of a vehicle, to the cent", async () => {
  const core = await openUseCases();
  const admin = superAdminKey();
  const [one, two] = [await createDealerRecords(core), await createDealerRecords(core)];
  for (const { vehicleId } of [one, two]) succeeded(await core.vehicles.remove(admin, vehicleId));
  const figures = async ({ dealerId }: { dealerId: number }) => {
    const { available_vehicles, sold_vehicles, pending_vehicles, inventory_value, average_price } = succeeded(
      await core.dealers.statistics(admin, dealerId),
    );
    return [available_vehicles, sold_vehicles, pending_vehicles, inventory_value, average_price];
  };

  const add = async (price: number) =>
    succeeded(await core.vehicles.create(admin, newVehicleBody({ dealer_id: one.dealerId, price }))).id;
  const [first, second] = [await add(0.1), await add(0.2)];
  expect(await figures(one)).toEqual([2, 0, 0, 0.3, 0.15]);
  succeeded(await core.vehicles.update(admin, { id: first, input: { status: "sold" } }));
  expect(await figures(one)).toEqual([1, 1, 0, 0.2, 0.2]);
  succeeded(await core.vehicles.update(admin, { id: first, input: { status: "pending", price: 1.13 } }));
  expect(await figures(one)).toEqual([1, 0, 1, 1.33, 0.67]);
  succeeded(await core.vehicles.update(admin, { id: second, input: { dealer_id: two.dealerId } }));
  expect([await figures(one), await figures(two)]).toEqual([
    [0, 0, 1, 1.13, 1.13],
    [1, 0, 0, 0.2, 0.2],
  ]);
  succeeded(await core.vehicles.remove(admin, first));
  expect(await figures(one)).toEqual([0, 0, 0, 0, 0]);
  expect(causeOf(await core.dealers.statistics(admin, 9_999_999))?.kind).toBe("not-found");
  await core.db.close();
});
