import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeFacetRepository } from "../../adapters/sql/facets/repository.ts";
import { makeSaleRepository } from "../../adapters/sql/history/sales.ts";
import { makeImageRepository } from "../../adapters/sql/images/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { params, statement } from "../../adapters/sql/query/statement.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { FACET_NAMES } from "../../core/facets/facet.ts";
import { ORDERS } from "../../core/vehicles/vehicle-order.ts";
import { ENGINES } from "../support/engines.ts";
import { type Ran, recording } from "../support/recording.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

/** A dealer with an id that nothing else in these tests has, so that statements can be searched for it. */
const DEALER = 424_242;
const PAGE = { limit: 10, offset: 0 };
const IMAGE = { image_url: "https://images.example.com/front.jpg" };

const repositoriesOf = (db: SqlDatabase) => ({
  vehicles: makeVehicleRepository(db),
  images: makeImageRepository(db),
  facets: makeFacetRepository(db),
  dealers: makeDealerRepository(db),
});

interface Present {
  readonly vehicle: number;
  readonly first: number;
  readonly second: number;
}

type Repositories = ReturnType<typeof repositoriesOf>;
type Scope = typeof DEALER | null;

interface Way {
  readonly name: string;
  readonly take: (on: Repositories, scope: Scope, at: Present) => unknown;
}

/** Every access to a dealer's records through the ports, in a scope, with existing records. */
const WAYS: Way[] = [
  { name: "reading a vehicle", take: ({ vehicles }, scope, at) => vehicles.find(at.vehicle, scope) },
  {
    name: "asking for a version of a vehicle",
    take: ({ vehicles }, scope, at) => vehicles.isVersion(at.vehicle, scope, MOMENT),
  },
  {
    name: "changing a vehicle",
    take: ({ vehicles }, scope, at) =>
      vehicles.update({ id: at.vehicle, scope, changes: { year: 2001 }, now: MOMENT, versions: null, by: OPERATOR }),
  },
  {
    name: "changing a version of a vehicle",
    take: ({ vehicles }, scope, at) =>
      vehicles.update({
        id: at.vehicle,
        scope,
        changes: { year: 2001 },
        now: MOMENT,
        versions: [MOMENT],
        by: OPERATOR,
      }),
  },
  {
    name: "removing a vehicle",
    take: ({ vehicles }, scope, at) =>
      vehicles.remove({ id: at.vehicle, scope, versions: null, now: MOMENT, by: OPERATOR }),
  },
  {
    name: "removing a version of a vehicle",
    take: ({ vehicles }, scope, at) =>
      vehicles.remove({ id: at.vehicle, scope, versions: [MOMENT], now: MOMENT, by: OPERATOR }),
  },
  {
    name: "listing vehicles",
    take: ({ vehicles }, scope) => vehicles.list({ scope, filter: {}, page: PAGE, from: null }),
  },
  {
    name: "listing sold vehicles",
    take: ({ vehicles }, scope) => vehicles.list({ scope, filter: { status: ["sold"] }, page: PAGE, from: null }),
  },
  {
    name: "listing a make",
    take: ({ vehicles }, scope) => vehicles.list({ scope, filter: { make: ["Toyota"] }, page: PAGE, from: null }),
  },
  {
    name: "listing featured vehicles",
    take: ({ vehicles }, scope) => vehicles.list({ scope, filter: { featured: true }, page: PAGE, from: null }),
  },
  {
    name: "listing vehicles behind a position",
    take: ({ vehicles }, scope, at) =>
      vehicles.list({ scope, filter: {}, page: PAGE, from: { value: momentAfter(1), id: at.vehicle } }),
  },
  {
    name: "listing vehicles by price",
    take: ({ vehicles }, scope) => vehicles.list({ scope, filter: {}, order: ORDERS.price, page: PAGE, from: null }),
  },
  {
    name: "counting vehicles by facets",
    take: ({ facets }, scope) => facets.count({ scope, filter: { make: ["a"] }, facets: FACET_NAMES }),
  },
  {
    name: "reading primary images",
    take: ({ images }, scope, at) => images.primaries([at.vehicle], scope),
  },
  { name: "listing images", take: ({ images }, scope, at) => images.list(at.vehicle, scope, PAGE) },
  {
    name: "adding an image",
    take: ({ images }, scope, at) =>
      images.add({ vehicleId: at.vehicle, scope, draft: { ...IMAGE, is_primary: true }, now: MOMENT, by: OPERATOR }),
  },
  {
    name: "changing an image",
    take: ({ images }, scope, at) =>
      images.update({
        vehicleId: at.vehicle,
        imageId: at.second,
        scope,
        changes: { is_primary: true, display_order: 9 },
        now: MOMENT,
        by: OPERATOR,
      }),
  },
  {
    name: "ordering images",
    take: ({ images }, scope, at) =>
      images.reorder({ vehicleId: at.vehicle, scope, imageIds: [at.second, at.first], now: MOMENT, by: OPERATOR }),
  },
  {
    name: "removing the primary image",
    take: ({ images }, scope, at) =>
      images.remove({ vehicleId: at.vehicle, imageId: at.first, scope, now: MOMENT, by: OPERATOR }),
  },
  { name: "reading a dealer", take: ({ dealers }, scope) => dealers.find(DEALER, scope) },
  { name: "listing dealers", take: ({ dealers }, scope) => dealers.list({ scope, filter: {}, page: PAGE }) },
  {
    name: "listing dealers of a city",
    take: ({ dealers }, scope) => dealers.list({ scope, filter: { city: "Portland" }, page: PAGE }),
  },
  {
    name: "searching dealers",
    take: ({ dealers }, scope) => dealers.list({ scope, filter: { search: "f-150 harbor" }, page: PAGE }),
  },
  {
    name: "listing dealers by name",
    take: ({ dealers }, scope) =>
      dealers.list({ scope, filter: {}, page: PAGE, order: { by: "name", ascending: true } }),
  },
  { name: "reading names of dealers", take: ({ dealers }, scope) => dealers.names([DEALER], scope) },
  {
    name: "changing a dealer",
    take: ({ dealers }, scope) =>
      dealers.update({ id: DEALER, scope, changes: { city: "Salem" }, now: MOMENT, versions: null, by: OPERATOR }),
  },
  {
    name: "changing a version of a dealer",
    take: ({ dealers }, scope) =>
      dealers.update({ id: DEALER, scope, changes: { city: "Salem" }, now: MOMENT, versions: [MOMENT], by: OPERATOR }),
  },
  { name: "reading statistics", take: ({ dealers }, scope) => dealers.inventory(DEALER, scope) },
];

const INSERT = /^insert /i;
/** What follows a change within its transaction, as a trigger would: the words by which the record is found. */
const KEEPS_WORDS =
  /^SELECT [^?$]+ JOIN "dealer_words" AS kept|^UPDATE "dealer_words"|^SELECT [^?$]+ FROM vehicles WHERE id = [^ ]+ (FOR NO KEY UPDATE)?$|^INSERT INTO vehicle_words/;

/** How many vehicles there are in reach, by which it is decided where a list is read. */
const ASKS_REACH =
  /^select CAST\(COALESCE\(SUM\(available \+ sold \+ pending\), 0\) AS BIGINT\) as "total" from "dealer_inventory"/;

/** What comes before a change of a dealer, and reads no record. */
const TAKES_TURN = /^SELECT pg_advisory_xact_lock\(\d+\)/;

/** How often a statement names the dealer: as the requested record, if it is one, and as the scope. */
const timesNamed = ({ values }: Ran): number => values.filter((value) => value === DEALER).length;

for (const engine of ENGINES)
  describe(`dealer scope on ${engine.name}`, () => {
    let db: SqlDatabase;

    beforeAll(async () => {
      db = await engine.open();
      const { hours: _, social_media: __, ...plain } = dealerFields();
      const row = { ...plain, id: DEALER, city_folded: "portland", state_folded: "or" };
      const names = Object.keys(row) as (keyof typeof row)[];
      await db.write(async (tx) => {
        await tx.all(
          statement(() => db.build.insertInto("dealers").values(params(names))),
          row,
        );
      });
    });
    afterAll(() => db.close());

    const fresh = async (): Promise<Present> => {
      const { vehicles, images } = repositoriesOf(db);
      const vehicle = made(await vehicles.insert(vehicleFields(DEALER), OPERATOR));
      const first = made(
        await images.add({ vehicleId: vehicle.id, scope: null, draft: IMAGE, now: MOMENT, by: OPERATOR }),
      );
      const second = made(
        await images.add({ vehicleId: vehicle.id, scope: null, draft: IMAGE, now: MOMENT, by: OPERATOR }),
      );
      return { vehicle: vehicle.id, first: first.id, second: second.id };
    };

    /** The statements that access records, in this scope, with records made for it. */
    const statementsOf = async (take: Way["take"], scope: Scope): Promise<Ran[]> => {
      const watched = recording(db);
      await take(repositoriesOf(watched.db), scope, await fresh());
      return watched
        .ran()
        .filter(({ text }) => ![INSERT, KEEPS_WORDS, ASKS_REACH, TAKES_TURN].some((other) => other.test(text)));
    };

    // A check before a statement would hide that the statement itself lacks the scope, and the vehicle may change
    // owners between the two. So each statement must name the scope, and so must each part of one that first reads and
    // then changes a record.
    const partsOf = ({ text }: Ran): number => (text.includes("past AS (") ? 2 : 1);
    for (const { name, take } of WAYS)
      test(`each statement of ${name} names the dealer it is limited to`, async () => {
        const open = await statementsOf(take, null);
        const narrow = await statementsOf(take, DEALER);
        expect(narrow.length).toBeGreaterThan(0);
        expect(narrow.length).toBe(open.length);
        for (const [index, ran] of narrow.entries())
          expect({ ...ran, named: timesNamed(ran) }).toEqual({
            ...ran,
            named: timesNamed(open[index] as Ran) + partsOf(ran),
          });
      });

    test("each statement about a sale names the dealer whose vehicle it is, as it may be another's by then", async () => {
      const { vehicle } = await fresh();
      const { vehicles } = repositoriesOf(db);
      const change = { id: vehicle, scope: DEALER, versions: null, by: OPERATOR };
      const sold = made(await vehicles.update({ ...change, changes: { status: "sold" }, now: MOMENT }));
      const watched = recording(db);
      const sales = makeSaleRepository(watched.db);
      const found = await sales.find(vehicle, DEALER);
      const changes = { sold_price: 900, sold_at: momentAfter(5000) };
      const at = { vehicleId: vehicle, scope: DEALER, version: sold.updated_at };
      await sales.change({ ...at, changes, now: MOMENT, by: OPERATOR });
      expect([found?.status, (await sales.find(vehicle, DEALER))?.sold_price]).toEqual(["sold", 900]);
      const ran = watched.ran();
      expect(ran.filter((one) => timesNamed(one) === 0).map(({ text }) => text)).toEqual([]);
      expect(ran.length).toBeGreaterThan(5);
    });

    test("a change of a dealer that the scope hides reaches none of its words", async () => {
      const changed = async (scope: number): Promise<string[]> => {
        const watched = recording(db);
        const change = { id: DEALER, scope, changes: { city: `Salem ${scope}` }, now: MOMENT, versions: null };
        await makeDealerRepository(watched.db).update({ ...change, by: OPERATOR });
        return watched.ran().flatMap(({ text }) => (KEEPS_WORDS.test(text) ? text.slice(0, 6) : []));
      };
      expect(await changed(DEALER)).toEqual(["SELECT", "UPDATE"]);
      expect(await changed(DEALER + 1)).toEqual([]);
    });

    test("a change of a vehicle that the scope hides reaches none of its words", async () => {
      const { vehicle: id } = await fresh();
      const changed = async (scope: number): Promise<string[]> => {
        const watched = recording(db);
        const change = { id, scope, changes: { trim: `LX ${scope}` }, now: MOMENT, versions: null, by: OPERATOR };
        await makeVehicleRepository(watched.db).update(change);
        return watched.ran().flatMap(({ text }) => (KEEPS_WORDS.test(text) ? text.slice(0, 6) : []));
      };
      expect(await changed(DEALER)).toEqual(["SELECT", "INSERT"]);
      expect(await changed(DEALER + 1)).toEqual([]);
    });
  });
