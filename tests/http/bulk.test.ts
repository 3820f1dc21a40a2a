import { describe, expect, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { BulkAnswer } from "../../core/bulk/bulk.ts";
import type { Permission } from "../../core/permissions.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING, connect } from "../support/engines.ts";
import {
  type CreatedKey,
  create,
  dealerBody,
  imageBody,
  keyBody,
  NORTH,
  NOTHING,
  SOUTH,
  vehicleBody,
} from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const WRITERS = 12;

for (const engine of ANSWERING)
  describe(`bulk changes on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;
    const someVehicles = async (dealer: number, count: number, fields: object = {}): Promise<number[]> => {
      const ids: number[] = [];
      while (ids.length < count)
        ids.push((await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { price: 1000, ...fields }))).id);
      return ids;
    };
    const bulk = (body: object, key?: string) =>
      fixture.api<BulkAnswer>("POST", "/api/vehicles/bulk", { body, ...(key !== undefined && { key }) });
    const vehicleOf = async (id: number): Promise<Vehicle> =>
      (await fixture.api<Vehicle>("GET", `/api/vehicles/${id}`)).body;
    const outcomesOf = ({ body }: { readonly body: BulkAnswer }) => body.results.map(({ outcome }) => outcome);
    const keyWith = async (...permissions: readonly Permission[]): Promise<string> =>
      (await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ permissions: pairs(...permissions) }))).api_key;

    test("set the fields of each named vehicle once, in the order of the request", async () => {
      const [one = 0, two = 0] = await someVehicles(NORTH, 2);
      const reply = await bulk({ ids: [two, one, two], changes: { status: "pending", featured: true } });
      expectReply(reply, {
        status: 200,
        body: {
          dry_run: false,
          total: 2,
          results: [two, one].map((id) => ({ id, outcome: "updated", issues: [] })),
        },
      });
      for (const id of [one, two]) expect(await vehicleOf(id)).toMatchObject({ status: "pending", featured: 1 });
    });

    test("leave a vehicle that already has these values, its version and its audit log untouched", async () => {
      const [id = 0] = await someVehicles(NORTH, 1);
      const before = await vehicleOf(id);
      const reply = await bulk({ ids: [id], changes: { price: 1000, status: "available", featured: 0, trim: null } });
      expect(outcomesOf(reply)).toEqual(["unchanged"]);
      expect(outcomesOf(await bulk({ ids: [id], changes: { price: { percent: 0 } } }))).toEqual(["unchanged"]);
      expect(await vehicleOf(id)).toEqual(before);
      const { body } = await fixture.api<unknown[]>("GET", `/api/audit?resource=vehicles&id=${id}`);
      expect(body).toHaveLength(1);
    });

    test("are recorded for each vehicle as if it were changed alone", async () => {
      const [id = 0] = await someVehicles(NORTH, 1);
      await bulk({ ids: [id], changes: { price: { add: -100 } } });
      const { body } = await fixture.api<object[]>("GET", `/api/audit?resource=vehicles&id=${id}&limit=1`);
      expect(body[0]).toMatchObject({
        action: "vehicle.price_changed",
        via: "api",
        dealer_id: NORTH,
        before: { price: 1000 },
        after: { price: 900 },
      });
      expect(await vehicleOf(id)).toMatchObject({ previous_price: 1000 });
    });

    test("change each price by an amount or percentage, and fail only for those that would fall below 0", async () => {
      const [cheap = 0] = await someVehicles(NORTH, 1, { price: 400 });
      const [dear = 0] = await someVehicles(NORTH, 1, { price: 33.33 });
      const [rich = 0] = await someVehicles(NORTH, 1, { price: 1000.01 });
      const ids = [cheap, dear, rich];
      const reply = await bulk({ ids, changes: { price: { add: -300 } } });
      expect(outcomesOf(reply)).toEqual(["updated", "failed", "updated"]);
      expect(reply.body.results[1]?.issues).toEqual([{ path: "price", message: expect.stringContaining("-266.67") }]);
      await bulk({ ids, changes: { price: { percent: -3 }, trim: "Sale" } });
      expect((await Promise.all(ids.map(vehicleOf))).map(({ price, trim }) => [price, trim])).toEqual([
        [97, "Sale"],
        [32.33, "Sale"],
        [679.01, "Sale"],
      ]);
    });

    test("are checked together with each vehicle's other fields", async () => {
      const [available = 0] = await someVehicles(NORTH, 1);
      const [sold = 0] = await someVehicles(NORTH, 1, { status: "sold" });
      const reply = await bulk({ ids: [available, sold], changes: { stage: "in_prep" } });
      expect(reply.body.results).toEqual([
        { id: available, outcome: "updated", issues: [] },
        { id: sold, outcome: "failed", issues: [{ path: "stage", message: expect.stringContaining("sold") }] },
      ]);
    });

    test("remove vehicles, which can be restored", async () => {
      const ids = await someVehicles(NORTH, 3);
      const [first = 0] = ids;
      await create(fixture.api, `/api/vehicles/${first}/images`, imageBody());
      const reply = await bulk({ ids: [...ids, NOTHING], remove: true });
      expect(outcomesOf(reply)).toEqual(["removed", "removed", "removed", "not_found"]);
      expect(outcomesOf(await bulk({ ids, remove: true }))).toEqual(ids.map(() => "not_found"));
      expectReply(await fixture.api("POST", `/api/vehicles/removed/${first}/restore`), { status: 200 });
      const images = await fixture.api<unknown[]>("GET", `/api/vehicles/${first}/images`);
      expect(images.body).toHaveLength(1);
    });

    test("report what would happen in a dry run, and change nothing", async () => {
      const [one = 0, two = 0] = await someVehicles(NORTH, 2, { trim: "Dry" });
      await bulk({ ids: [two], changes: { price: 50 } });
      const before = [await vehicleOf(one), await vehicleOf(two)];
      const ids = [one, two, NOTHING];
      const dry = await bulk({ ids, changes: { price: { add: -500 } }, dry_run: true });
      expect(dry.body).toMatchObject({ dry_run: true, total: 3 });
      expect(outcomesOf(dry)).toEqual(["updated", "failed", "not_found"]);
      expect(outcomesOf(await bulk({ ids, changes: { price: 50 }, dry_run: true }))).toEqual([
        "updated",
        "unchanged",
        "not_found",
      ]);
      expect(outcomesOf(await bulk({ ids, remove: true, dry_run: true }))).toEqual(["removed", "removed", "not_found"]);
      expect([await vehicleOf(one), await vehicleOf(two)]).toEqual(before);
    });

    test("by a filter change the matches if their number is the expected one", async () => {
      const dealer = await newDealer();
      await someVehicles(dealer, 3, { make: "Škoda" });
      await someVehicles(dealer, 1, { make: "Lada" });
      const filter = { dealer_id: dealer, make: "ŠKODA" };
      const stale = await bulk({ filter, expected_total: 4, changes: { year: 2001 } });
      expectReply(stale, { status: 409, code: "confirmation_stale" });
      const counted = (query: string) =>
        fixture.api<{ meta: object }>("GET", `/api/vehicles?dealer_id=${dealer}${query}`);
      expect((await counted("&year=2001")).body.meta).toMatchObject({ total: 0 });
      const found = await bulk({ filter, dry_run: true, changes: { year: 2001 } });
      expect(outcomesOf(found)).toEqual(["updated", "updated", "updated"]);
      const done = await bulk({ filter, expected_total: 3, changes: { year: 2001 } });
      expect(outcomesOf(done)).toEqual(["updated", "updated", "updated"]);
      expect((await counted("&year=2001&make=%C5%A0koda")).body.meta).toMatchObject({ total: 3 });
      const both = { dealer_id: dealer, make: ["Škoda", "lada"], status: "Available", min_price: 1 };
      const removed = await bulk({ filter: both, expected_total: 4, remove: true });
      expect(outcomesOf(removed)).toEqual(["removed", "removed", "removed", "removed"]);
      expect((await bulk({ filter, expected_total: 0, remove: true })).body).toEqual({
        dry_run: false,
        total: 0,
        results: [],
        change_id: null,
      });
    });

    test("by a bound key reach only its dealer's vehicles, and reveal nothing of others", async () => {
      const [ours = 0] = await someVehicles(NORTH, 1, { trim: "Bound" });
      const [theirs = 0] = await someVehicles(SOUTH, 1, { trim: "Bound" });
      const before = await vehicleOf(theirs);
      const key = fixture.records.keys.north.api_key;
      for (const what of [{ changes: { price: { add: 1 } } }, { remove: true, dry_run: true }, { remove: true }]) {
        const reply = await bulk({ ids: [theirs, NOTHING], ...what }, key);
        expect(outcomesOf(reply)).toEqual(["not_found", "not_found"]);
      }
      const filter = { dealer_id: SOUTH, min_price: 1000, max_price: 1000 };
      const found = await bulk({ filter, changes: { trim: "Found" }, dry_run: true }, key);
      expect(found.body.results.map(({ id }) => id)).toContain(ours);
      expect(found.body.results.map(({ id }) => id)).not.toContain(theirs);
      const moved = await bulk({ ids: [ours, theirs], changes: { dealer_id: SOUTH } }, key);
      expect(outcomesOf(moved)).toEqual(["failed", "not_found"]);
      expect(outcomesOf(await bulk({ ids: [ours], changes: { dealer_id: NORTH, trim: "Own" } }, key))).toEqual([
        "updated",
      ]);
      expect([await vehicleOf(theirs), (await vehicleOf(ours)).dealer_id]).toEqual([before, NORTH]);
    });

    test("move vehicles for an unbound key, and fail for each one if the dealer is missing", async () => {
      const dealer = await newDealer();
      const ids = await someVehicles(NORTH, 2);
      expect(outcomesOf(await bulk({ ids, changes: { dealer_id: NOTHING } }))).toEqual(["failed", "failed"]);
      expect(outcomesOf(await bulk({ ids, changes: { dealer_id: dealer } }))).toEqual(["updated", "updated"]);
    });

    test("to a missing dealer also fail in a dry run", async () => {
      const asked = { ids: await someVehicles(NORTH, 2), changes: { dealer_id: NOTHING, trim: "Moved" } };
      const would = await bulk({ ...asked, dry_run: true });
      expect(outcomesOf(would)).toEqual(["failed", "failed"]);
      expect(would.body.results).toEqual((await bulk(asked)).body.results);
      const move = { ...asked, changes: { dealer_id: SOUTH } };
      expect(outcomesOf(await bulk({ ...move, dry_run: true }))).toEqual(["updated", "updated"]);
    });

    test("need vehicles:write, removals vehicles:delete, and filters also vehicles:read", async () => {
      const ids = await someVehicles(NORTH, 1);
      const [changes, removal] = [
        { ids, changes: { year: 2001 } },
        { ids, remove: true },
      ];
      const found = { filter: { dealer_id: NOTHING }, expected_total: 0 };
      const TABLE = [
        [await keyWith("vehicles:read"), changes, "vehicles:write"],
        [await keyWith("vehicles:read"), { nonsense: 1 }, "vehicles:write"],
        [await keyWith("vehicles:read", "vehicles:write"), removal, "vehicles:delete"],
        [await keyWith("vehicles:read", "vehicles:write"), { ...removal, dry_run: true }, "vehicles:delete"],
        [await keyWith("vehicles:read", "vehicles:delete"), changes, "vehicles:write"],
        [await keyWith("vehicles:write"), { ...found, changes: { year: 2001 } }, "vehicles:read"],
        [await keyWith("vehicles:delete"), { ...found, remove: true }, "vehicles:read"],
      ] as const;
      for (const [key, body, missing] of TABLE) {
        const reply = await fixture.api<{ error: string }>("POST", "/api/vehicles/bulk", { key, body });
        expectReply(reply, { status: 403, code: "permission_missing" });
        expect(reply.body.error).toContain(missing);
      }
      expect(outcomesOf(await bulk(changes, await keyWith("vehicles:write")))).toEqual(["updated"]);
      expect(outcomesOf(await bulk(removal, await keyWith("vehicles:delete")))).toEqual(["removed"]);
    });

    test("of one price by many writers at once are all made exactly once", async () => {
      const ids = await someVehicles(NORTH, 20);
      const replies = await Promise.all(
        Array.from({ length: WRITERS }, (_, writer) =>
          bulk({ ids: writer % 2 ? ids : ids.toReversed(), changes: { price: { add: -0.25 } } }),
        ),
      );
      expect(new Set(replies.flatMap(outcomesOf))).toEqual(new Set(["updated"]));
      for (const id of ids) expect((await vehicleOf(id)).price).toBe(1000 - WRITERS * 0.25);
    });

    test("leave exact counts while others remove, restore, change and move the same vehicles, and answer for each", async () => {
      const [one, two] = [await newDealer(), await newDealer()];
      const ids = await someVehicles(one, 24);
      const WORK = [
        () => bulk({ ids, remove: true }),
        () => bulk({ ids: ids.toReversed(), changes: { dealer_id: two } }),
        () => bulk({ ids, changes: { dealer_id: one, status: "sold" } }),
        () => bulk({ ids: ids.toReversed(), changes: { price: { percent: 10 } } }),
        () => Promise.all(ids.map((id) => fixture.api("POST", `/api/vehicles/removed/${id}/restore`))).then(() => null),
      ];
      const replies = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => WORK[writer % WORK.length]?.()));
      for (const reply of replies)
        if (reply) expect(reply.body.results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
      await Promise.all(ids.map((id) => fixture.api("POST", `/api/vehicles/removed/${id}/restore`)));
      const db = connect(fixture.service.databaseUrl);
      const dealers = makeDealerRepository(db);
      for (const dealer of [one, two]) {
        const reply = await fixture.api<{ vehicles: Vehicle[] }>("GET", `/api/vehicles?dealer_id=${dealer}`);
        const kept = (await dealers.inventory(dealer, null))?.byStatus;
        for (const status of ["available", "sold", "pending"] as const) {
          const those = reply.body.vehicles.filter((vehicle) => vehicle.status === status);
          const cents = those.reduce((sum, { price }) => sum + Math.round(price * 100), 0);
          expect(kept?.[status]).toEqual({ vehicles: those.length, cents });
        }
      }
      await db.close();
      expect(await Promise.all(ids.map(async (id) => (await vehicleOf(id)).id))).toEqual(ids);
    });
  });
