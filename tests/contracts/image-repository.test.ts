import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeHistoryRepository } from "../../adapters/sql/history/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { Timestamp } from "../../core/clock.ts";
import { Failure } from "../../core/failure.ts";
import { MAX_DISPLAY_ORDER, type StoredImage } from "../../core/images/image.ts";
import type { ImageDraft } from "../../core/images/image-repository.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";
import { storedImages } from "../support/stored-images.ts";

const NOBODY = 999_999;
const PAGE = { limit: 100, offset: 0 };
const URL = "https://images.example.com/front.jpg";

for (const engine of ENGINES)
  describe(`the image repository on ${engine.name}`, () => {
    let db: SqlDatabase;
    let images: ReturnType<typeof storedImages>;
    let north: number;
    let south: number;

    beforeAll(async () => {
      db = await engine.open();
      images = storedImages(db);
      const dealers = makeDealerRepository(db);
      north = (await dealers.insert(dealerFields(), OPERATOR)).id;
      south = (await dealers.insert(dealerFields(), OPERATOR)).id;
    });
    afterAll(() => db.close());

    const newVehicle = async (dealerId = north): Promise<number> =>
      made(await makeVehicleRepository(db).insert(vehicleFields(dealerId), OPERATOR)).id;
    let photos = 0;
    const add = async (vehicle: number, draft: Partial<ImageDraft> = {}): Promise<StoredImage> =>
      made(
        await images.add({
          vehicleId: vehicle,
          scope: null,
          draft: { image_url: `${URL}?${++photos}`, ...draft },
          now: MOMENT,
          by: OPERATOR,
        }),
      ).image;
    const all = async (vehicle: number): Promise<readonly StoredImage[]> =>
      made(await images.list(vehicle, null, PAGE)).items;
    test("finds the primary image and the number of images of many vehicles in scope with one statement", async () => {
      const [some, none, without, foreign] = [
        await newVehicle(),
        await newVehicle(),
        await newVehicle(),
        await newVehicle(south),
      ];
      await add(some);
      const { id } = await add(some, { is_primary: true });
      await add(without, { is_primary: false });
      await add(foreign);
      const found = await images.primaries([some, none, without, foreign, 999_999], north);
      expect([...found.keys()].sort((a, b) => a - b)).toEqual([some, none, without]);
      expect(found.get(some)).toMatchObject({ image: { id, vehicle_id: some, is_primary: true }, count: 2 });
      expect([found.get(none), found.get(without)]).toEqual([
        { image: null, count: 0 },
        { image: null, count: 1 },
      ]);
      expect((await images.primaries([foreign], null)).get(foreign)?.count).toBe(1);
      expect(await images.primaries([], null)).toEqual(new Map());
    });

    test("finds the images of many vehicles in scope, each in its order after the primary one, with one statement", async () => {
      const [some, none, foreign] = [await newVehicle(), await newVehicle(), await newVehicle(south)];
      const primary = await add(some, { display_order: 3 });
      const [last, first] = [await add(some, { display_order: 2 }), await add(some, { display_order: 1 })];
      const other = await add(foreign);
      const asked = [some, none, foreign, 999_999];
      expect(await images.imagesOf(asked, north)).toEqual(new Map([[some, [primary, first, last]]]));
      expect(await images.imagesOf(asked, null)).toEqual(
        new Map([
          [some, [primary, first, last]],
          [foreign, [other]],
        ]),
      );
      expect(await images.imagesOf([], null)).toEqual(new Map());
    });

    const primaries = async (vehicle: number): Promise<number[]> =>
      (await all(vehicle)).filter(({ is_primary }) => is_primary).map(({ id }) => id);

    /** A vehicle with three images; the first is primary. */
    const withThree = async (dealerId = north): Promise<{ vehicle: number; ids: [number, number, number] }> => {
      const vehicle = await newVehicle(dealerId);
      return { vehicle, ids: [(await add(vehicle)).id, (await add(vehicle)).id, (await add(vehicle)).id] };
    };

    test("makes the first image primary at position 0, and adds each further one after the highest position", async () => {
      const vehicle = await newVehicle();
      const places = [
        await add(vehicle, { image_url: URL }),
        await add(vehicle, { display_order: 7 }),
        await add(vehicle),
      ];
      expect(places.map(({ is_primary, display_order }) => [is_primary, display_order])).toEqual([
        [true, 0],
        [false, 7],
        [false, 8],
      ]);
      expect(places[0]).toEqual({
        id: expect.any(Number),
        vehicle_id: vehicle,
        image_url: URL,
        is_primary: true,
        display_order: 0,
        created_at: MOMENT,
        alt: null,
        width: null,
        height: null,
        placeholder: null,
      });
    });

    test("does not make a first image primary if the request says so", async () => {
      const vehicle = await newVehicle();
      expect((await add(vehicle, { is_primary: false })).is_primary).toBe(false);
      expect((await add(vehicle)).is_primary).toBe(false);
    });

    test("gives an image after the last possible position that same position", async () => {
      const vehicle = await newVehicle();
      await add(vehicle, { display_order: MAX_DISPLAY_ORDER });
      expect((await add(vehicle)).display_order).toBe(MAX_DISPLAY_ORDER);
    });

    test("lists images by display order, then id; pages partition the list, and the total counts every image", async () => {
      const vehicle = await newVehicle();
      const orders = [5, 1, 5, 0, 1];
      const added: StoredImage[] = [];
      for (const display_order of orders) added.push(await add(vehicle, { display_order }));
      const ids = added.sort((a, b) => a.display_order - b.display_order || a.id - b.id).map(({ id }) => id);
      for (const [limit, offset] of [
        [100, 0],
        [2, 0],
        [2, 2],
        [2, 4],
        [2, 6],
      ] as const) {
        const listing = await images.list(vehicle, null, { limit, offset });
        expect(listing?.items.map(({ id }) => id)).toEqual(ids.slice(offset, offset + limit));
        expect(listing?.total).toBe(5);
      }
    });

    test("unsets the previous primary image for an added or changed one, and no other vehicle's", async () => {
      const bystander = await withThree();
      const { vehicle, ids } = await withThree();
      const added = await add(vehicle, { is_primary: true });
      expect(await primaries(vehicle)).toEqual([added.id]);
      await images.update({
        vehicleId: vehicle,
        imageId: ids[1],
        scope: null,
        changes: { is_primary: true },
        now: MOMENT,
        by: OPERATOR,
      });
      expect(await primaries(vehicle)).toEqual([ids[1]]);
      expect(await primaries(bystander.vehicle)).toEqual([bystander.ids[0]]);
    });

    test("keeps at most one primary image, however many are added at once", async () => {
      const vehicle = await newVehicle();
      const added = await Promise.all(
        Array.from({ length: 40 }, (_, index) => add(vehicle, index % 2 === 0 ? { is_primary: true } : {})),
      );
      expect(await primaries(vehicle)).toHaveLength(1);
      const orders = (await all(vehicle)).map(({ display_order }) => display_order);
      expect(orders).toEqual(added.map((_, index) => index));
    });

    test("changes only the named fields in an update", async () => {
      const { vehicle, ids } = await withThree();
      const [first, second, third] = await all(vehicle);
      const changed = await images.update({
        vehicleId: vehicle,
        imageId: ids[1],
        scope: null,
        changes: { image_url: `${URL}?2`, display_order: 4 },
        now: MOMENT,
        by: OPERATOR,
      });
      expect(changed).toEqual({ ...made(second ?? null), image_url: `${URL}?2`, display_order: 4 });
      expect(await all(vehicle)).toEqual([first, third, changed] as StoredImage[]);
      await images.update({
        vehicleId: vehicle,
        imageId: ids[0],
        scope: null,
        changes: { is_primary: false },
        now: MOMENT,
        by: OPERATOR,
      });
      expect(await primaries(vehicle)).toEqual([ids[2]]);
    });

    test("numbers the images of a new order from 0", async () => {
      const { vehicle, ids } = await withThree();
      const order = [ids[2], ids[0], ids[1]];
      const ordered = made(
        await images.reorder({ vehicleId: vehicle, scope: null, imageIds: order, now: MOMENT, by: OPERATOR }),
      );
      expect(ordered.map(({ id, display_order }) => [id, display_order])).toEqual(
        order.map((id, index) => [id, index]),
      );
      expect(await all(vehicle)).toEqual([...ordered]);
      expect(await primaries(vehicle)).toEqual([ids[0]]);
    });

    test("gives the vehicle a new version, also in its document, with each change, and no history", async () => {
      const vehicles = makeVehicleRepository(db);
      const history = makeHistoryRepository(db);
      const [bystander] = [await newVehicle()];
      const untouched = made(await vehicles.find(bystander, null)).text;
      const id = await newVehicle();
      const before = made(await vehicles.find(id, null));
      const change = { vehicleId: id, scope: north, by: OPERATOR };
      const [front, back] = [`${URL}?front`, `${URL}?back`];
      const first = made(await images.add({ ...change, draft: { image_url: front }, now: momentAfter(1) })).image;
      const second = made(await images.add({ ...change, draft: { image_url: back }, now: momentAfter(2) })).image;
      const set = { ...change, wanted: { images: [first, second], primary: "first" }, isTouched: false } as const;
      const changes: ((now: Timestamp) => Promise<unknown>)[] = [
        (now) => images.update({ ...change, imageId: first.id, changes: { display_order: 5 }, now }),
        (now) => images.reorder({ ...change, imageIds: [second.id, first.id], now }),
        (now) => images.add({ ...change, draft: { image_url: back, is_primary: true }, now }),
        (now) => images.set({ ...set, now }),
        (now) => images.remove({ ...change, imageId: second.id, now }),
      ];
      for (const [index, make] of changes.entries()) {
        await make(momentAfter(10 + index));
        const { updated_at, text } = made(await vehicles.find(id, north));
        expect([index, updated_at]).toEqual([index, momentAfter(10 + index)]);
        expect(JSON.parse(text)).toEqual({ ...before.parse(), updated_at });
      }
      const present = made(await vehicles.find(id, null)).updated_at;
      expect(await images.add({ ...change, draft: { image_url: front }, now: momentAfter(99) })).toMatchObject({
        isNew: false,
      });
      expect(await images.set({ ...set, wanted: { images: [first], primary: "kept" }, now: momentAfter(99) })).toBe(
        false,
      );
      await images.remove({ ...change, imageId: second.id, now: momentAfter(99) });
      expect(made(await vehicles.find(id, null)).updated_at).toBe(present);
      expect(made(await vehicles.find(bystander, null)).text).toBe(untouched);
      const asked = { vehicleId: id, dealerId: north, scope: null, field: null, page: PAGE, after: null };
      expect((await history.read(asked)).changes).toEqual([]);
    });

    test("answers an address once more with the image that is there, with the mark and the place that are sent", async () => {
      const { vehicle, ids } = await withThree();
      const second = (await all(vehicle))[1];
      const again = { vehicleId: vehicle, scope: north, now: MOMENT, by: OPERATOR };
      const draft = { image_url: made(second ?? null).image_url };
      expect(await images.add({ ...again, draft })).toEqual({ image: made(second ?? null), isNew: false });
      expect(await images.add({ ...again, draft: { ...draft, is_primary: true, display_order: 9 } })).toEqual({
        image: { ...made(second ?? null), is_primary: true, display_order: 9 },
        isNew: false,
      });
      expect((await all(vehicle)).map(({ id }) => id)).toEqual([ids[0], ids[2], ids[1]]);
      expect(await primaries(vehicle)).toEqual([ids[1]]);
      await images.add({ ...again, draft: { ...draft, is_primary: false } });
      expect(await primaries(vehicle)).toEqual([ids[0]]);
      const elsewhere = await newVehicle();
      expect(await images.add({ ...again, vehicleId: elsewhere, draft })).toMatchObject({ isNew: true });
    });

    test("sets a list: what stays keeps its id, the rest goes or comes, and only a shorter list goes beyond the quota", async () => {
      const few = storedImages(db, 3);
      const { vehicle, ids } = await withThree();
      const present = await all(vehicle);
      const urls = present.map(({ image_url }) => image_url);
      const change = { vehicleId: vehicle, scope: north, isTouched: false, now: MOMENT, by: OPERATOR };
      const wanted = (...images: readonly (string | undefined)[]) => ({
        images: images.map((image_url) => ({ image_url: image_url ?? "" })),
        primary: "first" as const,
      });
      expect(await few.set({ ...change, wanted: wanted(urls[2], `${URL}?new`, urls[0]) })).toBe(true);
      const listed = await all(vehicle);
      expect(listed.map(({ id, display_order, is_primary }) => [id, display_order, is_primary])).toEqual([
        [ids[2], 0, true],
        [expect.any(Number), 1, false],
        [ids[0], 2, false],
      ]);
      expect(await few.set({ ...change, wanted: wanted(...urls, `${URL}?fourth`) })).toEqual(expect.any(Failure));
      expect(await few.set({ ...change, scope: south, wanted: wanted() })).toBeNull();
      expect(await few.set({ ...change, vehicleId: NOBODY, wanted: wanted() })).toBeNull();
      expect(await all(vehicle)).toEqual(listed);
      expect(await few.set({ ...change, wanted: wanted() })).toBe(true);
      expect(await all(vehicle)).toEqual([]);
    });

    test("refuses an order that does not name all of the vehicle's images exactly once", async () => {
      const { vehicle, ids } = await withThree();
      const other = await withThree();
      const before = await all(vehicle);
      for (const order of [
        [],
        [ids[2], ids[1]],
        [ids[2], ids[1], ids[1]],
        [ids[2], ids[1], ids[0], ids[0]],
        [ids[2], ids[1], other.ids[0]],
        [ids[2], ids[1], ids[0], other.ids[0]],
      ])
        expect(
          await images.reorder({ vehicleId: vehicle, scope: null, imageIds: order, now: MOMENT, by: OPERATOR }),
        ).toEqual(expect.any(Failure));
      expect(await all(vehicle)).toEqual(before);
      expect(
        await images.reorder({ vehicleId: await newVehicle(), scope: null, imageIds: [], now: MOMENT, by: OPERATOR }),
      ).toEqual([]);
    });

    test("makes the first remaining image primary when the primary one is removed", async () => {
      const { vehicle, ids } = await withThree();
      await images.update({
        vehicleId: vehicle,
        imageId: ids[2],
        scope: null,
        changes: { display_order: 0 },
        now: MOMENT,
        by: OPERATOR,
      });
      await images.update({
        vehicleId: vehicle,
        imageId: ids[1],
        scope: null,
        changes: { display_order: 9 },
        now: MOMENT,
        by: OPERATOR,
      });
      expect(await images.remove({ vehicleId: vehicle, imageId: ids[0], scope: null, now: MOMENT, by: OPERATOR })).toBe(
        true,
      );
      expect(await primaries(vehicle)).toEqual([ids[2]]);
      expect(await images.remove({ vehicleId: vehicle, imageId: ids[1], scope: null, now: MOMENT, by: OPERATOR })).toBe(
        true,
      );
      expect(await primaries(vehicle)).toEqual([ids[2]]);
      expect(await images.remove({ vehicleId: vehicle, imageId: ids[2], scope: null, now: MOMENT, by: OPERATOR })).toBe(
        true,
      );
      expect(await all(vehicle)).toEqual([]);
    });

    test("reaches an image only through its own vehicle", async () => {
      const { vehicle, ids } = await withThree();
      const other = await newVehicle();
      const before = await all(vehicle);
      expect(
        await images.update({
          vehicleId: other,
          imageId: ids[1],
          scope: null,
          changes: { is_primary: true },
          now: MOMENT,
          by: OPERATOR,
        }),
      ).toEqual(expect.any(Failure));
      expect(
        await images.remove({ vehicleId: other, imageId: ids[0], scope: null, now: MOMENT, by: OPERATOR }),
      ).toEqual(expect.any(Failure));
      expect(await all(vehicle)).toEqual(before);
    });

    test("answers null for a missing vehicle, and reports a missing image as missing", async () => {
      const vehicle = await newVehicle();
      expect(await images.list(NOBODY, null, PAGE)).toBeNull();
      expect(
        await images.add({ vehicleId: NOBODY, scope: null, draft: { image_url: URL }, now: MOMENT, by: OPERATOR }),
      ).toBeNull();
      expect(
        await images.reorder({ vehicleId: NOBODY, scope: null, imageIds: [], now: MOMENT, by: OPERATOR }),
      ).toBeNull();
      expect(
        await images.update({
          vehicleId: NOBODY,
          imageId: 1,
          scope: null,
          changes: { display_order: 1 },
          now: MOMENT,
          by: OPERATOR,
        }),
      ).toBeNull();
      expect(await images.remove({ vehicleId: NOBODY, imageId: 1, scope: null, now: MOMENT, by: OPERATOR })).toBeNull();
      expect(
        await images.update({
          vehicleId: vehicle,
          imageId: NOBODY,
          scope: null,
          changes: { display_order: 1 },
          now: MOMENT,
          by: OPERATOR,
        }),
      ).toEqual(expect.any(Failure));
      expect(
        await images.remove({ vehicleId: vehicle, imageId: NOBODY, scope: null, now: MOMENT, by: OPERATOR }),
      ).toEqual(expect.any(Failure));
      expect(await images.list(vehicle, null, PAGE)).toEqual({ total: 0, items: [] });
    });

    test("reads and changes only the images of the scope's dealer", async () => {
      const { vehicle, ids } = await withThree(south);
      const before = await all(vehicle);
      expect(await images.list(vehicle, north, PAGE)).toBeNull();
      expect(
        await images.add({
          vehicleId: vehicle,
          scope: north,
          draft: { image_url: URL, is_primary: true },
          now: MOMENT,
          by: OPERATOR,
        }),
      ).toBeNull();
      expect(
        await images.update({
          vehicleId: vehicle,
          imageId: ids[1],
          scope: north,
          changes: { is_primary: true },
          now: MOMENT,
          by: OPERATOR,
        }),
      ).toBeNull();
      expect(
        await images.reorder({
          vehicleId: vehicle,
          scope: north,
          imageIds: [ids[2], ids[1], ids[0]],
          now: MOMENT,
          by: OPERATOR,
        }),
      ).toBeNull();
      expect(
        await images.remove({ vehicleId: vehicle, imageId: ids[0], scope: north, now: MOMENT, by: OPERATOR }),
      ).toBeNull();
      expect(await all(vehicle)).toEqual(before);

      expect(await images.list(vehicle, south, PAGE)).toEqual({ total: 3, items: before });
      const added = made(
        await images.add({
          vehicleId: vehicle,
          scope: south,
          draft: { image_url: URL, is_primary: true },
          now: MOMENT,
          by: OPERATOR,
        }),
      ).image;
      expect([added.is_primary, added.display_order]).toEqual([true, 3]);
      await images.update({
        vehicleId: vehicle,
        imageId: ids[0],
        scope: south,
        changes: { is_primary: true },
        now: MOMENT,
        by: OPERATOR,
      });
      await images.reorder({
        vehicleId: vehicle,
        scope: south,
        imageIds: [added.id, ids[2], ids[1], ids[0]],
        now: MOMENT,
        by: OPERATOR,
      });
      expect(
        await images.remove({ vehicleId: vehicle, imageId: ids[0], scope: south, now: MOMENT, by: OPERATOR }),
      ).toBe(true);
      expect(await primaries(vehicle)).toEqual([added.id]);
    });
  });
