import { describe, expect, test } from "bun:test";
import { type Case, expectReply, sendCase, testCases } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import {
  type CreatedKey,
  create,
  keyBody,
  NORTH_CAR,
  NOTHING,
  SOUTH_CAR,
  vehicleBody,
} from "../support/sample-records.ts";
import { EVERY_PAIR } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const TOO_LARGE = `{"make": "${"x".repeat(1_100_000)}"}`;
const OTHER_APP = { "x-app-type": "desktop" };
const TEXT = { "content-type": "text/plain" };
const STALE = { "if-match": '"stale"' };

type Fault = [second: string, send: string, sent?: Partial<Case>];

/** Requests with two errors each, of which the earlier check's is reported. */
const before = (first: string, answer: Pick<Case, "status" | "code" | "by">, faults: Fault[]): Case[] =>
  faults.map(([second, send, sent]) => ({ name: `reports ${first} before ${second}`, send, ...answer, ...sent }));

const CASES: Case[] = [
  ...before("an unknown path", { status: 404, code: "not_found", by: null }, [["a missing key", "GET /api/nothing"]]),
  ...before("an unknown method", { status: 405, code: "method_not_allowed", by: null }, [
    ["a missing key", "PATCH /api/vehicles"],
  ]),
  ...before("a missing key", { status: 401, code: "api_key_missing", by: null }, [
    ["a wrong app type", "GET /api/vehicles", { headers: OTHER_APP }],
    ["a bad id", "GET /api/vehicles/abc"],
    ["a bad query", "GET /api/vehicles?limit=0"],
    ["a bad body", "POST /api/vehicles", { raw: "{" }],
    ["a body too large", "POST /api/vehicles", { raw: TOO_LARGE }],
    ["a wrong media type", "POST /api/vehicles", { raw: "x", headers: TEXT }],
  ]),
  ...before("a wrong app type", { status: 400, code: "app_type_mismatch", by: "powerless" }, [
    ["a missing permission", "GET /api/vehicles", { headers: OTHER_APP }],
    ["a bad id", "GET /api/vehicles/abc", { headers: OTHER_APP, by: "super-admin" }],
  ]),
  ...before("a missing permission", { status: 403, code: "permission_missing", by: "powerless" }, [
    ["a bad id", "GET /api/vehicles/abc"],
    ["a bad query", "GET /api/vehicles?limit=0"],
    ["a bad body", "POST /api/vehicles", { body: { pirce: 1 } }],
    ["a wrong media type", "POST /api/vehicles", { raw: "x", headers: TEXT }],
    ["a body too large", "POST /api/vehicles", { raw: TOO_LARGE }],
    ["a missing record", `GET /api/vehicles/${NOTHING}`],
    ["the binding", `GET /api/vehicles/${SOUTH_CAR}`, { by: "north's powerless" }],
    ["an operation closed to bound keys", "POST /api/dealers", { by: "north's powerless", body: {} }],
  ]),
  ...before("an operation closed to bound keys", { status: 403, code: "dealer_bound", by: "north" }, [
    ["a bad body", "POST /api/dealers", { body: { pirce: 1 } }],
    ["a bad id", "DELETE /api/dealers/abc"],
  ]),
  ...before("a bad id", { status: 400, code: "invalid_input" }, [
    ["a missing record", "PUT /api/vehicles/abc", { body: { year: 2020 }, faults: ["id"] }],
  ]),
  ...before("a wrong media type", { status: 415, code: "unsupported_media_type" }, [
    ["a missing record", `PUT /api/vehicles/${NOTHING}`, { raw: "x", headers: TEXT }],
  ]),
  ...before("a body too large", { status: 413, code: "body_too_large" }, [
    ["a missing record", `PUT /api/vehicles/${NOTHING}`, { raw: TOO_LARGE }],
  ]),
  ...before("a bad body", { status: 400, code: "invalid_input" }, [
    ["a missing record", `PUT /api/vehicles/${NOTHING}`, { body: { year: 1 }, faults: ["year"] }],
    ["the binding", `PUT /api/vehicles/${SOUTH_CAR}`, { by: "north", body: { year: 1 }, faults: ["year"] }],
    ["another version", `PUT /api/vehicles/${NORTH_CAR}`, { body: { year: 1 }, headers: STALE, faults: ["year"] }],
  ]),
  ...before("a missing record", { status: 404, code: "not_found" }, [
    ["another version", `PUT /api/vehicles/${NOTHING}`, { body: { year: 2020 }, headers: STALE }],
  ]),
  ...before("the binding", { status: 403, code: "not_your_dealer", by: "north" }, [
    ["another version", `PUT /api/vehicles/${SOUTH_CAR}`, { body: { year: 2020 }, headers: STALE }],
    ["the state of the client's copy", `GET /api/vehicles/${SOUTH_CAR}`, { headers: { "if-none-match": "*" } }],
  ]),
];

for (const engine of ANSWERING)
  describe(`the order of checks on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    testCases(fixture, CASES);

    test("puts an exhausted limit after a wrong app type, and before a missing permission, a bad id and a bad body", async () => {
      const limited = keyBody({ permissions: [], rate_limit: 1 });
      const { api_key: key } = await create<CreatedKey>(fixture.api, "/api/keys", limited);
      expectReply(await fixture.api("GET", "/api/users/abc", { key }), { status: 403 });
      expectReply(await fixture.api("GET", "/api/users/abc", { key }), { status: 429, code: "rate_limit_exceeded" });
      expectReply(await fixture.api("POST", "/api/users", { key, raw: "{" }), { status: 429 });
      expectReply(await fixture.api("GET", "/api/users", { key, headers: OTHER_APP }), { status: 400 });
    });

    test("reports a request's second fault only after the first is corrected", async () => {
      for (const one of CASES.filter(({ status }) => status === 401 || status === 403)) {
        const reply = await sendCase(fixture, one);
        expect([one.name, reply.body]).toEqual([one.name, expect.not.objectContaining({ details: expect.anything() })]);
      }
    });

    test("lets a request that is refused for its body change nothing, whatever its other fields", async () => {
      const { api_key: key } = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ permissions: EVERY_PAIR }));
      const before = (await fixture.api("GET", "/api/vehicles")).headers.get("x-total-count");
      await fixture.api("POST", "/api/vehicles", { key, body: vehicleBody(1, { year: 1 }) });
      expect((await fixture.api("GET", "/api/vehicles")).headers.get("x-total-count")).toBe(before);
    });
  });
