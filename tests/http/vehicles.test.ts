import { describe, expect, test } from "bun:test";
import { fieldsOf } from "../../core/vehicles/fields.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { type Case, testCases } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { create, NORTH, NORTH_CAR, NOTHING, SOUTH_CAR, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const UNSET = Object.fromEntries(
  fieldsOf("text", "code", "long", "whole")
    .filter((field) => field !== "title")
    .map((field) => [field, null]),
);
const EVERY_FIELD = {
  ...vehicleBody(NORTH),
  title: "A title of its own",
  trim: "XSE",
  mileage: 12_500,
  exterior_color: "Midnight Black",
  interior_color: "Ash",
  vin: "4T1G11AK5LU123456",
  stock_number: "A1042",
  description: "One owner.\nNo accidents — «as new» 🚗",
  features: "Bluetooth,Backup Camera",
  status: "pending",
  fuel_type: "gasoline",
  transmission: "automatic",
  engine: "2.5L I4",
  drivetrain: "FWD",
  body_style: "sedan",
  condition: "used",
  seats: 5,
};

const CASES: Case[] = [
  {
    name: "a new vehicle has defaults for omitted fields, and a title of year, make and model",
    send: "POST /api/vehicles",
    body: vehicleBody(NORTH),
    status: 201,
    has: {
      ...vehicleBody(NORTH),
      ...UNSET,
      title: "2024 Toyota Camry",
      status: "available",
      featured: 0,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: expect.stringMatching(TIMESTAMP),
    },
    gives: { location: /^\/api\/vehicles\/\d+$/, etag: /^"[^"]+"$/ },
  },
  {
    name: "every field is stored as it was sent",
    send: "POST /api/vehicles",
    body: { ...EVERY_FIELD, featured: true },
    status: 201,
    has: { ...EVERY_FIELD, featured: 1 },
  },
  {
    name: "null at creation counts as an omitted field",
    send: "POST /api/vehicles",
    body: { ...vehicleBody(NORTH), ...UNSET, title: null },
    status: 201,
    has: { ...UNSET, title: "2024 Toyota Camry" },
  },
  {
    name: "read-only fields are ignored at creation",
    send: "POST /api/vehicles",
    body: { ...vehicleBody(NORTH), id: NOTHING, created_at: "1999-01-01T00:00:00.000Z", updated_at: "nonsense" },
    status: 201,
    has: { created_at: expect.stringMatching(/^20[2-9]/), updated_at: expect.stringMatching(/^20[2-9]/) },
    hides: [String(NOTHING)],
  },
  {
    name: "a creation names all missing fields at once",
    send: "POST /api/vehicles",
    body: {},
    status: 400,
    code: "invalid_input",
    faults: ["dealer_id", "make", "model", "price", "year"],
  },
  {
    name: "all invalid fields are named at once, including misspelt ones",
    send: "POST /api/vehicles",
    body: { ...vehicleBody(NORTH), year: 1800, pirce: 1, status: "lost", seats: "5" },
    status: 400,
    faults: ["pirce", "seats", "status", "year"],
  },
  {
    name: "a creation names a missing dealer, and what is wrong only together, beside the invalid fields",
    send: "POST /api/vehicles",
    body: { ...vehicleBody(NOTHING), year: 1800, stage: "deposit", sold_at: "2026-01-01T00:00:00Z", sold_price: 5 },
    status: 400,
    faults: ["dealer_id", "sold_at", "sold_price", "stage", "year"],
  },
  {
    name: "a creation that is wrong only together names a missing dealer, too",
    send: "POST /api/vehicles",
    body: { ...vehicleBody(NOTHING), stage: "deposit" },
    status: 400,
    faults: ["dealer_id", "stage"],
  },
  {
    name: "nothing is said of fields that depend on an invalid one",
    send: "POST /api/vehicles",
    body: { ...vehicleBody(NORTH), status: "lost", stage: "deposit", sold_at: "2026-01-01T00:00:00Z" },
    status: 400,
    faults: ["status"],
  },
  {
    name: "the dealer that a bound key sends is no fault, as its own replaces it",
    send: "POST /api/vehicles",
    by: "north",
    body: { ...vehicleBody(NOTHING), year: 1800 },
    status: 400,
    faults: ["year"],
  },
  {
    name: "a change names a missing dealer, and what is wrong for this vehicle, beside the invalid fields",
    send: `PUT /api/vehicles/${NORTH_CAR}`,
    body: { dealer_id: NOTHING, price: -1, stage: "deposit", sold_at: "2026-01-01T00:00:00Z" },
    status: 400,
    faults: ["dealer_id", "price", "sold_at", "stage"],
  },
  {
    name: "a change that is wrong only for this vehicle names a missing dealer, too",
    send: `PUT /api/vehicles/${NORTH_CAR}`,
    body: { dealer_id: NOTHING, stage: "deposit" },
    status: 400,
    faults: ["dealer_id", "stage"],
  },
  {
    name: "an invalid change of another dealer's vehicle tells nothing of the vehicle",
    send: `PUT /api/vehicles/${SOUTH_CAR}`,
    by: "north",
    body: { price: -1, stage: "deposit" },
    status: 400,
    faults: ["price"],
  },
  {
    name: "a vehicle for a missing dealer is refused, and the error names the field",
    send: "POST /api/vehicles",
    body: vehicleBody(NOTHING),
    status: 400,
    faults: ["dealer_id"],
  },
  { name: "a vehicle is read", send: `GET /api/vehicles/${NORTH_CAR}`, status: 200, has: { id: NORTH_CAR, ...UNSET } },
  {
    name: "reading a missing vehicle is a 404 that names it",
    send: `GET /api/vehicles/${NOTHING}`,
    status: 404,
    code: "not_found",
    has: { error: `Vehicle ${NOTHING} not found` },
  },
  {
    name: "changing a missing vehicle is a 404",
    send: `PUT /api/vehicles/${NOTHING}`,
    body: { year: 2020 },
    status: 404,
    has: { error: `Vehicle ${NOTHING} not found` },
  },
  { name: "deleting a missing vehicle is a 404", send: `DELETE /api/vehicles/${NOTHING}`, status: 404 },
  {
    name: "a change without any field is refused",
    send: `PUT /api/vehicles/${NORTH_CAR}`,
    body: {},
    status: 400,
    faults: [""],
  },
  {
    name: "a change of only read-only fields is refused",
    send: `PUT /api/vehicles/${NORTH_CAR}`,
    body: { id: 5, created_at: "1999-01-01T00:00:00.000Z" },
    status: 400,
    faults: [""],
  },
  {
    name: "null does not clear a required field of a vehicle",
    send: `PUT /api/vehicles/${NORTH_CAR}`,
    body: { make: null, model: null, year: null, price: null, dealer_id: null, status: null, featured: null },
    status: 400,
    faults: ["dealer_id", "featured", "make", "model", "price", "status", "year"],
  },
  {
    name: "a change to a missing dealer is refused, and the error names the field",
    send: `PUT /api/vehicles/${NORTH_CAR}`,
    body: { dealer_id: NOTHING },
    status: 400,
    faults: ["dealer_id"],
  },
];

for (const engine of ANSWERING)
  describe(`vehicles on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    testCases(fixture, CASES);

    const newVehicle = (fields: object = {}) =>
      create<Vehicle>(fixture.api, "/api/vehicles", vehicleBody(NORTH, fields));

    test("a change affects only the sent fields and updated_at", async () => {
      const before = await newVehicle({ trim: "XSE", featured: true });
      for (const changes of [
        { make: "Škoda", model: "Fabia", year: 1999 },
        { trim: null, featured: 0, status: "pending" },
        { title: null },
      ]) {
        const present = (await fixture.api<Vehicle>("GET", `/api/vehicles/${before.id}`)).body;
        const { body, status } = await fixture.api<Vehicle>("PUT", `/api/vehicles/${before.id}`, { body: changes });
        expect(status).toBe(200);
        expect(body).toEqual({ ...present, ...(changes as object), updated_at: body.updated_at });
        expect(body.updated_at > present.updated_at).toBe(true);
        expect((await fixture.api<Vehicle>("GET", `/api/vehicles/${before.id}`)).body).toEqual(body);
      }
    });

    test("an answer can be sent back unchanged, and only updated_at changes", async () => {
      const { id } = await newVehicle({ featured: true, trim: "XSE" });
      const { body: read } = await fixture.api<Vehicle>("GET", `/api/vehicles/${id}`);
      const { status, body } = await fixture.api<Vehicle>("PUT", `/api/vehicles/${id}`, { body: read });
      expect(status).toBe(200);
      expect(body).toEqual({ ...read, updated_at: body.updated_at });
    });

    test("a vehicle's status may change to any other", async () => {
      const { id } = await newVehicle();
      const statuses = ["available", "sold", "pending"];
      for (const from of statuses)
        for (const to of statuses)
          for (const status of [from, to]) {
            const reply = await fixture.api("PUT", `/api/vehicles/${id}`, { body: { status } });
            expect([reply.status, reply.body]).toMatchObject([200, { status }]);
          }
    });

    for (const [sent, answered] of [
      [true, 1],
      [1, 1],
      [false, 0],
      [0, 0],
    ] as const)
      test(`featured sent as ${sent} is answered as ${answered}`, async () => {
        const { id, featured } = await newVehicle({ featured: sent });
        expect(featured).toBe(answered);
        const changed = await fixture.api("PUT", `/api/vehicles/${id}`, { body: { featured: !sent } });
        expect(changed.body).toMatchObject({ featured: 1 - answered });
      });

    test("a deleted vehicle is gone: the first deletion succeeds, the next is a 404", async () => {
      const { id } = await newVehicle();
      const first = await fixture.api("DELETE", `/api/vehicles/${id}`);
      expect(first.body).toEqual({ success: true, message: `Vehicle ${id} deleted` });
      for (const method of ["GET", "DELETE"])
        expect((await fixture.api(method, `/api/vehicles/${id}`)).status).toBe(404);
      expect((await fixture.api("PUT", `/api/vehicles/${id}`, { body: { year: 2020 } })).status).toBe(404);
    });

    test("a refused change changes nothing", async () => {
      const before = await newVehicle();
      for (const body of [
        { year: 2020, pirce: 1 },
        { year: 2020, price: -1 },
        { year: 2020, dealer_id: NOTHING },
      ])
        expect((await fixture.api("PUT", `/api/vehicles/${before.id}`, { body })).status).toBe(400);
      expect((await fixture.api<Vehicle>("GET", `/api/vehicles/${before.id}`)).body).toEqual(before);
    });
  });
