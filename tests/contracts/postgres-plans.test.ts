import { expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeFacetRepository } from "../../adapters/sql/facets/repository.ts";
import type { SqlValue } from "../../adapters/sql/query/statement.ts";
import { makeSuggestionRepository } from "../../adapters/sql/suggestions/repository.ts";
import { makeBulk } from "../../adapters/sql/vehicles/bulk.ts";
import { vehicleList } from "../../adapters/sql/vehicles/list.ts";
import type { VehicleOrder } from "../../core/vehicles/vehicle-order.ts";
import { ENGINES } from "../support/engines.ts";
import { recording } from "../support/recording.ts";
import { dealerFields, MOMENT, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const VEHICLES = 60;
const ORDERS: readonly (VehicleOrder | undefined)[] = [
  undefined,
  { by: "updated_at", ascending: false },
  { by: "price", ascending: false },
];

test("a search of one dealer reads the words of its vehicles once, though PostgreSQL has no statistics of them yet", async () => {
  const engine = ENGINES.find(({ name }) => name === "PostgreSQL");
  if (engine === undefined) return;
  const db = await engine.open();
  for (const table of ["vehicles", "vehicle_words"])
    await db.migrate(async (run) => void (await run(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)));
  const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
  const lot = Array.from({ length: VEHICLES }, () => vehicleFields(dealer, { description: "zebra zeppelin" }));
  await makeBulk(db, { now: () => MOMENT }, OPERATOR).addVehicles(lot.map((fields) => ({ fields, images: [] })));
  const watched = recording(db);
  const filter = { q: "zebra zeppelin" };
  for (const order of ORDERS) {
    const page = { limit: 20, offset: 0 };
    await vehicleList(watched.db)({ scope: dealer, filter, page, from: null, ...(order !== undefined && { order }) });
  }
  await makeFacetRepository(watched.db).count({ scope: dealer, filter, facets: ["make", "status"] });
  await makeSuggestionRepository(watched.db).values({ scope: dealer, q: "zebra zeppelin", limit: 10 });
  const searches = watched.ran().filter(({ text }) => text.includes("strpos(vehicle_words.words"));
  expect(searches.length).toBeGreaterThan(5);
  for (const { text, values } of searches) {
    const explained = { text: `EXPLAIN (ANALYZE, TIMING OFF) ${text}`, bind: () => values as SqlValue[] };
    const plan = (await db.all<{ "QUERY PLAN": string }>(explained, {})).map((row) => row["QUERY PLAN"]);
    const reads = plan.filter((line) => /Scan.* on vehicle_words/.test(line));
    expect(reads.length).toBeGreaterThan(0);
    for (const line of reads) expect(line).toMatch(/loops=1\)/);
  }
  await db.close();
});

test("a search of all dealers for a rare word finds what matches before it sorts, whatever PostgreSQL expects", async () => {
  const engine = ENGINES.find(({ name }) => name === "PostgreSQL");
  if (engine === undefined) return;
  const db = await engine.open();
  const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
  const lot = ["zeppelin", "zebra", "zebra"].map((description) => vehicleFields(dealer, { description }));
  await makeBulk(db, { now: () => MOMENT }, OPERATOR).addVehicles(lot.map((fields) => ({ fields, images: [] })));
  const watched = recording(db);
  const page = { limit: 1, offset: 0 };
  for (const order of ORDERS)
    for (const filter of [{ q: "zeppelin" }, { q: "zebra", status: ["available"] } as const]) {
      const asked = { scope: null, filter, page, from: null, ...(order !== undefined && { order }) };
      const { total, more } = await vehicleList(watched.db)(asked);
      expect([total, more]).toEqual(filter.q === "zebra" ? [2, true] : [1, false]);
    }
  const pages = watched.ran().filter(({ text }) => text.includes("array_to_tsvector") && text.includes("limit"));
  expect(pages).toHaveLength(2 * ORDERS.length);
  for (const { text, values } of pages) {
    const explained = { text: `EXPLAIN ${text}`, bind: () => values as SqlValue[] };
    const plan = (await db.all<{ "QUERY PLAN": string }>(explained, {})).map((row) => row["QUERY PLAN"]);
    // The words are looked for in a step that comes first, and not in those of the vehicles in their order.
    const [step, search] = ["InitPlan", "on vehicle_words"].map((part) =>
      plan.findIndex((line) => line.includes(part)),
    );
    expect(step).toBeGreaterThan(-1);
    expect(search).toBeGreaterThan(step ?? -1);
  }
  await db.close();
});
