import { describe, expect, test } from "bun:test";
import type { Principal } from "../../../core/access/principal.ts";
import { makeInventoryVersions } from "../../../core/dealers/inventory-versions.ts";
import { permissionSet } from "../../../core/permissions.ts";
import { fakeClock } from "../../support/clock.ts";
import { dealerKey, superAdminKey } from "../callers.ts";
import { openFixture } from "../use-case-fixture.ts";

const core = openFixture();
const admin = superAdminKey();
const HALF_A_DAY_MS = 12 * 3_600_000;
const DAYS = { min_days_on_lot: 1 };

describe("the version of a list", () => {
  const own = (fields: Partial<Principal> = {}) => dealerKey(core.records.dealerId, fields);

  test("is that of a bound caller's dealer, whatever dealer it names", async () => {
    const { inventoryVersions: versions, records, otherRecords } = core;
    const all = await versions.ofList(own(), {});
    expect(all).toBeString();
    expect(await versions.ofList(own(), { dealer_id: otherRecords.dealerId })).toBe(all);
    expect(await versions.ofInventory(own(), records.dealerId, {})).toBe(all);
  });

  test("exists for unbound callers only if they name a dealer, and for facets never", async () => {
    const { inventoryVersions: versions, records } = core;
    expect(await versions.ofList(admin, {})).toBeNull();
    expect(await versions.ofList(admin, { dealer_id: records.dealerId })).toBeString();
    expect(await versions.ofFacets(admin, { dealer_id: records.dealerId })).toBeNull();
    expect(await versions.ofFacets(own(), {})).toBeString();
  });

  test("does not exist for callers that the use case refuses, nor for a dealer that does not exist", async () => {
    const { inventoryVersions: versions, otherRecords } = core;
    const powerless = own({ permissions: 0 });
    expect([
      await versions.ofList(powerless, {}),
      await versions.ofFacets(powerless, {}),
      await versions.ofInventory(powerless, core.records.dealerId, {}),
      await versions.ofStatistics(powerless, core.records.dealerId),
      await versions.ofInventory(own(), otherRecords.dealerId, {}),
      await versions.ofStatistics(own(), otherRecords.dealerId),
      await versions.ofList(admin, { dealer_id: 999_999 }),
    ]).toEqual([null, null, null, null, null, null, null]);
  });

  test("differs by what the caller may read, and between bound and unbound callers", async () => {
    const { inventoryVersions: versions, records } = core;
    const unbound: Principal = { ...admin, association: "user", role: "user" };
    const seen = [
      await versions.ofList(own(), {}),
      await versions.ofList(own({ permissions: permissionSet(["vehicles:read"]) }), {}),
      await versions.ofList(own({ permissions: permissionSet(["vehicles:read", "dealers:read"]) }), {}),
      await versions.ofList(own({ isPublic: true }), {}),
      await versions.ofList(admin, { dealer_id: records.dealerId }),
      await versions.ofList(unbound, { dealer_id: records.dealerId }),
    ];
    expect(new Set(seen).size).toBe(seen.length);
  });

  test("differs by the configuration that answers contain", async () => {
    const states = { find: () => ({ mark: 1, listedMs: null }), daysOnLot: () => 0 };
    const of = (configuration: string) =>
      makeInventoryVersions({ states, clock: core.clock, configuration: () => configuration }).ofList(own(), {});
    expect(await of("one")).not.toBe(await of("another"));
  });

  test("changes when a vehicle completes a day, but only where days count", async () => {
    const clock = fakeClock();
    const { id: dealerId } = await core.newDealer();
    const listed_at = new Date(clock.nowMs() - HALF_A_DAY_MS).toISOString();
    await core.newVehicle({ dealer_id: dealerId, listed_at });
    const caller = dealerKey(dealerId);
    const states = { find: core.inventoryStates.find, daysOnLot: core.inventoryStates.daysOnLot };
    const versions = makeInventoryVersions({ states, clock, configuration: () => "" });
    const all = async () => ({
      plain: [await versions.ofList(caller, { make: ["Toyota"] }), await versions.ofFacets(caller, {})],
      days: [
        await versions.ofList(caller, DAYS),
        await versions.ofList(caller, { max_days_on_lot: 1 }),
        await versions.ofList(caller, { sort: "-days_on_lot" }),
        await versions.ofInventory(caller, dealerId, { sort: "days_on_lot" }),
        await versions.ofFacets(caller, DAYS),
        await versions.ofFacets(caller, { facets: ["days_on_lot"] }),
        await versions.ofStatistics(caller, dealerId),
      ],
    });
    const before = await all();
    clock.advance(HALF_A_DAY_MS - 1);
    expect(await all()).toEqual(before);
    clock.advance(1);
    const after = await all();
    expect(after.plain).toEqual(before.plain);
    for (const [place, version] of after.days.entries()) expect(version).not.toBe(before.days[place] ?? null);
  });
});
