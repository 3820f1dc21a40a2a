import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeAdviceRepository } from "../../adapters/sql/advice/repository.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeFacetRepository } from "../../adapters/sql/facets/repository.ts";
import { makeFetchWork } from "../../adapters/sql/fetched-photos/fetch-work.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import { photosOfAddresses } from "../../adapters/sql/photos/photos-of-addresses.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeReportRepository } from "../../adapters/sql/report/repository.ts";
import { makeTodayRepository } from "../../adapters/sql/today/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { FACET_NAMES } from "../../core/facets/facet.ts";
import type { DealerNow } from "../../core/today/today-repository.ts";
import type { VehicleFilter } from "../../core/vehicles/vehicle-filter.ts";
import { ORDERS } from "../../core/vehicles/vehicle-order.ts";
import { fakeClock } from "../support/clock.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { addVehicles } from "../support/many-vehicles.ts";
import { recording } from "../support/recording.ts";
import { dealerFields, MOMENT, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

const DEALERS = 10;
const VEHICLES = 1000;
const PAGE = { limit: 20, offset: 0 };
const BEHIND = { value: momentAfter(500), id: 500 };

/**
 * `by`: the columns an index is searched by, so that only matches are read. `inOrder`: the one index that may be read
 * from its start instead, because it holds only matches, in order.
 */
const LISTS: {
  name: string;
  scope: number | null;
  filter: VehicleFilter;
  by: string[];
  inOrder?: string;
  /** So few match that they are sorted. */
  isSorted?: true;
}[] = [
  { name: "everything", scope: null, filter: {}, by: [], inOrder: "vehicles_by_age" },
  { name: "a dealer's key", scope: 3, filter: {}, by: ["dealer_id"] },
  { name: "a dealer", scope: null, filter: { dealer_id: 3 }, by: ["dealer_id"] },
  { name: "a status", scope: null, filter: { status: ["sold"] }, by: ["status"] },
  {
    name: "a make and model",
    scope: null,
    filter: { make: ["Toyota"], model: ["Camry"] },
    by: ["make_folded", "model_folded"],
  },
  {
    name: "a make and model with signs",
    scope: null,
    filter: { make: ["Mercedes-Benz"], model: ["GLC 300"] },
    by: ["make_folded", "model_folded"],
  },
  { name: "a make", scope: null, filter: { make: ["Toyota"] }, by: ["make_folded"] },
  { name: "a model", scope: null, filter: { model: ["Camry"] }, by: ["model_folded"] },
  { name: "a year", scope: null, filter: { year: 2020 }, by: ["year"] },
  { name: "featured", scope: null, filter: { featured: true }, by: [], inOrder: "vehicles_featured" },
  { name: "a VIN", scope: null, filter: { vin: "4T1G11AK5LU123456", year: 2020 }, by: ["<expr>"], isSorted: true },
  {
    name: "a stock number",
    scope: null,
    filter: { stock_number: "A1042", status: ["sold"] },
    by: ["<expr>"],
    isSorted: true,
  },
  {
    name: "a VIN of a dealer",
    scope: 3,
    filter: { vin: "4T1G11AK5LU123456", status: ["sold"] },
    by: ["<expr>", "dealer_id"],
    isSorted: true,
  },
  { name: "a status of a dealer", scope: 3, filter: { status: ["sold"] }, by: ["dealer_id", "status"] },
  {
    name: "a make and model of a dealer",
    scope: 3,
    filter: { make: ["Toyota"], model: ["Camry"] },
    by: ["dealer_id", "make_folded", "model_folded"],
  },
];

const WANTED = {
  status: ["sold"],
  featured: true,
  make: ["Toyota"],
  model: ["Camry"],
  year: 2020,
  min_price: 1,
  max_price: 20_000,
} as const satisfies VehicleFilter;
/** Filters that no index of one dealer's vehicles serves, or one of its own. */
/** The centre of a search by distance. */
const AROUND = { latitude: 45.52, longitude: -122.68, kilometres: 800 };

const OTHERS = {
  vin: "4T1G11AK5LU123456",
  stock_number: "A1042",
  min_year: 2001,
  max_year: 2020,
  min_mileage: 1,
  max_mileage: 100_000,
  min_electric_range: 1,
  max_electric_range: 400,
  doors: 4,
  body_style: ["sedan"],
  fuel_type: ["gasoline", "diesel"],
  transmission: ["automatic"],
  drivetrain: ["FWD"],
  condition: ["used"],
  exterior_color: ["Blue", "Green"],
  interior_color: ["Ash"],
  trim: ["XSE"],
  has_images: true,
  created_since: MOMENT,
  updated_since: MOMENT,
  sold_since: MOMENT,
  stage: ["in_prep"],
  min_days_on_lot: 1,
  as_of: MOMENT,
} as const satisfies VehicleFilter;
const SEVERAL: readonly VehicleFilter[] = [
  { status: ["sold", "pending"] },
  { make: ["Toyota", "Honda"] },
  { make: ["Toyota"], model: ["Camry", "Yaris"] },
  { has_images: false },
];

/** Every combination of some filters, and each of the others alone and with one that has an index. */
const FILTERS: readonly VehicleFilter[] = [
  ...Object.entries(WANTED).reduce<VehicleFilter[]>(
    (filters, [field, value]) => filters.flatMap((filter) => [filter, { ...filter, [field]: value }]),
    [{}],
  ),
  ...[
    { around: AROUND },
    ...Object.entries(OTHERS).map(([field, value]): VehicleFilter => ({ as_of: MOMENT, [field]: value })),
    ...SEVERAL,
  ].flatMap((filter): VehicleFilter[] => [
    filter,
    { status: ["sold"], ...filter },
    { ...filter, year: 2020 },
    { ...OTHERS, ...filter },
  ]),
];

const isScan = (step: string): boolean => /^SCAN vehicles\b/.test(step);
const isSort = (step: string): boolean => step.includes("TEMP B-TREE");

for (const engine of ENGINES.filter(({ name }) => name === "SQLite"))
  describe("query plans on SQLite", () => {
    let db: SqlDatabase;
    let watched: ReturnType<typeof recording>;

    beforeAll(async () => {
      db = await engine.open();
      watched = recording(db);
      const dealers = makeDealerRepository(db);
      for (let number = 0; number < DEALERS; number++) await dealers.insert(dealerFields(), OPERATOR);
      await addVehicles(
        db,
        Array.from({ length: VEHICLES }, (_, number) =>
          vehicleFields((number % DEALERS) + 1, {
            make: `Make ${number % 20}`,
            model: `Model ${number % 50}`,
            year: 2000 + (number % 25),
            status: number % 3 === 0 ? "sold" : "available",
            featured: number % 50 === 0 ? 1 : 0,
            created_at: momentAfter(number),
          }),
        ),
      );
    });
    afterAll(() => db.close());

    const plansOf = async (work: (on: SqlDatabase) => unknown): Promise<string[]> => {
      watched.ran();
      await work(watched.db);
      return (await Promise.all(watched.ran().map((ran) => ran.plan()))).flat();
    };

    for (const { name, scope, filter, by, inOrder, isSorted } of LISTS)
      test(`for the list and total of ${name} neither scan the vehicles nor sort them`, async () => {
        for (const after of [null, BEHIND]) {
          const plan = await plansOf((on) =>
            makeVehicleRepository(on).list({ scope, filter, page: PAGE, from: after }),
          );
          expect(plan.length).toBeGreaterThanOrEqual(2);
          const scans = plan
            .filter(isScan)
            .filter((step) => inOrder === undefined || !step.endsWith(` INDEX ${inOrder}`));
          expect(scans).toEqual([]);
          if (!isSorted) expect(plan.filter(isSort)).toEqual([]);
          // The first search of the vehicles counts those with a VIN or stock number, or reads the page.
          const page = plan.find((step) => /(?:SEARCH|SCAN) vehicles\b/.test(step)) ?? "";
          expect(by.filter((column) => !page.includes(`${column}=?`))).toEqual([]);
        }
      });

    test("for lists and totals of one dealer read no other dealer's vehicles, whatever the filter", async () => {
      const others: string[] = [];
      const SCOPES = [
        (filter: VehicleFilter) => ({ scope: 3, filter }),
        (filter: VehicleFilter) => ({ scope: 3, filter: { ...filter, dealer_id: 3 } }),
        (filter: VehicleFilter) => ({ scope: null, filter: { ...filter, dealer_id: 3 } }),
      ];
      // In the gate each filter has one of the scopes, in turns.
      for (const { scope, filter } of FILTERS.flatMap((one, place) =>
        SCOPES.filter((_, index) => inGate(index === place % SCOPES.length, true)).map((scoped) => scoped(one)),
      ))
        for (const after of [null, BEHIND]) {
          const plan = await plansOf((on) =>
            makeVehicleRepository(on).list({ scope, filter, page: PAGE, from: after }),
          );
          const looked = plan.filter((step) => /(?:SEARCH|SCAN) vehicles\b/.test(step) && !step.includes("(rowid=?)"));
          others.push(...looked.filter((step) => !/\((?:<expr>=\? AND )?dealer_id=\?/.test(step)));
        }
      expect(others).toEqual([]);
    });

    test("for lists of one dealer in any order read only its vehicles", async () => {
      const others: string[] = [];
      for (const order of Object.values(ORDERS))
        for (const [scope, filter] of [
          [3, {}],
          [3, { ...OTHERS, status: ["sold"] }],
          [3, { vin: "X", year: 2020 }],
          [null, { dealer_id: 3, make: ["Toyota"], year: 2020 }],
        ] as const)
          for (const value of [null, 5, MOMENT]) {
            const from = value === MOMENT ? null : { value, id: 500 };
            const where = order.by === "distance" ? { ...filter, around: AROUND } : filter;
            const asked = { scope, filter: where, order: { ...order, asOf: MOMENT }, page: PAGE, from };
            const plan = await plansOf((on) => makeVehicleRepository(on).list(asked));
            const looked = plan.filter(
              (step) => /(?:SEARCH|SCAN) vehicles\b/.test(step) && !step.includes("(rowid=?)"),
            );
            expect(looked).not.toEqual([]);
            others.push(...looked.filter((step) => !/\((?:<expr>=\? AND )?dealer_id=\?/.test(step)));
          }
      expect(others).toEqual([]);
    });

    test("for a dealer's vehicles by price, mileage or year read only their index, also within a status", async () => {
      const orders = Object.values(ORDERS).filter(({ by }) => by === "price" || by === "mileage" || by === "year");
      expect(orders).toHaveLength(6);
      for (const order of orders)
        for (const filter of [{}, { status: ["sold"] }] as const)
          for (const from of [null, { value: 5, id: 500 }]) {
            const plan = await plansOf((on) =>
              makeVehicleRepository(on).list({ scope: 3, filter, order, page: PAGE, from }),
            );
            const searched = plan.filter((step) => step.startsWith("SEARCH vehicles ") && !step.includes("(rowid=?)"));
            expect(searched).toEqual(["SEARCH vehicles USING COVERING INDEX vehicles_by_dealer (dealer_id=?)"]);
          }
    });

    test("for the facets of a dealer's vehicles read only their index", async () => {
      // The days on the lot follow from moments that the index does not have.
      const facets = FACET_NAMES.filter((name) => name !== "days_on_lot");
      const plan = await plansOf((on) => makeFacetRepository(on).count({ scope: 3, filter: {}, facets }));
      expect(plan.filter((step) => /(?:SEARCH|SCAN) vehicles\b/.test(step))).toEqual([
        "SEARCH vehicles USING COVERING INDEX vehicles_by_dealer (dealer_id=?)",
      ]);
    });

    const LOT: DealerNow = { scope: null, dealerId: 3, now: MOMENT };
    const todayPlans = () =>
      plansOf(async (on) => {
        const today = makeTodayRepository(on);
        await today.listedAfter(LOT, MOMENT);
        await today.listedWithin(LOT, [{ after: MOMENT, to: MOMENT }], 8);
        await today.soldAfter(LOT, MOMENT);
        await today.soldWithoutPrice(LOT, { after: MOMENT, among: 8, most: 8 });
        await today.repriced(LOT, 8);
      });

    test("for a dealer's lot today search its vehicles by when they were listed, sold and repriced", async () => {
      const plan = await todayPlans();
      const searched = plan.filter((step) => /(?:SEARCH|SCAN) vehicles\b/.test(step) && !step.includes("(rowid=?)"));
      expect(searched.map((step) => step.replace(/^.* INDEX /, ""))).toEqual([
        "vehicles_on_lot_by_age (dealer_id=? AND <expr>>?)",
        "vehicles_on_lot_by_age (dealer_id=? AND <expr>>? AND <expr><?)",
        "vehicles_sold (dealer_id=? AND sold_at>?)",
        "vehicles_sold (dealer_id=? AND sold_at>?)",
        "vehicles_repriced (dealer_id=? AND price_changed_at>?)",
      ]);
    });

    const advicePlans = () =>
      plansOf(async (on) => {
        const advice = makeAdviceRepository(on);
        const car = { ...vehicleFields(3, { body_style: "sedan" }), id: 1 };
        await advice.soldOfModel(car, 3, 100);
        await advice.soldOfStyle(car, null, 100);
      });

    test("for the last sales of a model or body style read only these, in their order", async () => {
      const plan = await advicePlans();
      const searched = plan.filter((step) => /(?:SEARCH|SCAN) vehicles\b/.test(step));
      expect(searched.map((step) => step.replace(/^.* INDEX /, ""))).toEqual([
        "vehicles_sold_by_model (dealer_id=? AND make_folded=? AND model_folded=? AND sold_at>?)",
        "vehicles_sold_by_style (dealer_id=? AND make_folded=? AND body_style=? AND sold_at>?)",
      ]);
      expect(plan.filter(isSort)).toEqual([]);
    });

    test("for keys by their refused requests visit only the hours with refusals of each key, and no others of a dealer", async () => {
      for (const visibility of ["everything", { dealerId: 3 }] as const) {
        const plan = await plansOf((on) =>
          makeKeyRepository(on, () => {}).list({
            ...{ visibility, filter: { refusedSince: MOMENT }, page: PAGE },
            ...{ order: { by: "refused", ascending: false }, usageFrom: MOMENT },
          }),
        );
        const visited = plan.filter((step) => step.includes("key_usage_hours"));
        expect(visited.length).toBeGreaterThan(1);
        for (const step of visited)
          expect(step).toMatch(/^SEARCH key_usage_hours .*COVERING INDEX key_usage_refused \(key_id=\? AND hour>\?\)$/);
        const scanned = plan.filter((step) => step.startsWith("SCAN api_keys"));
        if (visibility !== "everything") expect(scanned).toEqual([]);
      }
    });

    test("for the photos of a file's addresses look each address up, and what waits by its import", async () => {
      const photo = { photo_id: "1".repeat(32), dealer_id: 3, sha256: "a", width: 1, height: 1, placeholder: "" };
      await db
        .insertInto("photos")
        .values({ ...photo, bytes: 1, files: "{}", created_at: MOMENT, gone: 0 })
        .execute();
      await db
        .insertInto("fetched_photos")
        .values({ dealer_id: 3, address_hash: "b", photo_id: photo.photo_id })
        .execute();
      const plan = await plansOf(async (on) => {
        await photosOfAddresses(on)(on, 3, ["https://images.example.com/1.jpg"]);
        const work = makeFetchWork(on, fakeClock());
        await work.known(1, { place: 1, dealerId: 3, vehicleId: 1, address: "https://images.example.com/1.jpg" });
        await work.photoWith(3, "a");
      });
      const searched = plan.filter((step) => /^SEARCH \w*(?:photos|fetched) /.test(step));
      const each = ["fetched_photos (dealer_id=?)", "fetched (dealer_id=? AND address_hash=?)", "photos (photo_id=?)"];
      expect(searched.map((step) => step.replace(/^SEARCH | USING .*(?= \()/g, ""))).toEqual([
        ...each,
        ...each,
        "import_photos (import_id=? AND address_hash=?)",
        "photos (dealer_id=? AND sha256=?)",
      ]);
      expect(plan.filter((step) => step.startsWith("SCAN") && !/json_each|CONSTANT/.test(step))).toEqual([]);
    });

    test("use every index of the vehicles, because each index slows down every write", async () => {
      const taken = new Set<string | undefined>();
      for (const filter of FILTERS)
        for (const scope of [null, 3]) {
          const plan = await plansOf((on) => makeVehicleRepository(on).list({ scope, filter, page: PAGE, from: null }));
          for (const step of plan) taken.add(/INDEX (vehicles_\w+)/.exec(step)?.[1]);
        }
      const lot = { scope: null, dealerId: null, borders: [MOMENT], oldest: 1 };
      for (const step of await plansOf((on) => makeReportRepository(on).lot(lot)))
        taken.add(/INDEX (vehicles_\w+)/.exec(step)?.[1]);
      for (const step of await advicePlans()) taken.add(/INDEX (vehicles_\w+)/.exec(step)?.[1]);
      for (const step of await todayPlans()) taken.add(/INDEX (vehicles_\w+)/.exec(step)?.[1]);
      const indexes = await db.all<{ name: string }>(
        { text: "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'vehicles'", bind: () => [] },
        {},
      );
      expect(indexes.length).toBeGreaterThan(10);
      expect(indexes.map(({ name }) => name).filter((name) => !taken.has(name))).toEqual([]);
    });

    test("for a price range within a model find, sort and count without reading other vehicles", async () => {
      // A first page that shows everything is not counted.
      const page = { ...PAGE, offset: 1 };
      for (const named of [
        { make: ["Toyota"], model: ["Camry"] },
        { make: ["Mercedes-Benz"], model: ["GLC 300"] },
      ]) {
        const filter = { ...named, min_price: 1, max_price: 2 };
        const plan = await plansOf((on) => makeVehicleRepository(on).list({ scope: null, filter, page, from: null }));
        expect(plan.filter((step) => step.includes("COVERING INDEX vehicles_by_model_price"))).toHaveLength(2);
        expect(plan.filter(isScan)).toEqual([]);
      }
    });

    test("for the totals of everything, a dealer or a status read the stored counts", async () => {
      for (const [scope, filter] of [
        [null, {}],
        [3, {}],
        [null, { dealer_id: 3 }],
        [null, { status: ["sold"] }],
        [3, { status: ["sold"] }],
      ] as const) {
        watched.ran();
        await makeVehicleRepository(watched.db).list({ scope, filter, page: PAGE, from: null });
        const [, total] = watched.ran();
        expect(total?.text).toContain("dealer_inventory");
        expect(total?.text).not.toContain("vehicles");
      }
    });

    test("for a search of dealers read the words of one dealer for that dealer, and of many dealers together", async () => {
      for (const [scope, read] of [
        [3, /^SEARCH dealer_words .*\(dealer_id=\?\)$/],
        [null, /^SCAN dealer_words/],
      ] as const) {
        watched.ran();
        await makeDealerRepository(watched.db).list({ scope, filter: { search: "harbor" }, page: PAGE });
        const [first] = watched.ran();
        expect((await first?.plan())?.filter((step) => step.includes("dealer_words"))).toEqual([
          expect.stringMatching(read),
        ]);
      }
    });

    test("for the statistics of a dealer read two vehicles, not all of them", async () => {
      const plan = await plansOf((on) => makeDealerRepository(on).inventory(3, null));
      expect(plan.filter((step) => step.includes("vehicles"))).toEqual([
        "SEARCH vehicles USING COVERING INDEX vehicles_by_dealer (dealer_id=?)",
        "SEARCH vehicles USING COVERING INDEX vehicles_by_dealer (dealer_id=?)",
      ]);
      expect(plan.filter(isSort)).toEqual([]);
      expect(plan.some((step) => step.startsWith("SEARCH dealer_inventory"))).toBe(true);
    });

    test("for a dealer's report read its days, an index of its vehicles and the ten oldest", async () => {
      const dealer = { scope: 3, dealerId: 3 };
      const plan = await plansOf(async (on) => {
        const reports = makeReportRepository(on);
        await reports.months({ ...dealer, period: { from: "2026-01-01", to: "2026-12-31" } });
        await reports.lot({ ...dealer, borders: [MOMENT], oldest: 10 });
      });
      expect(plan.filter((step) => /\bdays\b/.test(step) && step.startsWith("SEARCH"))).toEqual([
        "SEARCH days USING PRIMARY KEY (dealer_id=? AND day>? AND day<?)",
        "SEARCH days USING PRIMARY KEY (dealer_id=? AND day>? AND day<?)",
      ]);
      expect(plan.filter((step) => /\bvehicles\b/.test(step)).toSorted()).toEqual([
        "SEARCH vehicles USING COVERING INDEX vehicles_on_lot_by_age (dealer_id=?)",
        "SEARCH vehicles USING COVERING INDEX vehicles_on_lot_by_age (dealer_id=?)",
        "SEARCH vehicles USING INTEGER PRIMARY KEY (rowid=?)",
      ]);
    });

    test("for reading, changing and removing a vehicle scan no table", async () => {
      const plan = await plansOf(async (on) => {
        const vehicles = makeVehicleRepository(on);
        await vehicles.find(1, 1);
        await vehicles.update({
          id: 1,
          scope: 1,
          changes: { year: 2000 },
          now: MOMENT,
          versions: [MOMENT],
          by: OPERATOR,
        });
        await vehicles.remove({ id: 1, scope: 1, versions: null, now: MOMENT, by: OPERATOR });
      });
      expect(plan.filter((step) => /\bvehicles\b/.test(step))).not.toEqual([]);
      expect(plan.filter((step) => step.startsWith("SCAN"))).toEqual([]);
    });
  });
