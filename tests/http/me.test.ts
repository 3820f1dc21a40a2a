import { describe, expect, test } from "bun:test";
import type { Me } from "../../core/keys/me.ts";
import { type Case, expectReply, testCases } from "../support/cases.ts";
import { freshAddress } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { CALLERS, type CreatedKey, create, keyBody, NORTH } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const PATH = "/api/me";

const CASES: readonly Case[] = [
  {
    name: "answers a key of a dealer with the dealer",
    send: `GET ${PATH}`,
    by: "north",
    status: 200,
    has: { key: { association: "dealer", app_type: "web" }, dealer: { id: NORTH } },
  },
  {
    name: "answers a key without any permission",
    send: `GET ${PATH}`,
    by: "north's powerless",
    status: 200,
    has: { permissions: [], dealer: { id: NORTH } },
  },
  {
    name: "answers a key that is bound to no dealer without one",
    send: `GET ${PATH}`,
    by: "free user",
    status: 200,
    has: { key: { association: "user" }, dealer: null },
  },
  { name: "is a 401 without a key", send: `GET ${PATH}`, by: null, status: 401, code: "api_key_missing" },
  {
    name: "holds against the app type",
    send: `GET ${PATH}`,
    headers: { "x-app-type": "mobile" },
    status: 400,
    code: "app_type_mismatch",
  },
  { name: "knows no parameters", send: `GET ${PATH}?dealer_id=2`, status: 400, faults: ["dealer_id"] },
  { name: "is not there for people who sign in", send: `GET /portal${PATH}`, by: null, status: 404 },
];

for (const engine of ANSWERING)
  describe(`a key that asks about itself on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    testCases(fixture, CASES);

    test("is answered whoever it belongs to", async () => {
      for (const caller of CALLERS) {
        const reply = await fixture.as<Me>(caller, { method: "GET", path: PATH });
        expectReply(reply, { status: 200, has: { key: { id: fixture.records.keys[caller].id } } });
      }
    });

    test("is told what is left of its limit as the headers say it, and counts for it", async () => {
      const { api_key: key } = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ rate_limit: 3 }));
      const seen = [];
      for (let request = 0; request < 3; request++) {
        const { body, headers } = await fixture.api<Me>("GET", PATH, { key });
        const { per_minute, remaining, reset_seconds } = body.limits;
        expect(headers.get("ratelimit")).toBe(`"web";r=${remaining};t=${reset_seconds}`);
        seen.push([per_minute, remaining]);
      }
      expect(seen).toEqual([
        [3, 2],
        [3, 1],
        [3, 0],
      ]);
      expect((await fixture.api("GET", PATH, { key })).status).toBe(429);
    });

    test("is told its address as the service sees it", async () => {
      const address = freshAddress();
      const { body } = await fixture.api<Me>("GET", PATH, { headers: { "x-forwarded-for": address } });
      expect(body.address).toBe(address);
    });
  });
