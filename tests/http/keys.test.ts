import { beforeAll, describe, expect, test } from "bun:test";
import type { PresentedKey } from "../../core/keys/key.ts";
import { type Case, expectReply, testCases } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { type CreatedKey, create, keyBody, NORTH, NOTHING, SOUTH } from "../support/sample-records.ts";
import { NO_LIMIT, pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const FUTURE = "2035-01-02T03:04:05.678Z";

const CASES: Case[] = [
  {
    name: "have defaults for omitted fields, and are shown with their secret at creation",
    send: "POST /api/keys",
    body: { name: "Showroom website", app_type: "web", app_id: "showroom-site" },
    status: 201,
    has: {
      name: "Showroom website",
      description: null,
      app_type: "web",
      app_id: "showroom-site",
      api_key: expect.stringMatching(/^vis_web_showroom-site_[0-9A-Za-z]{28}$/),
      association: "none",
      dealer_id: null,
      user_id: null,
      bound_dealer_id: null,
      permissions: pairs("vehicles:read"),
      rate_limit: null,
      effective_rate_limit: 100,
      active: true,
      expires_at: null,
      last_used_at: null,
    },
    gives: { location: /^\/api\/keys\/\d+$/, "cache-control": "no-store" },
  },
  {
    name: "for a dealer are bound to it",
    send: "POST /api/keys",
    body: keyBody({ dealer_id: NORTH, association: "dealer", rate_limit: 7 }),
    status: 201,
    has: { association: "dealer", dealer_id: NORTH, user_id: null, bound_dealer_id: NORTH, effective_rate_limit: 7 },
  },
  {
    name: "ignore read-only fields at creation",
    send: "POST /api/keys",
    body: keyBody({ id: NOTHING, key_start: "x", bound_dealer_id: SOUTH, last_used_at: FUTURE, created_at: FUTURE }),
    status: 201,
    has: { bound_dealer_id: null, last_used_at: null, created_at: expect.not.stringContaining("2035") },
    hides: [String(NOTHING)],
  },
  {
    name: "are not created for a dealer and a user at once",
    send: "POST /api/keys",
    body: keyBody({ dealer_id: NORTH, user_id: 1 }),
    status: 400,
    faults: ["user_id"],
  },
  ...[
    { association: "dealer" },
    { association: "user" },
    { association: "none", dealer_id: NORTH },
    { association: "user", dealer_id: NORTH },
    { association: "dealer", user_id: 1 },
    { association: "none", user_id: 1 },
  ].map(
    (fields): Case => ({
      name: `are refused with a contradictory association: ${JSON.stringify(fields)}`,
      send: "POST /api/keys",
      body: keyBody(fields),
      status: 400,
      faults: ["association"],
    }),
  ),
  {
    name: "name all missing fields at once at creation",
    send: "POST /api/keys",
    body: {},
    status: 400,
    faults: ["app_id", "app_type", "name"],
  },
  {
    name: "for a missing user are refused, and the error names the field",
    send: "POST /api/keys",
    body: keyBody({ user_id: NOTHING }),
    status: 400,
    faults: ["user_id"],
  },
  ...[
    "GET /api/keys/",
    "DELETE /api/keys/",
    "POST /api/keys/:/revoke",
    "POST /api/keys/:/rotate",
    "PUT /api/keys/:/permissions/vehicles/read",
    "DELETE /api/keys/:/permissions/vehicles/read",
  ].map(
    (send): Case => ({
      name: `that are missing are a 404 that names them: ${send}`,
      send: send.endsWith("/") ? `${send}${NOTHING}` : send.replace(":", String(NOTHING)),
      status: 404,
      has: { error: `Key ${NOTHING} not found` },
    }),
  ),
  {
    name: "that are missing cannot be changed",
    send: `PUT /api/keys/${NOTHING}`,
    body: { name: "x" },
    status: 404,
  },
];

for (const engine of ANSWERING)
  describe(`keys on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    testCases(fixture, CASES);

    const fresh = (fields: object = {}) => create<PresentedKey & CreatedKey>(fixture.api, "/api/keys", keyBody(fields));

    test("of a user have the user's permissions and dealer", async () => {
      const user_id = fixture.records.users["north's admin"];
      const key = await fresh({ user_id, association: "user" });
      expect(key).toMatchObject({ association: "user", user_id, dealer_id: null, bound_dealer_id: NORTH });
      expect<unknown>(key.permissions).toEqual(expect.arrayContaining(pairs("keys:write", "audit:read")));
      expect(key.permissions).toHaveLength(17);
    });

    test("with permissions named at creation do not get the default ones", async () => {
      expect((await fresh({ app_type: "desktop", permissions: [] })).permissions).toEqual([]);
      expect<unknown>((await fresh({ permissions: pairs("audit:read") })).permissions).toEqual(pairs("audit:read"));
    });

    test("are gone after a deletion: the first succeeds, the next is a 404", async () => {
      const { id, api_key: key } = await fresh({ dealer_id: NORTH });
      expect((await fixture.api("DELETE", `/api/keys/${id}`)).body).toEqual({
        success: true,
        message: `Key ${id} deleted`,
      });
      for (const method of ["GET", "DELETE"])
        expectReply(await fixture.api(method, `/api/keys/${id}`), { status: 404 });
      expectReply(await fixture.api("GET", "/api/vehicles", { key }), { status: 401 });
    });

    describe("in the list", () => {
      let ids: number[];
      beforeAll(async () => {
        ids = [];
        for (const fields of [
          { name: "Tagged one", dealer_id: NORTH },
          { name: "Two", description: "about TAGGED", app_type: "mobile" },
          { app_id: "tagged-3", user_id: fixture.records.users["free user"] },
          { name: "100% tagged", rate_limit: NO_LIMIT },
        ])
          ids.push((await fresh(fields)).id);
        await fixture.api("POST", `/api/keys/${ids[3]}/revoke`);
      });

      const FOUND: [query: string, places: number[]][] = [
        ["q=TAGged", [3, 2, 1, 0]],
        [`q=tagged&dealer_id=${NORTH}`, [0]],
        ["q=tagged&app_type=mobile", [1]],
        ["q=tagged&active=false", [3]],
        ["q=tagged&active=1", [2, 1, 0]],
        ["q=tagged%25", []],
        ["q=100%25", [3]],
        ["q=%25", [3]],
        ["q=t_gged", []],
      ];
      for (const [query, places] of FOUND)
        test(`are found by "${query}" exactly if it describes them, without their secrets`, async () => {
          const reply = await fixture.api<PresentedKey[]>("GET", `/api/keys?${query}`);
          expect(reply.body.map(({ id }) => id)).toEqual(places.map((place) => ids[place] as number));
          expect(reply.text).not.toContain("api_key");
        });

      test("are narrowed to one user's", async () => {
        const { body } = await fixture.api<PresentedKey[]>(
          "GET",
          `/api/keys?user_id=${fixture.records.users["free user"]}`,
        );
        expect(body.map(({ id }) => id)).toEqual([ids[2] as number, fixture.records.keys["free user"].id]);
      });
    });
  });
