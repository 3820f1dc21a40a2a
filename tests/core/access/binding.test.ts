import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Principal } from "../../../core/access/principal.ts";
import type { FailureCause } from "../../../core/failure.ts";
import { dealerKey, superAdminKey, userKey } from "../callers.ts";
import {
  causeOf,
  createDealerRecords,
  type DealerRecords,
  newDealerBody,
  newKeyBody,
  newUserBody,
  newVehicleBody,
  openUseCases,
  pathsOf,
  read,
  succeeded,
  type UseCases,
} from "../use-cases.ts";

let core: UseCases;
let own: DealerRecords;
let other: DealerRecords;

beforeAll(async () => {
  core = await openUseCases();
  own = await createDealerRecords(core);
  other = await createDealerRecords(core);
});
afterAll(() => core.db.close());

const NOT_THERE = 9_999_999;
const FOREIGN_VEHICLE: FailureCause = { kind: "foreign", subject: "vehicle" };
const FOREIGN_DEALER: FailureCause = { kind: "foreign", subject: "dealer" };
const NEVER: FailureCause = { kind: "never-for-bound-keys" };
const notFound = (subject: "vehicle" | "dealer"): FailureCause => ({ kind: "not-found", subject, id: NOT_THERE });

const admin = superAdminKey();
const vehicle = async (id: number) => read(await core.vehicles.get(admin, id));
const dealer = async (id: number) => succeeded(await core.dealers.get(admin, id));

const BOUND: Readonly<Record<string, () => Principal>> = {
  "a dealer's key": () => dealerKey(own.dealerId),
  "a dealer admin's key": () => userKey("dealer_admin", own.dealerId, { userId: own.userId }),
  "the key of a dealer's user": () => userKey("user", own.dealerId, { userId: own.userId }),
};

for (const [name, caller] of Object.entries(BOUND))
  describe(name, () => {
    test("lists only its own dealer's vehicles, and the answer says so", async () => {
      const listing = succeeded(await core.vehicles.list(caller(), {}));
      const vehicles = listing.vehicles.parse();
      expect(vehicles.map(({ dealer_id }) => dealer_id)).toContain(own.dealerId);
      expect(vehicles.filter(({ dealer_id }) => dealer_id !== own.dealerId)).toEqual([]);
      expect(listing).toMatchObject({ filterApplied: true, dealerId: own.dealerId, total: vehicles.length });
    });

    test("that asks for another dealer's vehicles gets its own dealer's vehicles instead", async () => {
      const listing = succeeded(await core.vehicles.list(caller(), { dealer_id: other.dealerId }));
      expect(listing).toEqual(succeeded(await core.vehicles.list(caller(), {})));
    });

    test("that creates a vehicle for another dealer creates it for its own dealer", async () => {
      for (const sent of [{ dealer_id: other.dealerId }, { dealer_id: NOT_THERE }, { dealer_id: null }, {}])
        expect(read(await core.vehicles.create(caller(), newVehicleBody(sent))).dealer_id).toBe(own.dealerId);
    });

    test("cannot give a vehicle to another dealer, and the attempt changes nothing", async () => {
      const before = await vehicle(own.vehicleId);
      const attempt = { price: 1, dealer_id: other.dealerId };
      expect(causeOf(await core.vehicles.update(caller(), { id: own.vehicleId, input: attempt }))).toEqual({
        kind: "reassignment",
      });
      expect(await vehicle(own.vehicleId)).toEqual(before);
    });

    test("may send back the dealer that its vehicle has", async () => {
      const sent = { mileage: 42, dealer_id: own.dealerId };
      expect(read(await core.vehicles.update(caller(), { id: own.vehicleId, input: sent }))).toMatchObject(sent);
    });

    test("cannot take another dealer's vehicle", async () => {
      const before = await vehicle(other.vehicleId);
      for (const dealer_id of [own.dealerId, other.dealerId])
        expect(causeOf(await core.vehicles.update(caller(), { id: other.vehicleId, input: { dealer_id } }))).toEqual(
          FOREIGN_VEHICLE,
        );
      expect(await vehicle(other.vehicleId)).toEqual(before);
    });

    test("gets not-found for a missing vehicle and its images, whether or not another dealer owned them", async () => {
      const image = { image_url: "https://images.example.com/front.jpg" };
      for (const outcome of [
        await core.vehicles.get(caller(), NOT_THERE),
        await core.vehicles.update(caller(), { id: NOT_THERE, input: { price: 1 } }),
        await core.vehicles.update(caller(), { id: NOT_THERE, input: { dealer_id: other.dealerId } }),
        await core.vehicles.remove(caller(), NOT_THERE),
        await core.images.list(caller(), NOT_THERE, {}),
        await core.images.add(caller(), NOT_THERE, image),
        await core.images.reorder(caller(), NOT_THERE, { image_ids: [] }),
        await core.images.update(caller(), { vehicleId: NOT_THERE, imageId: own.imageId, input: image }),
        await core.images.remove(caller(), NOT_THERE, own.imageId),
      ])
        expect(causeOf(outcome)).toEqual(notFound("vehicle"));
    });

    test("cannot reach another vehicle's image through its own vehicle", async () => {
      const missing: FailureCause = { kind: "not-found", subject: "image", id: other.imageId };
      const { vehicleId } = own;
      expect(
        causeOf(await core.images.update(caller(), { vehicleId, imageId: other.imageId, input: { display_order: 1 } })),
      ).toEqual(missing);
      expect(causeOf(await core.images.remove(caller(), vehicleId, other.imageId))).toEqual(missing);
      expect(pathsOf(await core.images.reorder(caller(), vehicleId, { image_ids: [other.imageId] }))).toEqual([
        "image_ids",
      ]);
    });

    test("lists only its own dealer", async () => {
      const listing = succeeded(await core.dealers.list(caller(), {}));
      expect(listing.items.map(({ id }) => id)).toEqual([own.dealerId]);
      expect(listing.total).toBe(1);
    });

    test("is refused another dealer, its inventory and statistics, and gets a 404 for a missing one", async () => {
      for (const [dealerId, cause] of [
        [other.dealerId, FOREIGN_DEALER],
        [NOT_THERE, notFound("dealer")],
      ] as const) {
        expect(causeOf(await core.dealers.get(caller(), dealerId))).toEqual(cause);
        expect(causeOf(await core.dealers.inventory(caller(), { id: dealerId, query: {} }))).toEqual(cause);
        expect(causeOf(await core.dealers.statistics(caller(), dealerId))).toEqual(cause);
        expect(
          causeOf(await core.dealers.update(caller(), { id: dealerId, input: { phone: "503-555-0100" } })),
        ).toEqual(cause);
      }
    });

    test("changes its own dealer, but not whether it is active", async () => {
      expect(succeeded(await core.dealers.update(caller(), { id: own.dealerId, input: { city: "Salem" } })).city).toBe(
        "Salem",
      );
      const before = await dealer(own.dealerId);
      for (const active of [false, 0])
        expect(
          causeOf(await core.dealers.update(caller(), { id: own.dealerId, input: { active, city: "Bend" } }))?.kind,
        ).toBe("escalation");
      expect(await dealer(own.dealerId)).toEqual(before);
      for (const active of [true, 1])
        expect(
          succeeded(await core.dealers.update(caller(), { id: own.dealerId, input: { active, city: "Bend" } })),
        ).toMatchObject({
          active: 1,
          city: "Bend",
        });
    });

    test("cannot create or deactivate a dealer, not even its own, whatever its body or id", async () => {
      const before = await core.dealers.list(admin, {});
      for (const body of [newDealerBody(), {}, null])
        expect(causeOf(await core.dealers.create(caller(), body))).toEqual(NEVER);
      for (const dealerId of [own.dealerId, other.dealerId, NOT_THERE])
        expect(causeOf(await core.dealers.deactivate(caller(), dealerId))).toEqual(NEVER);
      expect(await core.dealers.list(admin, {})).toEqual(before);
    });

    test("that creates a key for another dealer creates it for its own dealer", async () => {
      for (const sent of [{ dealer_id: other.dealerId }, { dealer_id: NOT_THERE }, { dealer_id: null }, {}])
        expect(succeeded(await core.keys.create(caller(), newKeyBody(sent))).record).toMatchObject({
          association: "dealer",
          dealerId: own.dealerId,
        });
    });

    test("that creates a user for another dealer creates it for its own dealer", async () => {
      const email = `${name.replaceAll(/\W/g, "")}@harbor.example.com`;
      const body = newUserBody(email, { dealer_id: other.dealerId });
      expect(succeeded(await core.users.create(caller(), body)).dealerId).toBe(own.dealerId);
    });
  });

describe("an unbound key", () => {
  test("lists all vehicles without an automatic filter", async () => {
    const listing = succeeded(await core.vehicles.list(admin, { limit: 1000 }));
    const dealers = new Set(listing.vehicles.parse().map(({ dealer_id }) => dealer_id));
    expect([own.dealerId, other.dealerId].filter((id) => !dealers.has(id))).toEqual([]);
    expect(listing).toMatchObject({ filterApplied: false, dealerId: null });
  });

  test("that asks for one dealer's vehicles gets them, and the filter is not reported as automatic", async () => {
    const { dealerId, vehicleId } = await createDealerRecords(core);
    const listing = succeeded(await core.vehicles.list(admin, { dealer_id: dealerId }));
    expect(listing.vehicles.parse().map(({ id }) => id)).toEqual([vehicleId]);
    expect(listing).toMatchObject({ filterApplied: false, dealerId });
  });

  test("must name the dealer when it creates a vehicle", async () => {
    for (const sent of [{}, { dealer_id: null }, { dealer_id: NOT_THERE }])
      expect(pathsOf(await core.vehicles.create(admin, newVehicleBody(sent)))).toEqual(["dealer_id"]);
  });

  test("reassigns a vehicle, but not to a missing dealer", async () => {
    const { vehicleId } = await createDealerRecords(core);
    expect(pathsOf(await core.vehicles.update(admin, { id: vehicleId, input: { dealer_id: NOT_THERE } }))).toEqual([
      "dealer_id",
    ]);
    const moved = read(await core.vehicles.update(admin, { id: vehicleId, input: { dealer_id: other.dealerId } }));
    expect(moved.dealer_id).toBe(other.dealerId);
  });
});
