import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeDealerFiguresRepository } from "../../adapters/sql/dealer-figures/repository.ts";
import { dealersNear } from "../../adapters/sql/dealers/near.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeFacetRepository } from "../../adapters/sql/facets/repository.ts";
import { makeSaleRepository } from "../../adapters/sql/history/sales.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { params, statement } from "../../adapters/sql/query/statement.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { makeRecentChangeRepository } from "../../adapters/sql/recent-changes/repository.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { FACET_NAMES } from "../../core/facets/facet.ts";
import type { StoredChange } from "../../core/recent-changes/recent-change.ts";
import { ORDERS } from "../../core/vehicles/vehicle-order.ts";
import { ENGINES } from "../support/engines.ts";
import { type Ran, recording } from "../support/recording.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";
import { storedImages } from "../support/stored-images.ts";

/** A dealer with an id that nothing else in these tests has, so that statements can be searched for it. */
const DEALER = 424_242;
const PAGE = { limit: 10, offset: 0 };
const IMAGE = { image_url: "https://images.example.com/front.jpg" };
const BACK = { image_url: "https://images.example.com/back.jpg" };
const SIDE = { image_url: "https://images.example.com/side.jpg" };

const SIGHT = { keys: null, usageFrom: MOMENT, feeds: true, files: true };
const READER = { visibility: "everything", since: MOMENT } as const;
const CHANGE: StoredChange = {
  ...{ id: "b-1", kind: "bulk", at: MOMENT, vehicles: 1, revertible: 1, vehicleId: null, fields: ["price"] },
  ...{ by: { type: "service", id: null, name: "Service" }, reverts: null, revertedAt: null, revertedBy: null },
};

const repositoriesOf = (db: SqlDatabase) => ({
  vehicles: makeVehicleRepository(db),
  images: storedImages(db),
  facets: makeFacetRepository(db),
  dealers: makeDealerRepository(db),
  near: dealersNear(db),
  figures: makeDealerFiguresRepository(db),
  changes: makeRecentChangeRepository(db, { words: vehicleWordsIn(db), pause: nextTurn }),
});

interface RecordIds {
  readonly vehicle: number;
  readonly first: number;
  readonly second: number;
}

type Repositories = ReturnType<typeof repositoriesOf>;
type Scope = typeof DEALER | null;

interface Access {
  readonly name: string;
  /** True if it changes a vehicle or its images, so that it gets some of its own. */
  readonly isChange?: boolean;
  readonly run: (on: Repositories, scope: Scope, ids: RecordIds) => unknown;
}

/** Every kind of access to a dealer's records through the ports, in a scope. */
const ACCESSES: Access[] = [
  { name: "reading a vehicle", run: ({ vehicles }, scope, ids) => vehicles.find(ids.vehicle, scope) },
  {
    name: "comparing a version of a vehicle",
    run: ({ vehicles }, scope, ids) => vehicles.isVersion(ids.vehicle, scope, MOMENT),
  },
  {
    name: "changing a vehicle",
    isChange: true,
    run: ({ vehicles }, scope, ids) =>
      vehicles.update({ id: ids.vehicle, scope, changes: { year: 2001 }, now: MOMENT, versions: null, by: OPERATOR }),
  },
  {
    name: "changing a version of a vehicle",
    isChange: true,
    run: ({ vehicles }, scope, ids) =>
      vehicles.update({
        id: ids.vehicle,
        scope,
        changes: { year: 2001 },
        now: MOMENT,
        versions: [MOMENT],
        by: OPERATOR,
      }),
  },
  {
    name: "removing a vehicle",
    isChange: true,
    run: ({ vehicles }, scope, ids) =>
      vehicles.remove({ id: ids.vehicle, scope, versions: null, now: MOMENT, by: OPERATOR }),
  },
  {
    name: "removing a version of a vehicle",
    isChange: true,
    run: ({ vehicles }, scope, ids) =>
      vehicles.remove({ id: ids.vehicle, scope, versions: [MOMENT], now: MOMENT, by: OPERATOR }),
  },
  {
    name: "listing vehicles",
    run: ({ vehicles }, scope) => vehicles.list({ scope, filter: {}, page: PAGE, from: null }),
  },
  {
    name: "listing sold vehicles",
    run: ({ vehicles }, scope) => vehicles.list({ scope, filter: { status: ["sold"] }, page: PAGE, from: null }),
  },
  {
    name: "listing a make",
    run: ({ vehicles }, scope) => vehicles.list({ scope, filter: { make: ["Toyota"] }, page: PAGE, from: null }),
  },
  {
    name: "listing featured vehicles",
    run: ({ vehicles }, scope) => vehicles.list({ scope, filter: { featured: true }, page: PAGE, from: null }),
  },
  {
    name: "listing vehicles behind a position",
    run: ({ vehicles }, scope, ids) =>
      vehicles.list({ scope, filter: {}, page: PAGE, from: { value: momentAfter(1), id: ids.vehicle } }),
  },
  {
    name: "listing vehicles by price",
    run: ({ vehicles }, scope) => vehicles.list({ scope, filter: {}, order: ORDERS.price, page: PAGE, from: null }),
  },
  {
    name: "counting vehicles by facets",
    run: ({ facets }, scope) => facets.count({ scope, filter: { make: ["a"], as_of: MOMENT }, facets: FACET_NAMES }),
  },
  {
    name: "reading primary images",
    run: ({ images }, scope, ids) => images.primaries([ids.vehicle], scope),
  },
  {
    name: "reading the images of vehicles",
    run: ({ images }, scope, ids) => images.imagesOf([ids.vehicle], scope),
  },
  { name: "listing images", run: ({ images }, scope, ids) => images.list(ids.vehicle, scope, PAGE) },
  {
    name: "adding an image",
    isChange: true,
    run: ({ images }, scope, ids) =>
      images.add({ vehicleId: ids.vehicle, scope, draft: { ...SIDE, is_primary: true }, now: MOMENT, by: OPERATOR }),
  },
  {
    name: "adding an image once more",
    isChange: true,
    run: ({ images }, scope, ids) =>
      images.add({ vehicleId: ids.vehicle, scope, draft: { ...BACK, is_primary: true }, now: MOMENT, by: OPERATOR }),
  },
  {
    name: "setting images",
    isChange: true,
    run: ({ images }, scope, ids) =>
      images.set({
        vehicleId: ids.vehicle,
        scope,
        wanted: { images: [SIDE, BACK], primary: "first" },
        isTouched: false,
        now: MOMENT,
        by: OPERATOR,
      }),
  },
  {
    name: "changing an image",
    isChange: true,
    run: ({ images }, scope, ids) =>
      images.update({
        vehicleId: ids.vehicle,
        imageId: ids.second,
        scope,
        changes: { is_primary: true, display_order: 9 },
        now: MOMENT,
        by: OPERATOR,
      }),
  },
  {
    name: "ordering images",
    isChange: true,
    run: ({ images }, scope, ids) =>
      images.reorder({ vehicleId: ids.vehicle, scope, imageIds: [ids.second, ids.first], now: MOMENT, by: OPERATOR }),
  },
  {
    name: "removing the primary image",
    isChange: true,
    run: ({ images }, scope, ids) =>
      images.remove({ vehicleId: ids.vehicle, imageId: ids.first, scope, now: MOMENT, by: OPERATOR }),
  },
  { name: "reading a dealer", run: ({ dealers }, scope) => dealers.find(DEALER, scope) },
  { name: "listing dealers", run: ({ dealers }, scope) => dealers.list({ scope, filter: {}, page: PAGE }) },
  {
    name: "listing dealers of a city",
    run: ({ dealers }, scope) => dealers.list({ scope, filter: { city: "Portland" }, page: PAGE }),
  },
  {
    name: "searching dealers",
    run: ({ dealers }, scope) => dealers.list({ scope, filter: { search: "f-150 harbor" }, page: PAGE }),
  },
  {
    name: "listing dealers by name",
    run: ({ dealers }, scope) =>
      dealers.list({ scope, filter: {}, page: PAGE, order: { by: "name", ascending: true } }),
  },
  {
    name: "finding the dealers near a place",
    run: ({ near }, scope) => near(scope, { latitude: 45.52, longitude: -122.68, kilometres: 10 }),
  },
  {
    name: "reading the figures of dealers",
    run: ({ figures }, scope) => figures.of({ ids: [DEALER], scope, sight: SIGHT, borders: [MOMENT] }),
  },
  { name: "reading names of dealers", run: ({ dealers }, scope) => dealers.names([DEALER], scope) },
  {
    name: "changing a dealer",
    run: ({ dealers }, scope) =>
      dealers.update({ id: DEALER, scope, changes: { city: "Salem" }, now: MOMENT, versions: null, by: OPERATOR }),
  },
  {
    name: "changing a version of a dealer",
    run: ({ dealers }, scope) =>
      dealers.update({ id: DEALER, scope, changes: { city: "Salem" }, now: MOMENT, versions: [MOMENT], by: OPERATOR }),
  },
  {
    name: "listing recent changes",
    run: ({ changes }, scope) =>
      changes.list({ ...READER, scope, dealerId: null, limit: 10, after: { at: MOMENT, id: CHANGE.id } }),
  },
  {
    name: "counting recent changes",
    run: ({ changes }, scope) => changes.count({ ...READER, scope, dealerId: null }),
  },
  { name: "reading a recent change", run: ({ changes }, scope) => changes.find(CHANGE.id, { ...READER, scope }) },
  {
    name: "finding the vehicles of a recent change",
    run: ({ changes }, scope) => changes.vehiclesOf(CHANGE.id, scope, { after: 0, limit: 10 }),
  },
  {
    name: "reading what a reversal depends on",
    run: ({ changes }, scope, ids) =>
      changes.revertPart({ change: CHANGE, scope, now: MOMENT, by: OPERATOR }, (step) => step.trails([ids.vehicle])),
  },
  { name: "reading statistics", run: ({ dealers }, scope) => dealers.inventory(DEALER, scope) },
];

const INSERT = /^insert /i;
/** Updates the record's search words in the transaction of its change, as a trigger would. */
const UPDATES_SEARCH_WORDS =
  /^SELECT [^?$]+ JOIN "dealer_words" AS kept|^UPDATE "dealer_words"|^SELECT [^?$]+ FROM vehicles WHERE id = [^ ]+ (FOR NO KEY UPDATE)?$|^INSERT INTO vehicle_words/;

/** Counts the vehicles in reach, to decide between a long and a short read. */
const COUNTS_VEHICLES =
  /^select CAST\(COALESCE\(SUM\(available \+ sold \+ pending\), 0\) AS BIGINT\) as "total" from "dealer_inventory"/;

/** Precedes a change of a dealer, and reads no record. */
const LOCKS = /^SELECT pg_advisory_xact_lock\(\d+\)/;

/**
 * How often a statement names the dealer: as the requested record, if it is the dealer, and as the scope. A placeholder
 * with a number may stand in several places.
 */
const timesNamed = ({ text, values }: Ran): number => {
  const places = text.match(/\$\d+/g);
  const named = places === null ? values : places.map((place) => values[Number(place.slice(1)) - 1]);
  return named.filter((value) => value === DEALER).length;
};

for (const engine of ENGINES)
  describe(`the dealer scope on ${engine.name}`, () => {
    let db: SqlDatabase;
    let records: RecordIds;

    const newRecords = async (): Promise<RecordIds> => {
      const { vehicles, images } = repositoriesOf(db);
      const vehicle = made(await vehicles.insert(vehicleFields(DEALER), OPERATOR));
      const added = { vehicleId: vehicle.id, scope: null, now: MOMENT, by: OPERATOR };
      const { image: first } = made(await images.add({ ...added, draft: IMAGE }));
      const { image: second } = made(await images.add({ ...added, draft: BACK }));
      return { vehicle: vehicle.id, first: first.id, second: second.id };
    };

    beforeAll(async () => {
      db = await engine.open();
      const { hours: _, social_media: __, ...plain } = dealerFields();
      const row = { ...plain, codes: "[]", id: DEALER, city_folded: "portland", state_folded: "or" };
      const names = Object.keys(row) as (keyof typeof row)[];
      await db.write(async (tx) => {
        await tx.all(
          statement(() => db.insertInto("dealers").values(params(names))),
          row,
        );
      });
      records = await newRecords();
    });
    afterAll(() => db.close());

    /** The statements of an access in a scope. */
    const statementsOf = async ({ run, isChange = false }: Access, scope: Scope): Promise<Ran[]> => {
      const watched = recording(db);
      await run(repositoriesOf(watched.db), scope, isChange ? await newRecords() : records);
      return watched
        .ran()
        .filter(
          ({ text }) => ![INSERT, UPDATES_SEARCH_WORDS, COUNTS_VEHICLES, LOCKS].some((other) => other.test(text)),
        );
    };

    // A check before a statement would hide that the statement itself lacks the scope, and the vehicle may change
    // owners between the two. So each statement must name the scope, and so must each part of one that first reads and
    // then changes a record.
    const partsOf = ({ text }: Ran): number => (text.includes("past AS (") ? 2 : 1);
    for (const access of ACCESSES)
      test(`is named in each statement of ${access.name}`, async () => {
        const open = await statementsOf(access, null);
        const narrow = await statementsOf(access, DEALER);
        expect(narrow.length).toBeGreaterThan(0);
        expect(narrow.length).toBe(open.length);
        for (const [index, ran] of narrow.entries())
          expect({ ...ran, named: timesNamed(ran) }).toEqual({
            ...ran,
            named: timesNamed(open[index] as Ran) + partsOf(ran),
          });
      });

    test("is named in each statement about a sale, because the vehicle may belong to another dealer by then", async () => {
      const { vehicle } = await newRecords();
      const { vehicles } = repositoriesOf(db);
      const change = { id: vehicle, scope: DEALER, versions: null, by: OPERATOR };
      const sold = made(await vehicles.update({ ...change, changes: { status: "sold" }, now: MOMENT }));
      const watched = recording(db);
      const sales = makeSaleRepository(watched.db);
      const found = await sales.find(vehicle, DEALER);
      const changes = { sold_price: 900, sold_at: momentAfter(5000) };
      const ids = { vehicleId: vehicle, scope: DEALER, version: sold.updated_at };
      await sales.change({ ...ids, changes, now: MOMENT, by: OPERATOR });
      expect([found?.status, (await sales.find(vehicle, DEALER))?.sold_price]).toEqual(["sold", 900]);
      const ran = watched.ran();
      expect(ran.filter((one) => timesNamed(one) === 0).map(({ text }) => text)).toEqual([]);
      expect(ran.length).toBeGreaterThan(5);
    });

    test("keeps a change from the search words of a dealer outside the scope", async () => {
      const changed = async (scope: number): Promise<string[]> => {
        const watched = recording(db);
        const change = { id: DEALER, scope, changes: { city: `Salem ${scope}` }, now: MOMENT, versions: null };
        await makeDealerRepository(watched.db).update({ ...change, by: OPERATOR });
        return watched.ran().flatMap(({ text }) => (UPDATES_SEARCH_WORDS.test(text) ? text.slice(0, 6) : []));
      };
      expect(await changed(DEALER)).toEqual(["SELECT", "UPDATE"]);
      expect(await changed(DEALER + 1)).toEqual([]);
    });

    test("keeps a change from the search words of a vehicle outside the scope", async () => {
      const { vehicle: id } = await newRecords();
      const changed = async (scope: number): Promise<string[]> => {
        const watched = recording(db);
        const change = { id, scope, changes: { trim: `LX ${scope}` }, now: MOMENT, versions: null, by: OPERATOR };
        await makeVehicleRepository(watched.db).update(change);
        return watched.ran().flatMap(({ text }) => (UPDATES_SEARCH_WORDS.test(text) ? text.slice(0, 6) : []));
      };
      expect(await changed(DEALER)).toEqual(["SELECT", "INSERT"]);
      expect(await changed(DEALER + 1)).toEqual([]);
    });
  });
