import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import type { SqlValue } from "../../adapters/sql/query/statement.ts";
import { purging } from "../../adapters/sql/removed/purging.ts";
import { makeRemovedRepository } from "../../adapters/sql/removed/repository.ts";
import { copyDatabase } from "../../adapters/sql/schema/copy.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { DealerScope } from "../../core/access/decide.ts";
import type { Actor } from "../../core/access/principal.ts";
import type { Visibility } from "../../core/access/visibility.ts";
import type { Page } from "../../core/page.ts";
import { DEALER_GONE, DEALER_INACTIVE } from "../../core/removed/removed-repository.ts";
import type { RemovedVehicle } from "../../core/removed/removed-vehicle.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import type { VehicleFields } from "../../core/vehicles/vehicle-repository.ts";
import { anyCharacter } from "../support/any-character.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";
import { storedImages } from "../support/stored-images.ts";

setDefaultTimeout(300_000);

const EARLIEST = "0000-01-01T00:00:00.000Z";
const NOBODY = 999_999;
const WRITERS = 12;

for (const engine of ENGINES)
  describe(`removed vehicles on ${engine.name}`, () => {
    let db: SqlDatabase;
    /** Another instance's connection to the same database. */
    let elsewhere: SqlDatabase;
    let north: number;
    let south: number;

    beforeAll(async () => {
      [db, elsewhere] = await openTwice(engine);
      const dealers = makeDealerRepository(db);
      north = (await dealers.insert(dealerFields(), OPERATOR)).id;
      south = (await dealers.insert(dealerFields(), OPERATOR)).id;
    });
    afterAll(() => Promise.all([db.close(), elsewhere.close()]));

    const rowsOf = async (text: string): Promise<Record<string, SqlValue>[]> =>
      (await db.all<Record<string, SqlValue>>({ text, bind: () => [] }, {})).map((row) => ({ ...row }));
    const rowsOfVehicle = (id: number) => rowsOf(`SELECT * FROM vehicles WHERE id = ${id}`);
    const imagesOf = (id: number) => rowsOf(`SELECT * FROM vehicle_images WHERE vehicle_id = ${id} ORDER BY id`);
    const entriesOf = (id: number) =>
      rowsOf(`SELECT action, dealer_id, record_name, before, after FROM audit_entries
        WHERE resource = 'vehicles' AND resource_id = ${id} ORDER BY id`);

    const insert = async (dealerId: number, fields: Partial<VehicleFields> = {}): Promise<Vehicle> =>
      made(await makeVehicleRepository(db).insert(vehicleFields(dealerId, fields), OPERATOR)).parse();
    let photos = 0;
    const addImage = async (vehicleId: number, draft: { is_primary?: boolean; display_order?: number } = {}) =>
      made(
        await storedImages(db).add({
          vehicleId,
          scope: null,
          draft: { image_url: `https://images.example.com/é-${++photos}.jpg`, ...draft },
          now: MOMENT,
          by: OPERATOR,
        }),
      ).image;
    const remove = (id: number, { now = MOMENT, by = OPERATOR, on = db } = {}) =>
      makeVehicleRepository(on).remove({ id, scope: null, versions: null, now, by });
    const one = (id: number, { scope = null as DealerScope, since = EARLIEST, now = MOMENT } = {}) => ({
      id,
      scope,
      since,
      now,
      by: OPERATOR,
    });
    const restore = (id: number, more: Parameters<typeof one>[1] = {}, on = db) =>
      makeRemovedRepository(on).restore(one(id, more));
    const list = async ({
      scope = null as DealerScope,
      visibility = "everything" as Visibility,
      since = EARLIEST,
      filter = {},
      page = { limit: 1000, offset: 0 } as Page,
    } = {}) => makeRemovedRepository(db).list({ scope, visibility, since, filter, page });
    const listed = async (id: number): Promise<RemovedVehicle | undefined> =>
      (await list()).items.find((item) => item.id === id);

    test("are restored as they were with their images, except for a new updated_at", async () => {
      const anyText = fc.string({ unit: anyCharacter, maxLength: 30 }).filter((text) => !text.includes("\0"));
      await fc.assert(
        fc.asyncProperty(
          fc.option(anyText),
          anyText.filter((text) => text.trim() !== ""),
          fc.nat(10_000_000_000),
          fc.array(fc.nat(9), { maxLength: 5 }),
          fc.nat(4),
          async (description, make, cents, orders, primary) => {
            const { id } = await insert(north, {
              ...{ description, make, price: cents / 100, status: "pending", seats: 5 },
              ...{ msrp: cents / 100, battery_capacity: 77, date_first_registered: "2021-03-15" },
            });
            for (const [place, display_order] of orders.entries())
              await addImage(id, { display_order, is_primary: place === primary });
            const before = [await rowsOfVehicle(id), await imagesOf(id)];
            expect(await remove(id)).toBe(true);
            expect([await rowsOfVehicle(id), await imagesOf(id)]).toEqual([[], []]);
            const restored = made(await restore(id, { now: momentAfter(50) }));
            const [rows, images] = [await rowsOfVehicle(id), await imagesOf(id)];
            const moved = { ...before[0]?.[0], updated_at: momentAfter(50) };
            // PostgreSQL keeps the document in the row.
            if ("document" in moved) moved.document = restored.text;
            expect([rows, images]).toEqual([[moved], before[1] ?? []]);
            expect(made(await makeVehicleRepository(db).find(id, north))).toEqual(restored);
          },
        ),
        { numRuns: inGate(15, 60) },
      );
    });

    test("get a later updated_at when they are restored, even if the clock was set back", async () => {
      const { id } = await insert(north, { updated_at: momentAfter(1000) });
      await remove(id);
      expect(made(await restore(id, { now: MOMENT })).updated_at).toBe(momentAfter(1001));
    });

    test("do not count in totals and values until they are restored", async () => {
      const dealers = makeDealerRepository(db);
      const dealer = (await dealers.insert(dealerFields(), OPERATOR)).id;
      const { id } = await insert(dealer, { price: 12.34 });
      const state = async () => [
        (await dealers.inventory(dealer, null))?.byStatus.available,
        (await makeVehicleRepository(db).list({ scope: dealer, filter: {}, page: { limit: 1, offset: 0 }, from: null }))
          .total,
      ];
      const before = await state();
      await remove(id);
      expect(await state()).toEqual([{ vehicles: 0, cents: 0 }, 0]);
      await restore(id);
      expect(await state()).toEqual(before);
    });

    test("are recorded when they are removed, restored and purged, each time as a whole", async () => {
      const vehicle = await insert(north);
      const { id } = vehicle;
      await remove(id);
      const restored = made(await restore(id, { now: momentAfter(9) })).parse();
      await remove(id);
      expect(await makeRemovedRepository(db).purge(one(id))).toBe(true);
      const entries = (await entriesOf(id)).map(({ before, after, ...entry }) => ({
        ...entry,
        before: JSON.parse(String(before)),
        after: JSON.parse(String(after)),
      }));
      const about = { dealer_id: north, record_name: "2024 Toyota Camry" };
      expect<object[]>(entries.slice(1)).toEqual([
        { ...about, action: "vehicle.removed", before: vehicle, after: null },
        { ...about, action: "vehicle.restored", before: null, after: restored },
        { ...about, action: "vehicle.removed", before: restored, after: null },
        { ...about, action: "vehicle.purged", before: restored, after: null },
      ]);
      expect(await restore(id)).toBeNull();
    });

    test("are found by search at once after they are restored, and not before", async () => {
      const { id } = await insert(north, { trim: "Zoë Intens" });
      const found = async () => {
        const page = { limit: 9, offset: 0 };
        const listed = await makeVehicleRepository(db).list({
          scope: north,
          filter: { q: "zoe inte" },
          page,
          from: null,
        });
        return listed.vehicles.parse().map((vehicle) => vehicle.id);
      };
      const before = await found();
      await remove(id);
      const between = await found();
      await restore(id);
      expect([before, between, await found()]).toEqual([[id], [], [id]]);
    });

    test("keep their history and sale, and stay where they are, until they are restored or purged themselves", async () => {
      const kept = async (id: number) => [
        await rowsOf(`SELECT * FROM vehicle_history WHERE vehicle_id = ${id} ORDER BY at, field`),
        await rowsOf(`SELECT * FROM vehicle_sales WHERE vehicle_id = ${id}`),
      ];
      const sold = async (): Promise<number> => {
        const { id } = await insert(north);
        const changes = { status: "sold", price: 1 } as const;
        await makeVehicleRepository(db).update({ id, scope: null, changes, now: MOMENT, versions: null, by: OPERATOR });
        return id;
      };
      const [id, other, third] = [await sold(), await sold(), await sold()];
      const before = await kept(id);
      expect(before.map((rows) => rows.length)).toEqual([2, 1]);
      await remove(id);
      await remove(third);
      await restore(id, { now: momentAfter(50) });
      expect(await kept(id)).toEqual(before);
      await remove(id);
      await remove(other, { now: momentAfter(-9000) });
      await makeRemovedRepository(db).purge(one(id));
      await makeRemovedRepository(db).purgeSome(momentAfter(-9000));
      expect([await kept(id), await kept(other)]).toEqual([
        [[], []],
        [[], []],
      ]);
      expect((await kept(third)).map((rows) => rows.length)).toEqual([2, 1]);
      expect(await listed(third)).toBeDefined();
    });

    test("are listed last removed first, whole, in pages and with the total", async () => {
      const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const vehicles: Vehicle[] = [];
      for (let made = 0; made < 5; made++) vehicles.push(await insert(dealer, { trim: `Trim ${made}` }));
      // Another dealer's, removed last.
      await remove((await insert(north)).id, { now: momentAfter(5) });
      for (const [place, { id }] of vehicles.entries()) await remove(id, { now: momentAfter(place === 4 ? 3 : place) });
      const ids = vehicles.map(({ id }) => id);
      const all = await list({ scope: dealer });
      expect(all.items.map(({ id }) => id)).toEqual(ids.toReversed());
      expect([all.items[0], all.total]).toEqual([
        {
          ...(vehicles[4] as Vehicle),
          removed_at: momentAfter(3),
          removed_by: { type: "service", id: null, name: OPERATOR.name },
          restorable_until: momentAfter(3 + 30 * 24 * 60 * 60 * 1000),
          picture: null,
        },
        5,
      ]);
      const part = await list({ filter: { dealerId: dealer }, page: { limit: 2, offset: 1 } });
      expect([part.items.map(({ id }) => id), part.total]).toEqual([ids.toReversed().slice(1, 3), 5]);
      expect((await list({ scope: dealer, since: momentAfter(3) })).total).toBe(0);
      expect((await list({ scope: dealer, since: momentAfter(2) })).items.map(({ id }) => id)).toEqual(
        ids.toReversed().slice(0, 2),
      );
      expect((await list({ scope: north, filter: { dealerId: dealer } })).total).toBe(0);
    });

    test("show their primary image: its address, or the small picture of a photo, which is not delivered", async () => {
      const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const { id: plain } = await insert(dealer);
      await addImage(plain, { display_order: 1 });
      const primary = await addImage(plain, { display_order: 10, is_primary: true });
      const { id: photo } = await insert(dealer);
      const held = await addImage(photo, {});
      const placeholder = "data:image/webp;base64,AAAA";
      await db
        .updateTable("vehicle_images")
        .set({ image_url: `photo:${"a".repeat(32)}/${"b".repeat(32)}/public`, placeholder })
        .where("id", "=", held.id)
        .execute();
      for (const id of [plain, photo]) await remove(id);
      const pictures = (await list({ scope: dealer })).items.map(({ id, picture }) => [id, picture]);
      expect(Object.fromEntries(pictures)).toEqual({ [plain]: primary.image_url, [photo]: placeholder });
    });

    test("are listed in slices if the list is too long for memory", async () => {
      const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      for (let made = 0; made < 60; made++) {
        const { id } = await insert(dealer, { description: "\u0001".repeat(5000) });
        await remove(id, { now: momentAfter(made) });
      }
      const whole = await list({ scope: dealer });
      const { long, total } = await list({ scope: dealer, page: { limit: 1000, offset: 0, sliceBytes: 100_000 } });
      const slices = long?.slices ?? [];
      expect(slices.length).toBeGreaterThan(5);
      const items = (await Promise.all(slices.map((read) => read()))).flat();
      expect([items, total]).toEqual([[...whole.items], 60]);
    });

    const SEARCHES: readonly (readonly [q: string, isFound: boolean])[] = [
      ["zoë", true],
      ["ZOE skoda", true],
      ["f150", true],
      ["f-150 2019", true],
      ["f 150", true],
      ["ab123456", true],
      ["123456", true],
      ["b12345", false],
      ["heated", true],
      ["bought leather", false],
      ["toyota", false],
      ["%", false],
      ["_50", false],
    ];
    for (const [q, isFound] of SEARCHES)
      test(`are ${isFound ? "found" : "not found"} by a search for ${q}`, async () => {
        const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
        const { id } = await insert(dealer, {
          make: "Škoda",
          model: "F-150",
          year: 2019,
          trim: "Zoë",
          title: null,
          vin: "4T1G11AK5AB123456",
          features: "Heated seats",
        });
        await remove(id);
        const found = async (scope: DealerScope) =>
          (await list({ scope, filter: { search: q } })).items.map((v) => v.id);
        expect((await found(dealer)).includes(id)).toBe(isFound);
        expect((await found(null)).includes(id)).toBe(isFound);
        expect((await found(south)).includes(id)).toBe(false);
      });

    test("show who removed them to the same dealer, the same user and super-admins", async () => {
      const by: Actor = { ...OPERATOR, keyId: 5, userId: 6, name: "Robin", via: "api", dealerId: north };
      const { id } = await insert(north);
      await remove(id, { by });
      const told = async (visibility: Visibility) =>
        (await list({ visibility })).items.find((item) => item.id === id)?.removed_by;
      const robin = { type: "key", id: 5, name: "Robin" } as const;
      const operator = { type: "operator", id: null, name: "Operator" } as const;
      expect(await told("everything")).toEqual(robin);
      expect(await told({ dealerId: north })).toEqual(robin);
      expect(await told({ dealerId: south })).toEqual(operator);
      expect(await told({ userId: 6 })).toEqual(robin);
      expect(await told({ userId: 7 })).toEqual(operator);
    });

    test("are neither restored nor purged by another dealer, after the time limit or without a removal", async () => {
      const { id } = await insert(south);
      const { id: present } = await insert(south);
      await remove(id);
      const removed = makeRemovedRepository(db);
      for (const request of [
        one(id, { scope: north }),
        one(id, { since: MOMENT }),
        one(present),
        one(NOBODY),
        one(id, { scope: NOBODY }),
      ]) {
        expect(await removed.restore(request)).toBeNull();
        expect(await removed.purge(request)).toBe(false);
      }
      expect(await listed(id)).toBeDefined();
      expect(made(await restore(id, { scope: south })).id).toBe(id);
    });

    test("are not restored to an inactive or missing dealer", async () => {
      const dealers = makeDealerRepository(db);
      const dealer = (await dealers.insert(dealerFields(), OPERATOR)).id;
      const { id } = await insert(dealer);
      await remove(id);
      const setActive = (active: 0 | 1) =>
        dealers.update({ id: dealer, scope: null, changes: { active }, now: MOMENT, versions: null, by: OPERATOR });
      await setActive(0);
      expect(await restore(id)).toBe(DEALER_INACTIVE);
      await db.migrate(async (run) => void (await run(`DELETE FROM dealers WHERE id = ${dealer}`)));
      expect(await restore(id)).toBe(DEALER_GONE);
      expect((await listed(id))?.id).toBe(id);
    });

    test("are not restored to a dealer that is being deactivated at that moment", async () => {
      const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const { id } = await insert(dealer);
      await remove(id);
      const restored = Promise.withResolvers<unknown>();
      let isSettled = false;
      const waiting = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await db.write(async (tx) => {
        await tx.all({ text: `UPDATE dealers SET active = 0 WHERE id = ${dealer}`, bind: () => [] }, {});
        restored.resolve(restore(id, {}, elsewhere));
        restored.promise.finally(() => {
          isSettled = true;
        });
        if (db.engine === "postgres")
          await eventually(async () => isSettled || (await rowsOf(waiting)).length > 0, Boolean);
      });
      expect(await restored.promise).toBe(DEALER_INACTIVE);
    });

    test("from another schema version are restored without unknown columns and with defaults for new ones", async () => {
      const { id } = await insert(north, { seats: 5, trim: "XSE" });
      await addImage(id);
      const [image] = await imagesOf(id);
      await remove(id);
      const [row] = await rowsOf(`SELECT vehicle, document, images FROM removed_vehicles WHERE id = ${id}`);
      const { seats: _, ...vehicle } = JSON.parse(String(row?.vehicle));
      const { seats: __, ...document } = JSON.parse(String(row?.document));
      const images = JSON.parse(String(row?.images)).map((stored: object) => ({ ...stored, angle: 3 }));
      const literal = (value: object) => `'${JSON.stringify(value)}'`;
      await db.migrate(
        async (run) =>
          void (await run(`UPDATE removed_vehicles SET vehicle = ${literal({ ...vehicle, doors: 5 })}, document = ${literal({ ...document, doors: 5 })},
            images = ${literal(images)} WHERE id = ${id}`)),
      );
      expect((await listed(id))?.seats).toBeNull();
      expect(made(await restore(id)).parse()).toMatchObject({ seats: null, trim: "XSE" });
      expect(await imagesOf(id)).toEqual([image ?? {}]);
    });

    test("keep every image that was added during the removal", async () => {
      for (let round = 0; round < inGate(8, 20); round++) {
        const { id } = await insert(north);
        const images = storedImages(elsewhere);
        const added = Array.from({ length: WRITERS }, (_, writer) =>
          images.add({
            vehicleId: id,
            scope: null,
            draft: { image_url: `https://images.example.com/${writer}.jpg` },
            now: MOMENT,
            by: OPERATOR,
          }),
        );
        const removed = remove(id);
        const there = (await Promise.all(added)).filter((image) => image !== null).length;
        expect(await removed).toBe(true);
        await restore(id);
        expect((await imagesOf(id)).length).toBe(there);
      }
    });

    test("are restored or purged by exactly one of many concurrent callers in two processes", async () => {
      for (let round = 0; round < inGate(5, 10); round++) {
        const { id } = await insert(north);
        await addImage(id);
        await remove(id);
        const outcomes = await Promise.all(
          Array.from({ length: WRITERS }, async (_, writer) => {
            const removed = makeRemovedRepository(writer % 2 ? db : elsewhere);
            return writer % 3 ? (await removed.restore(one(id))) !== null : removed.purge(one(id));
          }),
        );
        expect(outcomes.filter((done) => done)).toHaveLength(1);
        expect(await listed(id)).toBeUndefined();
        expect((await rowsOfVehicle(id)).length).toBe((await imagesOf(id)).length);
      }
    });

    test("are removed by exactly one of many concurrent callers, and restored once", async () => {
      const { id } = await insert(north);
      const outcomes = await Promise.all(
        Array.from({ length: WRITERS }, (_, writer) => remove(id, { on: writer % 2 ? db : elsewhere })),
      );
      expect(outcomes.filter((done) => done)).toHaveLength(1);
      expect(made(await restore(id)).id).toBe(id);
    });

    test("are purged in batches after the time limit, by two processes at once", async () => {
      const ids: number[] = [];
      const all = inGate(115, 250);
      for (let made = 0; made < all; made++) ids.push((await insert(north)).id);
      await Promise.all(ids.map((id, place) => remove(id, { now: momentAfter(place < all - 10 ? -5000 : -1000) })));
      const after = () => momentAfter(-5000);
      expect(await makeRemovedRepository(db).purgeSome(after())).toBe(100);
      await Promise.all([db, elsewhere].map((on) => purging([makeRemovedRepository(on)], { after }).run()));
      const left = new Set((await list()).items.map(({ id }) => id));
      expect(ids.filter((id) => left.has(id))).toEqual(ids.slice(all - 10));
    });

    test("are either restored or purged at the time limit, never both", async () => {
      for (let round = 0; round < inGate(10, 20); round++) {
        const { id } = await insert(north);
        await remove(id, { now: momentAfter(-round) });
        const [restored] = await Promise.all([
          restore(id),
          makeRemovedRepository(elsewhere).purgeSome(momentAfter(-round)),
        ]);
        expect((await rowsOfVehicle(id)).length).toBe(restored === null ? 0 : 1);
        expect(await listed(id)).toBeUndefined();
      }
    });

    for (const other of ENGINES)
      test(`are copied into ${other.name}, and can be restored there`, async () => {
        const [source, target] = [await engine.open(), await other.open()];
        const dealer = (await makeDealerRepository(source).insert(dealerFields(), OPERATOR)).id;
        const fields = vehicleFields(dealer, { trim: "XSE", msrp: 31_500.5, battery_capacity: 77 });
        const vehicle = made(await makeVehicleRepository(source).insert(fields, OPERATOR)).parse();
        await remove(vehicle.id, { on: source });
        await copyDatabase(source, target, () => {});
        const restored = made(await restore(vehicle.id, { now: momentAfter(1) }, target));
        const filter = { trim: ["xse"] };
        const found = await makeVehicleRepository(target).list({
          scope: null,
          filter,
          page: { limit: 9, offset: 0 },
          from: null,
        });
        expect(found.vehicles.parse().map(({ id }) => id)).toEqual([vehicle.id]);
        expect(restored.parse()).toEqual({ ...vehicle, updated_at: momentAfter(1) });
        await Promise.all([source.close(), target.close()]);
      });
  });
