import { describe, expect, test } from "bun:test";
import { type Case, expectReply, sendCase, testCases } from "../support/cases.ts";
import { ENGINES } from "../support/engines.ts";
import { sceneOn } from "../support/scene.ts";
import { EVERY_PAIR } from "../support/service.ts";
import { type CreatedKey, create, keyBody, NORTH_CAR, NOTHING, SOUTH_CAR, vehicleBody } from "../support/world.ts";

const TOO_LARGE = `{"make": "${"x".repeat(1_100_000)}"}`;
const OTHER_APP = { "x-app-type": "desktop" };
const TEXT = { "content-type": "text/plain" };
const STALE = { "if-match": '"stale"' };

/** Requests with two faults each: the check that comes first answers (contract 3). */
const CASES: Case[] = [
  {
    name: "an unknown path comes before a missing key",
    send: "GET /api/nothing",
    by: null,
    status: 404,
    code: "not_found",
  },
  {
    name: "an unknown method comes before a missing key",
    send: "PATCH /api/vehicles",
    by: null,
    status: 405,
    code: "method_not_allowed",
  },
  {
    name: "a missing key comes before a bad id",
    send: "GET /api/vehicles/abc",
    by: null,
    status: 401,
    code: "api_key_missing",
  },
  {
    name: "a missing key comes before a bad query",
    send: "GET /api/vehicles?limit=0",
    by: null,
    status: 401,
    code: "api_key_missing",
  },
  {
    name: "a missing key comes before a bad body",
    send: "POST /api/vehicles",
    by: null,
    raw: "{",
    status: 401,
    code: "api_key_missing",
  },
  {
    name: "a missing key comes before a body too large",
    send: "POST /api/vehicles",
    by: null,
    raw: TOO_LARGE,
    status: 401,
    code: "api_key_missing",
  },
  {
    name: "a missing key comes before a wrong media type",
    send: "POST /api/vehicles",
    by: null,
    raw: "x",
    headers: TEXT,
    status: 401,
    code: "api_key_missing",
  },
  {
    name: "a missing key comes before a wrong app type",
    send: "GET /api/vehicles",
    by: null,
    headers: OTHER_APP,
    status: 401,
    code: "api_key_missing",
  },
  {
    name: "a wrong app type comes before a missing permission",
    send: "GET /api/vehicles",
    by: "powerless",
    headers: OTHER_APP,
    status: 400,
    code: "app_type_mismatch",
  },
  {
    name: "a wrong app type comes before a bad id",
    send: "GET /api/vehicles/abc",
    by: "super-admin",
    headers: OTHER_APP,
    status: 400,
    code: "app_type_mismatch",
  },
  {
    name: "a missing permission comes before a bad id",
    send: "GET /api/vehicles/abc",
    by: "powerless",
    status: 403,
    code: "permission_missing",
  },
  {
    name: "a missing permission comes before a bad query",
    send: "GET /api/vehicles?limit=0",
    by: "powerless",
    status: 403,
    code: "permission_missing",
  },
  {
    name: "a missing permission comes before a bad body",
    send: "POST /api/vehicles",
    by: "powerless",
    body: { pirce: 1 },
    status: 403,
    code: "permission_missing",
  },
  {
    name: "a missing permission comes before a wrong media type",
    send: "POST /api/vehicles",
    by: "powerless",
    raw: "x",
    headers: TEXT,
    status: 403,
    code: "permission_missing",
  },
  {
    name: "a missing permission comes before a body too large",
    send: "POST /api/vehicles",
    by: "powerless",
    raw: TOO_LARGE,
    status: 403,
    code: "permission_missing",
  },
  {
    name: "a missing permission comes before a record that does not exist",
    send: `GET /api/vehicles/${NOTHING}`,
    by: "powerless",
    status: 403,
    code: "permission_missing",
  },
  {
    name: "a missing permission comes before the binding",
    send: `GET /api/vehicles/${SOUTH_CAR}`,
    by: "north's powerless",
    status: 403,
    code: "permission_missing",
  },
  {
    name: "what is not open to bound keys comes before a bad body",
    send: "POST /api/dealers",
    by: "north",
    body: { pirce: 1 },
    status: 403,
    code: "dealer_bound",
  },
  {
    name: "what is not open to bound keys comes before a bad id",
    send: "DELETE /api/dealers/abc",
    by: "north",
    status: 403,
    code: "dealer_bound",
  },
  {
    name: "what is not open to bound keys comes after a missing permission",
    send: "POST /api/dealers",
    by: "north's powerless",
    body: {},
    status: 403,
    code: "permission_missing",
  },
  {
    name: "a bad id comes before a record that does not exist",
    send: "PUT /api/vehicles/abc",
    body: { year: 2020 },
    status: 400,
    faults: ["id"],
  },
  {
    name: "a wrong media type comes before a record that does not exist",
    send: `PUT /api/vehicles/${NOTHING}`,
    raw: "x",
    headers: TEXT,
    status: 415,
  },
  {
    name: "a body too large comes before a record that does not exist",
    send: `PUT /api/vehicles/${NOTHING}`,
    raw: TOO_LARGE,
    status: 413,
  },
  {
    name: "a bad body comes before a record that does not exist",
    send: `PUT /api/vehicles/${NOTHING}`,
    body: { year: 1 },
    status: 400,
    faults: ["year"],
  },
  {
    name: "a bad body comes before the binding",
    send: `PUT /api/vehicles/${SOUTH_CAR}`,
    by: "north",
    body: { year: 1 },
    status: 400,
    faults: ["year"],
  },
  {
    name: "a bad body comes before another version",
    send: `PUT /api/vehicles/${NORTH_CAR}`,
    body: { year: 1 },
    headers: STALE,
    status: 400,
    faults: ["year"],
  },
  {
    name: "a record that does not exist comes before another version",
    send: `PUT /api/vehicles/${NOTHING}`,
    body: { year: 2020 },
    headers: STALE,
    status: 404,
  },
  {
    name: "the binding comes before another version: it tells nothing of a foreign record",
    send: `PUT /api/vehicles/${SOUTH_CAR}`,
    by: "north",
    body: { year: 2020 },
    headers: STALE,
    status: 403,
    code: "not_your_dealer",
  },
  {
    name: "the binding comes before the state of the client's copy",
    send: `GET /api/vehicles/${SOUTH_CAR}`,
    by: "north",
    headers: { "if-none-match": "*" },
    status: 403,
    code: "not_your_dealer",
  },
];

for (const engine of ENGINES)
  describe(`order of checks on ${engine.name}`, () => {
    const scene = sceneOn(engine);
    testCases(scene, CASES);

    test("a spent limit comes before a missing permission, a bad id and a bad body, and after a wrong app type", async () => {
      const limited = keyBody({ permissions: [], rate_limit: 1 });
      const { api_key: key } = await create<CreatedKey>(scene.api, "/api/keys", limited);
      expectReply(await scene.api("GET", "/api/users/abc", { key }), { status: 403 });
      expectReply(await scene.api("GET", "/api/users/abc", { key }), { status: 429, code: "rate_limit_exceeded" });
      expectReply(await scene.api("POST", "/api/users", { key, raw: "{" }), { status: 429 });
      expectReply(await scene.api("GET", "/api/users", { key, headers: OTHER_APP }), { status: 400 });
    });

    test("no second fault of a request is told of before the first is mended", async () => {
      for (const one of CASES.filter(({ status }) => status === 401 || status === 403)) {
        const reply = await sendCase(scene, one);
        expect([one.name, reply.body]).toEqual([one.name, expect.not.objectContaining({ details: expect.anything() })]);
      }
    });

    test("a request refused for its body changes nothing, whatever its other fields", async () => {
      const { api_key: key } = await create<CreatedKey>(scene.api, "/api/keys", keyBody({ permissions: EVERY_PAIR }));
      const before = (await scene.api("GET", "/api/vehicles")).headers.get("x-total-count");
      await scene.api("POST", "/api/vehicles", { key, body: vehicleBody(1, { year: 1 }) });
      expect((await scene.api("GET", "/api/vehicles")).headers.get("x-total-count")).toBe(before);
    });
  });
