import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeHistoryRepository } from "../../adapters/sql/history/repository.ts";
import { makeSaleRepository } from "../../adapters/sql/history/sales.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeRemovedRepository } from "../../adapters/sql/removed/repository.ts";
import { storedFigures } from "../../adapters/sql/report/stored-figures.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { verifySpellings, verifyVehicleWords } from "../../adapters/sql/search/verification.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { Principal } from "../../core/access/principal.ts";
import { makeHistory } from "../../core/history/history.ts";
import { placeOfZip } from "../../core/places/places.ts";
import { fold } from "../../core/text.ts";
import type { VehicleFilter } from "../../core/vehicles/vehicle-filter.ts";
import { vehicleHistory } from "../../migrations/0017-vehicle-history.ts";
import { MIGRATIONS } from "../../migrations/index.ts";
import { dealerKey, superAdminKey } from "../core/callers.ts";
import { succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { migrateBefore } from "../support/earlier-schema.ts";
import { connect, ENGINES, type TestEngine } from "../support/engines.ts";
import { actingKey, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";
import { expectDocumentsOfAll } from "../support/vehicle-documents.ts";

setDefaultTimeout(300_000);

const [NORTH, SOUTH] = [1, 2];
/** The vehicles from before the update, in the order of their creation. */
const [PLAIN, SOLD, ACCENTED] = [1, 2, 3];
const EARLIEST = "0000-01-01T00:00:00.000Z";
const PAGE = { limit: 100, offset: 0 };
const NOBODY = () => {};

const literal = (value: string | number | null): string =>
  typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);

const insertion = (table: string, row: Readonly<Record<string, string | number | null>>): string =>
  `INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.values(row).map(literal)})`;

const dealerBefore = (id: number, zip: string): string =>
  insertion("dealers", {
    id,
    name: "Harbor Motors",
    address: "12 Quay Street",
    city: "Portland",
    state: "OR",
    zip,
    phone: "503-555-0142",
    email: "sales@harbor.example.com",
    active: 1,
    city_folded: "portland",
    state_folded: "or",
    created_at: MOMENT,
    updated_at: MOMENT,
  });

interface Before {
  readonly make?: string;
  readonly status?: string;
  readonly trim?: string;
  readonly body_style?: string;
  readonly stock_number?: string;
}

/** A new vehicle as the previous version writes it, without the new columns. */
const vehicleBefore = ({ make = "Tatra", status = "available", ...more }: Before = {}): string =>
  insertion("vehicles", {
    dealer_id: NORTH,
    make,
    model: "T87",
    year: 1948,
    price_cents: 100_050,
    status,
    featured: 0,
    make_folded: fold(make),
    model_folded: "t87",
    created_at: MOMENT,
    updated_at: momentAfter(1000),
    ...more,
  });

const runOn = (db: SqlDatabase, ...texts: readonly string[]): Promise<void> =>
  db.migrate(async (run) => {
    for (const text of texts) await run(text);
  });

const rowsIn = (db: SqlDatabase, text: string) => db.all<Record<string, unknown>>({ text, bind: () => [] }, {});

const upgradeFixture = (db: SqlDatabase) => {
  const words = vehicleWordsIn(db);
  const vehicles = makeVehicleRepository(db, words);
  const clock = fakeClock(Date.parse(momentAfter(1e9)));
  const histories = makeHistory({ history: makeHistoryRepository(db), vehicles, clock });
  return {
    vehicles,
    words,
    sales: makeSaleRepository(db),
    removed: makeRemovedRepository(db, words),
    vehicle: async (id: number) => made(await vehicles.find(id, null)).parse(),
    change: async (id: number, changes: object, at: string) =>
      made(await vehicles.update({ id, scope: null, changes, now: at, versions: null, by: actingKey(7) })).parse(),
    history: async (id: number, by: Principal = superAdminKey()) =>
      succeeded(await histories.read(by, { id, query: {} })),
    find: async (filter: VehicleFilter) =>
      (await vehicles.list({ scope: null, filter, page: PAGE, from: null })).vehicles.parse().map(({ id }) => id),
    expectRight: async () => {
      await words.fill(NOBODY);
      expect(await verifyVehicleWords(db, NOBODY)).toMatchObject({ wrong: 0, stray: 0, misindexed: 0 });
      expect(await verifySpellings(db)).toEqual([]);
      expect(await storedFigures(db).verify()).toEqual([]);
    },
  };
};

/** A database that had dealers and vehicles before its update. */
const updated = async (engine: TestEngine) => {
  const url = await engine.url();
  const db = connect(url);
  await migrateBefore(db, vehicleHistory);
  await runOn(
    db,
    dealerBefore(NORTH, "97201"),
    dealerBefore(SOUTH, "10001"),
    vehicleBefore({ trim: "Sport", stock_number: "A-1" }),
    vehicleBefore({ status: "sold" }),
    vehicleBefore({ make: "Škoda", body_style: "Coupé", stock_number: "Ä-1" }),
    insertion("vehicle_images", {
      vehicle_id: PLAIN,
      image_url: "https://images.example.com/a.jpg",
      is_primary: 1,
      display_order: 0,
      created_at: MOMENT,
    }),
  );
  expect(await migrateToLatest(db)).toEqual(
    MIGRATIONS.slice(MIGRATIONS.indexOf(vehicleHistory)).map(({ name }) => name),
  );
  return { db, url, ...upgradeFixture(db) };
};

for (const engine of ENGINES)
  describe(`vehicles from before an update on ${engine.name}`, () => {
    let fixture: Awaited<ReturnType<typeof updated>>;
    beforeAll(async () => {
      fixture = await updated(engine);
    });
    afterAll(async () => {
      await fixture.expectRight();
      expect(await expectDocumentsOfAll(fixture.db, fixture.url)).toBeGreaterThan(0);
      await fixture.db.close();
    });
    const begun = async () => (await rowsIn(fixture.db, "SELECT at FROM history_begin"))[0]?.at;

    test("keep their fields, and new fields are unknown except for the time of arrival on the lot", async () => {
      expect(await fixture.vehicle(PLAIN)).toMatchObject({
        dealer_id: NORTH,
        make: "Tatra",
        price: 1000.5,
        trim: "Sport",
        stage: null,
        listed_at: MOMENT,
        sold_at: null,
        previous_price: null,
        price_changed_at: null,
        created_at: MOMENT,
        updated_at: momentAfter(1000),
      });
    });

    test("are found by search words, by spellings without accents and by their dealers' ZIP codes", async () => {
      await fixture.words.fill(NOBODY);
      expect(await fixture.find({ q: "skoda coupe" })).toEqual([ACCENTED]);
      expect(await fixture.find({ make: ["SKODA"], body_style: ["coupe"], stock_number: "ä-1" })).toEqual([ACCENTED]);
      expect(await fixture.find({ stock_number: "a-1" })).toEqual([PLAIN]);
      const { latitude = 0, longitude = 0 } = placeOfZip("97201") ?? {};
      expect(await fixture.find({ around: { latitude, longitude, kilometres: 5 } })).toEqual([ACCENTED, SOLD, PLAIN]);
      expect(await makeDealerRepository(fixture.db).find(NORTH, null)).toMatchObject({
        zip: "97201",
        latitude,
        longitude,
      });
    });

    test("have a history from the update on, and later vehicles from their creation on", async () => {
      const { id } = made(
        await fixture.vehicles.insert(vehicleFields(NORTH, { created_at: "9999-01-01T00:00:00.000Z" }), OPERATOR),
      );
      expect(await fixture.history(PLAIN)).toMatchObject({
        total: 0,
        changes: [],
        since: await begun(),
        firstPrice: 1000.5,
      });
      expect((await fixture.history(id)).since).toBe("9999-01-01T00:00:00.000Z");
      await fixture.change(PLAIN, { price: 900 }, momentAfter(5000));
      expect(await fixture.history(PLAIN)).toMatchObject({
        total: 1,
        changes: [{ field: "price", old: 1000.5, new: 900, via: "api" }],
        since: await begun(),
        firstPrice: 1000.5,
        priceDrops: 1,
      });
      expect(String(await begun()) > MOMENT).toBe(true);
    });

    test("have a history for the next dealer from the move on", async () => {
      const { updated_at } = await fixture.change(ACCENTED, { dealer_id: SOUTH }, momentAfter(6000));
      expect((await fixture.history(ACCENTED, dealerKey(SOUTH))).since).toBe(updated_at);
      expect((await fixture.history(ACCENTED)).since).toBe(String(await begun()));
    });

    test("that were sold have a sale without details until somebody adds them, and no daily figures", async () => {
      const sale = { status: "sold", sold_at: null, sold_price: null, note: null };
      expect(await fixture.sales.find(SOLD, NORTH)).toMatchObject(sale);
      const { sold } =
        (await rowsIn(fixture.db, "SELECT CAST(SUM(sold) AS BIGINT) AS sold FROM daily_figures"))[0] ?? {};
      expect(Number(sold ?? 0)).toBe(0);
      const told = { sold_at: momentAfter(-1000), sold_price: 950.25, note: "By hand" };
      const { updated_at: version } = await fixture.vehicle(SOLD);
      const query = { vehicleId: SOLD, scope: NORTH, version, changes: told, now: momentAfter(7000), by: OPERATOR };
      expect(await fixture.sales.change(query)).toEqual(told);
      expect(await fixture.sales.find(SOLD, NORTH)).toMatchObject(told);
    });

    test("can be removed and restored unchanged, with images", async () => {
      const [before, images] = [await fixture.vehicle(PLAIN), await rowsIn(fixture.db, "SELECT * FROM vehicle_images")];
      const now = momentAfter(8000);
      expect(await fixture.vehicles.remove({ id: PLAIN, scope: null, versions: null, now, by: OPERATOR })).toBe(true);
      expect(await fixture.find({ q: "sport" })).toEqual([]);
      const restored = made(
        await fixture.removed.restore({ id: PLAIN, scope: NORTH, since: EARLIEST, now, by: OPERATOR }),
      );
      expect(restored.parse()).toEqual({ ...before, updated_at: restored.updated_at });
      expect(await rowsIn(fixture.db, "SELECT * FROM vehicle_images")).toEqual(images);
      expect(await fixture.find({ q: "sport" })).toEqual([PLAIN]);
      expect((await fixture.history(PLAIN)).total).toBe(1);
    });
  });

for (const engine of ENGINES)
  test(`vehicles on ${engine.name} have their whole history if none existed before the update`, async () => {
    const db = connect(await engine.url());
    await migrateBefore(db, vehicleHistory);
    await runOn(db, dealerBefore(NORTH, "97201"));
    await migrateToLatest(db);
    const fixture = upgradeFixture(db);
    const { id } = made(await fixture.vehicles.insert(vehicleFields(NORTH), OPERATOR));
    expect((await fixture.history(id)).since).toBe(MOMENT);
    await db.close();
  });

// Only PostgreSQL has instances of two versions at work: a SQLite file belongs to one process.
describe("a write by an instance of the previous version after the update on PostgreSQL", () => {
  const [, engine] = ENGINES;
  let fixture: Awaited<ReturnType<typeof updated>>;
  beforeAll(async () => {
    fixture = await updated(engine);
  });
  afterAll(async () => {
    await fixture.expectRight();
    expect(await expectDocumentsOfAll(fixture.db, fixture.url)).toBeGreaterThan(0);
    await fixture.db.close();
  });
  const add = async (fields: Before = {}): Promise<number> => {
    await runOn(fixture.db, vehicleBefore(fields));
    return Number((await rowsIn(fixture.db, "SELECT MAX(id) AS id FROM vehicles"))[0]?.id);
  };
  const write = (id: number, changes: Readonly<Record<string, string | number>>, at: string) =>
    runOn(
      fixture.db,
      `UPDATE vehicles SET ${Object.entries({ ...changes, updated_at: at }).map(([name, value]) => `${name} = ${literal(value)}`)}
        WHERE id = ${id}`,
    );
  const salesOf = async (id: number) =>
    (
      await rowsIn(
        fixture.db,
        `SELECT dealer_id, sold_at, sold_cents, first_cents, present FROM vehicle_sales WHERE vehicle_id = ${id} ORDER BY made_at`,
      )
    ).map((row) => Object.values(row));

  test("of a new price enters the history without a name, with the price before", async () => {
    const id = await add();
    const by = await fixture.change(id, { price: 950 }, momentAfter(2000));
    await write(id, { price_cents: 90_000 }, momentAfter(3000));
    expect(await fixture.vehicle(id)).toMatchObject({
      price: 900,
      previous_price: by.price,
      price_changed_at: momentAfter(3000),
    });
    const { changes, firstPrice, priceDrops } = await fixture.history(id);
    expect(changes.map((one) => [one.old, one.new, one.by?.id ?? null, one.via])).toEqual([
      [950, 900, null, null],
      [1000.5, 950, 7, "api"],
    ]);
    expect([firstPrice, priceDrops]).toEqual([1000.5, 2]);
  });

  test("of a new status clears the stage, and starts or ends the sale", async () => {
    const id = await add();
    await fixture.change(id, { status: "pending", stage: "deposit" }, momentAfter(2000));
    await write(id, { price_cents: 95_000 }, momentAfter(2500));
    expect(await fixture.vehicle(id)).toMatchObject({ stage: "deposit" });
    await write(id, { status: "sold" }, momentAfter(3000));
    expect(await fixture.vehicle(id)).toMatchObject({ status: "sold", stage: null, sold_at: momentAfter(3000) });
    expect(await salesOf(id)).toEqual([[NORTH, momentAfter(3000), null, 100_050, 1]]);
    await write(id, { status: "available" }, momentAfter(4000));
    expect(await fixture.vehicle(id)).toMatchObject({ status: "available", sold_at: null });
    expect(await salesOf(id)).toEqual([]);
  });

  test("of another dealer shows the new dealer nothing from before the move", async () => {
    const id = await add();
    await fixture.change(id, { price: 900, status: "sold" }, momentAfter(2000));
    await write(id, { dealer_id: SOUTH }, momentAfter(3000));
    expect(await fixture.vehicle(id)).toMatchObject({
      dealer_id: SOUTH,
      previous_price: null,
      price_changed_at: null,
      listed_at: momentAfter(3000),
      sold_at: momentAfter(3000),
    });
    expect(await salesOf(id)).toEqual([
      [NORTH, momentAfter(2000), null, 100_050, 0],
      [SOUTH, momentAfter(3000), null, null, 1],
    ]);
    const told = await fixture.history(id, dealerKey(SOUTH));
    expect(told.changes.map(({ field }) => field)).toEqual(["dealer_id"]);
    expect(told.since).toBe(momentAfter(3000));
  });

  test("of new vehicles and texts is searchable as soon as the background has processed it", async () => {
    const one = await add({ make: "Citroën", body_style: "Décapotable", trim: "Wombat", stock_number: "Ö-7" });
    const other = await add({ trim: "Plain" });
    await write(other, { trim: "Élan" }, momentAfter(2000));
    await fixture.words.fill(NOBODY);
    expect(await fixture.find({ q: "citroen wombat decapo" })).toEqual([one]);
    expect(await fixture.find({ make: ["citroen"], body_style: ["decapotable"], stock_number: "ö-7" })).toEqual([one]);
    expect(await fixture.find({ trim: ["WOMBAT"] })).toEqual([one]);
    expect(await fixture.find({ trim: ["elan"] })).toEqual([other]);
    expect(await fixture.find({ q: "elan" })).toEqual([other]);
  });

  test("that deletes a vehicle deletes its search words, and the vehicle cannot be restored", async () => {
    const id = await add({ trim: "Dodo" });
    await fixture.words.fill(NOBODY);
    await runOn(fixture.db, `DELETE FROM vehicles WHERE id = ${id}`);
    expect(await fixture.find({ q: "dodo" })).toEqual([]);
    expect(await fixture.removed.restore({ id, scope: null, since: EARLIEST, now: MOMENT, by: OPERATOR })).toBeNull();
  });
});
