import { beforeAll, describe, expect, test } from "bun:test";
import { makeDealerRepository } from "../../../adapters/sql/dealers/repository.ts";
import { makeLotRepository } from "../../../adapters/sql/readiness/lots.ts";
import { makeVehicleRepository } from "../../../adapters/sql/vehicles/repository.ts";
import { makeBulk } from "../../../core/bulk/bulk.ts";
import { Failure } from "../../../core/failure.ts";
import { UNLIMITED } from "../../support/unlimited.ts";
import { superAdminKey } from "../callers.ts";
import {
  causeOf,
  newDealerBody,
  newVehicleBody,
  openUseCases,
  pathsOf,
  read,
  succeeded,
  type UseCases,
} from "../use-cases.ts";

/** More than two turns of them. */
const VEHICLES = 40;
const ADMIN = superAdminKey();

/** The error that stands for a lost database here. */
class Lost extends Error {}

describe("a bulk change", () => {
  let core: UseCases;
  let dealerId: number;

  beforeAll(async () => {
    core = await openUseCases();
    dealerId = succeeded(await core.dealers.create(ADMIN, newDealerBody())).id;
  });

  const someVehicles = async (count: number): Promise<number[]> => {
    const ids: number[] = [];
    while (ids.length < count)
      ids.push(read(await core.vehicles.create(ADMIN, newVehicleBody({ dealer_id: dealerId }))).id);
    return ids;
  };
  const priceOf = async (id: number): Promise<number> => read(await core.vehicles.get(ADMIN, id)).price;

  /** The use case with other surroundings; `steps` counts the pauses. */
  const surrounded = (parts: Partial<Parameters<typeof makeBulk>[0]> = {}, mayGoOn: () => boolean = () => true) => {
    const bulk = makeBulk({
      ...UNLIMITED,
      vehicles: makeVehicleRepository(core.db),
      lots: makeLotRepository(core.db),
      list: core.vehicles.list,
      dealers: makeDealerRepository(core.db),
      clock: core.clock,
      maxMs: 1000,
      holdsOthersUp: () => false,
      pause: async () => {},
      isUnavailable: (error) => error instanceof Lost,
      ...parts,
    });
    return async (body: object) => succeeded(await bulk.change(ADMIN, { input: body, mayGoOn }));
  };

  test("stops in time, and states for each vehicle whether it was reached", async () => {
    const ids = await someVehicles(VEHICLES);
    const change = surrounded({ pause: async () => core.clock.advance(600) });
    const { results, total } = await change({ ids, changes: { price: { add: 1 } } });
    expect(total).toBe(VEHICLES);
    expect(results.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: 32 }, () => "updated" as const),
      ...Array.from({ length: VEHICLES - 32 }, () => "failed" as const),
    ]);
    expect(results.at(-1)?.issues[0]?.message).toContain("unchanged");
    for (const [place, id] of ids.entries()) expect(await priceOf(id)).toBe(place < 32 ? 26_000.99 : 25_999.99);
  });

  test("stops when it keeps everybody else from changing anything", async () => {
    const ids = await someVehicles(VEHICLES);
    const change = surrounded({ holdsOthersUp: () => true });
    const { results } = await change({ ids, changes: { price: { add: 1 } } });
    expect(results.filter(({ outcome }) => outcome === "updated")).toHaveLength(16);
    expect(results.at(-1)?.issues[0]?.message).toContain("ask again for this vehicle");
  });

  test("lets other work run after each four changes of long texts, and after each sixteen others", async () => {
    const ids = await someVehicles(VEHICLES);
    let pauses = 0;
    const change = surrounded({ pause: async () => void pauses++ });
    await change({ ids, changes: { description: "x".repeat(1000) } });
    expect(pauses).toBe(9);
    await change({ ids, changes: { price: 1 } });
    expect(pauses).toBe(11);
  });

  test("changes and removes only vehicles at the named versions, in a dry run too", async () => {
    const change = surrounded();
    const ids = await someVehicles(3);
    const versions = await Promise.all(ids.map(async (id) => read(await core.vehicles.get(ADMIN, id)).updated_at));
    core.clock.advance(1000);
    await core.vehicles.update(ADMIN, { id: ids[1] ?? 0, input: { mileage: 5 } });
    const other = { path: "versions", message: "is of another version by now, and unchanged" };
    for (const asked of [{ changes: { price: 7 } }, { remove: true }]) {
      const would = await change({ ids, versions, ...asked, dry_run: true });
      expect(would.results[1]).toEqual({ id: ids[1] ?? 0, outcome: "failed", issues: [other] });
      expect(would.results.map(({ outcome }) => outcome === "failed")).toEqual([false, true, false]);
    }
    const changed = await change({ ids, versions, changes: { price: 7 } });
    expect(changed.results.map(({ outcome }) => outcome)).toEqual(["updated", "failed", "updated"]);
    expect(await Promise.all(ids.map(priceOf))).toEqual([7, 25_999.99, 7]);
    // What was changed is of another version now; without versions it is removed all the same.
    const removed = await change({ ids: ids.slice(0, 1), versions: versions.slice(0, 1), remove: true });
    expect(removed.results[0]?.issues).toEqual([other]);
    expect((await change({ ids, remove: true })).results.map(({ outcome }) => outcome)).toEqual([
      "removed",
      "removed",
      "removed",
    ]);
    const gone = await change({ ids, versions, remove: true });
    expect(gone.results.map(({ outcome }) => outcome)).toEqual(["not_found", "not_found", "not_found"]);
  });

  test("stops when the caller loses the right to it, and states which vehicles are unchanged", async () => {
    const ids = await someVehicles(VEHICLES);
    let steps = 0;
    const change = surrounded({}, () => ++steps < 2);
    const { results } = await change({ ids, remove: true });
    const there = await Promise.all(ids.map(async (id) => !((await core.vehicles.get(ADMIN, id)) instanceof Failure)));
    expect(results.map(({ outcome }) => outcome !== "removed")).toEqual(there);
    expect(there.filter((isThere) => isThere)).toHaveLength(VEHICLES - 32);
  });

  test("states which vehicles may have changed when the database is lost halfway", async () => {
    const ids = await someVehicles(VEHICLES);
    const vehicles = makeVehicleRepository(core.db);
    const change = surrounded({
      vehicles: {
        ...vehicles,
        update: async (update) => {
          if (update.id === ids[10]) throw new Lost("gone");
          return vehicles.update(update);
        },
      },
    });
    const { results } = await change({ ids, changes: { price: { add: 1 } } });
    expect(results.flatMap(({ outcome }, place) => (outcome === "failed" && place <= 16 ? [place] : []))).toEqual([
      10, 16,
    ]);
    expect(results.slice(16).every(({ outcome }) => outcome === "failed")).toBe(true);
    expect(results[10]?.issues[0]?.message).toContain("may have been changed");
    expect(results[16]?.issues[0]?.message).toContain("unchanged");
  });

  test("fails as a whole if the database is lost before the first change, or if the code has a defect", async () => {
    const ids = await someVehicles(3);
    const vehicles = makeVehicleRepository(core.db);
    const throwing = (error: Error) =>
      surrounded({ vehicles: { ...vehicles, update: () => Promise.reject(error) } })({ ids, changes: { year: 2001 } });
    await expect(throwing(new Lost("gone"))).rejects.toThrow("gone");
    await expect(throwing(new TypeError("a defect"))).rejects.toThrow("a defect");
  });

  test("decides on the vehicle's current state, even when somebody changes it at the same time", async () => {
    const [id = 0] = await someVehicles(1);
    const vehicles = makeVehicleRepository(core.db);
    let isFirst = true;
    const change = surrounded({
      vehicles: {
        ...vehicles,
        update: async (update) => {
          if (isFirst) {
            isFirst = false;
            read(await core.vehicles.update(ADMIN, { id, input: { price: 100 } }));
          }
          return vehicles.update(update);
        },
      },
    });
    expect((await change({ ids: [id], changes: { price: { percent: -3 } } })).results).toEqual([
      { id, outcome: "updated", issues: [] },
    ]);
    expect(await priceOf(id)).toBe(97);
  });

  const FAULTY: readonly (readonly [body: unknown, paths: readonly string[]])[] = [
    [{}, ["changes", "ids"]],
    [{ ids: [1] }, ["changes"]],
    [{ changes: { year: 2001 } }, ["ids"]],
    [{ ids: [1], filter: {}, changes: { year: 2001 } }, ["expected_total", "ids"]],
    [{ ids: [1], changes: { year: 2001 }, remove: true }, ["changes"]],
    [{ ids: [1], remove: false }, ["remove"]],
    [{ ids: [], remove: true }, ["ids"]],
    [{ ids: Array.from({ length: 1001 }, (_, place) => place + 1), remove: true }, ["ids"]],
    [{ ids: ["1"], remove: true }, ["ids.0"]],
    [{ ids: [1], changes: {} }, ["changes"]],
    [{ ids: [1], changes: { id: 5 } }, ["changes"]],
    [{ ids: [1], changes: [] }, ["changes"]],
    [{ ids: [1], changes: null }, ["changes"]],
    [{ ids: [1], changes: { year: 1, pirce: 2 } }, ["changes.pirce", "changes.year"]],
    [{ ids: [1], changes: { price: { add: 0.001 }, year: 1 } }, ["changes.price", "changes.year"]],
    [{ ids: [1], changes: { price: { add: 1, percent: 1 } } }, ["changes.price"]],
    [{ ids: [1], changes: { price: -1 } }, ["changes.price"]],
    [{ filter: {}, changes: { year: 2001 } }, ["expected_total"]],
    [{ filter: { pirce: 1 }, expected_total: 1, changes: { year: 2001 } }, ["filter.pirce"]],
    [{ filter: { make: [""] }, expected_total: 1, changes: { year: 2001 } }, ["filter.make.0"]],
    [{ filter: { status: "gone" }, expected_total: 1, changes: { year: 2001 } }, ["filter.status"]],
    [{ filter: { updated_since: "soon" }, expected_total: 1, changes: { year: 2001 } }, ["filter.updated_since"]],
    [
      { filter: { min_price: "x", near: "97201" }, expected_total: 1, remove: true },
      ["filter.min_price", "filter.radius"],
    ],
    [{ filter: {}, expected_total: 1001, changes: { year: 2001 } }, ["expected_total"]],
    [{ ids: [1], expected_total: 1, changes: { year: 2001 } }, ["expected_total"]],
    [{ ids: [1], changes: { year: 2001 }, dry_run: "yes" }, ["dry_run"]],
    [{ ids: [1, 2], versions: ["2026-11-20T09:11:00.000Z"], changes: { year: 2001 } }, ["versions"]],
    [{ ids: [1], versions: ["x".repeat(41)], changes: { year: 2001 } }, ["versions.0"]],
    [{ filter: {}, expected_total: 1, versions: [], changes: { year: 2001 } }, ["versions"]],
    [[], [""]],
  ];
  for (const [body, paths] of FAULTY)
    test(`requested as ${JSON.stringify(body).slice(0, 80)} is refused for ${paths.join(", ")}`, async () => {
      const outcome = await core.bulk.change(ADMIN, { input: body, mayGoOn: () => true });
      expect(pathsOf(outcome)).toEqual(expect.arrayContaining([...paths]));
      expect(new Set(pathsOf(outcome))).toEqual(new Set(paths));
    });

  test("of more vehicles than one request may change is refused, also as a dry run", async () => {
    const bulk = makeBulk({
      ...UNLIMITED,
      vehicles: makeVehicleRepository(core.db),
      lots: makeLotRepository(core.db),
      list: async (...query) => ({ ...succeeded(await core.vehicles.list(...query)), total: 1001 }),
      dealers: makeDealerRepository(core.db),
      clock: core.clock,
      maxMs: 1000,
      holdsOthersUp: () => false,
      pause: async () => {},
      isUnavailable: () => false,
    });
    const asked = { filter: {}, changes: { year: 2001 }, dry_run: true };
    expect(pathsOf(await bulk.change(ADMIN, { input: asked, mayGoOn: () => true }))).toEqual(["filter"]);
    const confirmed = { ...asked, expected_total: 1000 };
    expect(causeOf(await bulk.change(ADMIN, { input: confirmed, mayGoOn: () => true }))).toEqual({
      kind: "confirmation-stale",
      expected: 1000,
      total: 1001,
    });
  });
});
