import { beforeAll, describe, expect, test } from "bun:test";
import { makeRowWork } from "../../../adapters/sql/imports/row-steps.ts";
import { nextTurn } from "../../../adapters/sql/query/turns.ts";
import { vehicleWordsIn } from "../../../adapters/sql/search/vehicle-words.ts";
import { makeVehicleRepository } from "../../../adapters/sql/vehicles/repository.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import { fieldsOf } from "../../../core/vehicles/fields.ts";
import type { VehicleQuery } from "../../../core/vehicles/vehicle.ts";
import { makeVehicles } from "../../../core/vehicles/vehicles.ts";
import { UNLIMITED } from "../../support/unlimited.ts";
import { superAdminKey } from "../callers.ts";
import { openFixture } from "../use-case-fixture.ts";
import { causeOf, createDealerRecords, NOW, newVehicleBody, pathsOf, read, succeeded } from "../use-cases.ts";

const core = openFixture();

const admin = superAdminKey();

const UNSET = fieldsOf(
  ...(["text", "code", "long", "whole", "decimal", "money", "day", "stage", "past-price", "past-moment"] as const),
).filter((field) => field !== "title");

describe("a new vehicle", () => {
  test("with only the required fields gets the defaults, a title, and null for unset fields", async () => {
    expect<object>(await core.newVehicle()).toEqual({
      id: expect.any(Number),
      dealer_id: core.records.dealerId,
      ...newVehicleBody(),
      title: "2024 Toyota Camry",
      status: "available",
      featured: 0,
      publish: 1,
      ...Object.fromEntries(UNSET.map((field) => [field, null])),
      sold_at: null,
      listed_at: NOW,
      created_at: NOW,
      updated_at: NOW,
    });
  });

  for (const [sent, title] of [
    [{ title: null }, "2024 Toyota Camry"],
    [{ title: "" }, ""],
    [{ title: " As sent " }, " As sent "],
    [{ year: 1999, make: " A ", model: "B" }, "1999  A  B"],
  ] as const)
    test(`sent with ${JSON.stringify(sent)} has the title ${JSON.stringify(title)}`, async () => {
      expect((await core.newVehicle(sent)).title).toBe(title);
    });

  for (const name of ["featured", "publish"] as const)
    for (const [sent, answered] of [
      [true, 1],
      [1, 1],
      [false, 0],
      [0, 0],
    ] as const)
      test(`sent with ${name} ${sent} is answered with ${answered}`, async () => {
        expect((await core.newVehicle({ [name]: sent }))[name]).toBe(answered);
      });

  test("is refused for all its errors at once, including those of the dealer and the year", async () => {
    const outcome = await core.vehicles.create(admin, { make: " ", year: 2029, price: "1", pirce: 1 });
    expect(pathsOf(outcome)).toEqual(["dealer_id", "make", "model", "pirce", "price", "year"]);
  });
});

describe("a change of a vehicle", () => {
  test("that sends back what was read changes only updated_at, which increases", async () => {
    const vehicle = await core.newVehicle({ mileage: 5, featured: true });
    const changed = read(await core.vehicles.update(admin, { id: vehicle.id, input: vehicle }));
    expect({ ...changed, updated_at: NOW }).toEqual(vehicle);
    expect(changed.updated_at > vehicle.updated_at).toBe(true);
  });

  test("leaves every field unchanged that it does not name", async () => {
    const vehicle = await core.newVehicle({ mileage: 5 });
    const changed = read(await core.vehicles.update(admin, { id: vehicle.id, input: { seats: 4 } }));
    expect(changed).toEqual({ ...vehicle, seats: 4, updated_at: changed.updated_at });
  });

  test("of make, model or year does not change the title", async () => {
    const { id } = await core.newVehicle();
    const sent = { make: "Honda", model: "Jazz", year: 2020 };
    expect(read(await core.vehicles.update(admin, { id, input: sent })).title).toBe("2024 Toyota Camry");
  });

  test("to null clears an optional field, including the title", async () => {
    const { id } = await core.newVehicle({ mileage: 5 });
    const cleared = read(await core.vehicles.update(admin, { id, input: { mileage: null, title: null } }));
    expect(cleared).toMatchObject({ mileage: null, title: null });
  });

  test("from any status to any other is allowed", async () => {
    const { id } = await core.newVehicle();
    for (const status of ["sold", "pending", "sold", "available", "pending", "available"])
      expect<string>(read(await core.vehicles.update(admin, { id, input: { status } })).status).toBe(status);
  });

  for (const name of ["featured", "publish"] as const)
    test(`of ${name} is stored, whether sent as a boolean or a bit`, async () => {
      const { id } = await core.newVehicle();
      for (const [sent, answered] of [
        [true, 1],
        [false, 0],
        [1, 1],
        [0, 0],
      ] as const)
        expect(read(await core.vehicles.update(admin, { id, input: { [name]: sent } }))[name]).toBe(answered);
    });

  test("must name a changeable field", async () => {
    const { id } = await core.newVehicle();
    for (const body of [{}, { id: 1, created_at: NOW }])
      expect(pathsOf(await core.vehicles.update(admin, { id, input: body }))).toEqual([""]);
  });

  test("based on an old version is stale, for an update and a removal alike, and changes nothing", async () => {
    const vehicle = await core.newVehicle();
    const changed = read(
      await core.vehicles.update(admin, { id: vehicle.id, input: { price: 1 }, versions: [vehicle.updated_at] }),
    );
    const stale = { kind: "stale", subject: "vehicle" };
    for (const versions of [[vehicle.updated_at], []]) {
      expect<unknown>(
        causeOf(await core.vehicles.update(admin, { id: vehicle.id, input: { price: 2 }, versions })),
      ).toEqual(stale);
      expect<unknown>(causeOf(await core.vehicles.remove(admin, vehicle.id, versions))).toEqual(stale);
    }
    expect(read(await core.vehicles.get(admin, vehicle.id))).toEqual(changed);
    expect(succeeded(await core.vehicles.remove(admin, vehicle.id, [changed.updated_at]))).toBe(true);
  });
});

test("a vehicle that comes back into reach during the request is reached, not called stale", async () => {
  const { id } = await core.newVehicle();
  const stored = makeVehicleRepository(core.db);
  let missed = 0;
  const missOnce = async <Value>(attempt: () => MaybePromise<Value>): Promise<Value | null> =>
    missed++ % 2 === 0 ? null : attempt();
  const vehicles = makeVehicles({
    ...UNLIMITED,
    vehicles: {
      ...stored,
      find: (...asked) => missOnce(() => stored.find(...asked)),
      update: (change) => missOnce(() => stored.update(change)),
      remove: async (removal) => (await missOnce(() => stored.remove(removal))) ?? false,
    },
    transactions: makeRowWork(core.db, { words: vehicleWordsIn(core.db), pause: nextTurn }),
    imageRules: { max: 100, issuesOf: () => [] },
    search: core.vehicleWords,
    dealers: { exists: async () => true },
    resaleDays: () => 14,
    clock: core.clock,
  });
  expect(read(await vehicles.get(admin, id)).id).toBe(id);
  expect(read(await vehicles.update(admin, { id, input: { price: 5 } })).price).toBe(5);
  expect(succeeded(await vehicles.remove(admin, id))).toBe(true);
  expect(missed).toBe(6);
});

describe("a list of vehicles", () => {
  const listed = async (query: VehicleQuery) =>
    succeeded(await core.vehicles.list(admin, query))
      .vehicles.parse()
      .map(({ stock_number }) => stock_number);

  let dealerId: number;
  beforeAll(async () => {
    const estate = await createDealerRecords(core);
    ({ dealerId } = estate);
    await core.vehicles.update(admin, { id: estate.vehicleId, input: { status: "available" } });
    for (const fields of [
      { stock_number: "A", make: "Škoda", model: "Octavia", year: 2020, price: 10, status: "sold", featured: true },
      { stock_number: "B", make: "Škoda", model: "Fabia", year: 2021, price: 19.99, status: "pending" },
      { stock_number: "C", make: "Tatra", model: "T87", year: 1948, price: 20.01 },
    ])
      await core.newVehicle({ dealer_id: dealerId, ...fields });
  });

  for (const [query, expected] of [
    [{ make: ["škoda"] }, ["B", "A"]],
    [{ make: ["ŠKODA"], model: ["fabia"] }, ["B"]],
    [{ make: ["Skoda"] }, ["B", "A"]],
    [{ created_since: "2019-12-31T23:59:59+01:00", make: ["Tatra"] }, ["C"]],
    [{ make: ["Tat"] }, []],
    [{ make: ["tatra", "škoda"] }, ["C", "B", "A"]],
    [{ make: ["Tatra", "tatra"], model: ["T87", "Fabia"] }, ["C"]],
    [{ status: ["sold", "pending"] }, ["B", "A"]],
    [{ year: 1948 }, ["C"]],
    [{ status: ["sold"] }, ["A"]],
    [{ featured: true }, ["A"]],
    [{ featured: false, make: ["Tatra"] }, ["C"]],
    [{ min_price: 20, make: ["Tatra"] }, ["C"]],
    [{ min_price: 20, make: ["Škoda"] }, []],
    [{ max_price: 10 }, ["A"]],
    [{ min_price: 10, max_price: 20 }, ["B", "A"]],
    [{ min_price: 20, max_price: 10 }, []],
    [{ make: ["Škoda"], limit: 1 }, ["B"]],
    [{ make: ["Škoda"], limit: 1, offset: 1 }, ["A"]],
  ] as const)
    test(`of ${JSON.stringify(query)} has exactly what matches`, async () => {
      expect(await listed({ dealer_id: dealerId, ...query })).toEqual([...expected]);
    });
});
