import { describe, expect, test } from "bun:test";
import { expectReply, testCases } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import {
  type CreatedKey,
  create,
  keyBody,
  NORTH,
  NORTH_CAR,
  NOTHING,
  SOUTH,
  SOUTH_CAR,
  SOUTH_MARK,
  vehicleBody,
} from "../support/sample-records.ts";
import { NO_LIMIT } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

for (const engine of ANSWERING)
  describe(`dealer binding case by case on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    test("a 403 says that the vehicle or dealer does not belong to the key's dealer", async () => {
      for (const [path, subject] of [
        [`/api/vehicles/${SOUTH_CAR}`, "vehicle"],
        [`/api/dealers/${SOUTH}`, "dealer"],
      ]) {
        const { body } = await fixture.as<{ error: string }>("north", { method: "GET", path: path ?? "" });
        expect(body.error).toBe(`The ${subject} does not belong to the API key's dealer`);
      }
    });

    test("a 403 for moving a vehicle says that the key cannot reassign vehicles, or that the vehicle is another dealer's", async () => {
      for (const [id, dealer_id, sentence] of [
        [NORTH_CAR, SOUTH, "The API key is bound to a dealer, so it cannot reassign vehicles"],
        [SOUTH_CAR, NORTH, "The vehicle does not belong to the API key's dealer"],
        [SOUTH_CAR, NOTHING, "The vehicle does not belong to the API key's dealer"],
      ] as const) {
        const { status, body } = await fixture.as<{ error: string }>("north", {
          method: "PUT",
          path: `/api/vehicles/${id}`,
          body: {
            dealer_id,
          },
        });
        expect([status, body.error]).toEqual([403, sentence]);
      }
    });

    testCases(fixture, [
      {
        name: "a list requested for another dealer is the bound dealer's, and says that the filter was added",
        send: `GET /api/vehicles?dealer_id=${SOUTH}`,
        by: "north",
        status: 200,
        has: { meta: { dealer_id: NORTH, filter_applied: true } },
        hides: [SOUTH_MARK],
      },
      {
        name: "an unbound key's list is limited to no dealer, and says that no filter was added",
        send: "GET /api/vehicles",
        status: 200,
        has: { meta: { filter_applied: false } },
        hides: ['"meta":{"total":2,"filter_applied":false,"dealer_id"'],
      },
      {
        name: "an unbound key's own filter is reported, but not as added by the service",
        send: `GET /api/vehicles?dealer_id=${SOUTH}`,
        status: 200,
        has: { meta: { dealer_id: SOUTH, filter_applied: false } },
      },
      {
        name: "a list of dealers has only the bound dealer",
        send: "GET /api/dealers",
        by: "north",
        status: 200,
        gives: { "x-total-count": "1" },
        hides: [SOUTH_MARK],
      },
      {
        name: "a bound key may send its own dealer_id with a change",
        send: `PUT /api/vehicles/${NORTH_CAR}`,
        by: "north",
        body: { dealer_id: NORTH, year: 2019 },
        status: 200,
        has: { dealer_id: NORTH, year: 2019 },
      },
      {
        name: "a bound key cannot give a vehicle to another dealer",
        send: `PUT /api/vehicles/${NORTH_CAR}`,
        by: "north",
        body: { dealer_id: SOUTH, year: 2001 },
        status: 403,
        code: "not_your_dealer",
      },
      {
        name: "a refused transfer changes nothing",
        send: `GET /api/vehicles/${NORTH_CAR}`,
        status: 200,
        has: { dealer_id: NORTH, year: 2019 },
      },
      {
        name: "a bound key cannot take another dealer's vehicle",
        send: `PUT /api/vehicles/${SOUTH_CAR}`,
        by: "north",
        body: { dealer_id: NORTH },
        status: 403,
        code: "not_your_dealer",
        hides: [SOUTH_MARK],
      },
      {
        name: "a transfer of a missing vehicle is a 404",
        send: `PUT /api/vehicles/${NOTHING}`,
        by: "north",
        body: { dealer_id: SOUTH },
        status: 404,
      },
      {
        name: "a bound key cannot reach another dealer's image through its own vehicle",
        send: `DELETE /api/vehicles/${NORTH_CAR}/images/1`,
        by: "north",
        status: 404,
        code: "not_found",
      },
      {
        name: "a bound key may change its own dealer",
        send: `PUT /api/dealers/${NORTH}`,
        by: "north",
        body: { phone: "503-555-0101", active: 1 },
        status: 200,
        has: { phone: "503-555-0101", active: 1 },
      },
      {
        name: "a bound key cannot deactivate its dealer",
        send: `PUT /api/dealers/${NORTH}`,
        by: "north",
        body: { active: false, phone: "503-555-0102" },
        status: 403,
      },
      {
        name: "a refused deactivation changes nothing",
        send: `GET /api/dealers/${NORTH}`,
        status: 200,
        has: { active: 1, phone: "503-555-0101" },
      },
      {
        name: "an unbound user's key sees every dealer's vehicles",
        send: `GET /api/vehicles/${SOUTH_CAR}`,
        by: "free user",
        status: 200,
        has: { dealer_id: SOUTH },
      },
      {
        name: "the key of a dealer's user is bound like the dealer's own key",
        send: `GET /api/vehicles/${SOUTH_CAR}`,
        by: "north's user",
        status: 403,
        code: "not_your_dealer",
      },
      {
        name: "the key of a super-admin is not bound",
        send: `GET /api/vehicles/${SOUTH_CAR}`,
        by: "super-admin's user",
        status: 200,
      },
      {
        name: "an unbound key must name a dealer for a new vehicle",
        send: "POST /api/vehicles",
        body: vehicleBody(null),
        status: 400,
        faults: ["dealer_id"],
      },
      {
        name: "a bound key need not name its dealer for a new vehicle",
        send: "POST /api/vehicles",
        by: "north",
        body: vehicleBody(null),
        status: 201,
        has: { dealer_id: NORTH },
      },
    ]);

    test("deactivating a dealer keeps its keys and vehicles", async () => {
      const dealer = await create(
        fixture.api,
        "/api/dealers",
        (await fixture.api<object>("GET", `/api/dealers/${NORTH}`)).body,
      );
      const key = await create<CreatedKey>(
        fixture.api,
        "/api/keys",
        keyBody({ dealer_id: dealer.id, rate_limit: NO_LIMIT }),
      );
      const vehicle = await create(fixture.api, "/api/vehicles", vehicleBody(dealer.id));
      await fixture.api("DELETE", `/api/dealers/${dealer.id}`);
      const reply = await fixture.api("GET", `/api/vehicles/${vehicle.id}`, { key: key.api_key });
      expectReply(reply, { status: 200, has: { dealer_id: dealer.id } });
    });
  });
