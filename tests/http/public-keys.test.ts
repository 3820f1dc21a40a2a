import { describe, expect, test } from "bun:test";
import type { PresentedKey } from "../../core/keys/key.ts";
import { expectReply } from "../support/cases.ts";
import { freshAddress } from "../support/client.ts";
import { ENGINES } from "../support/engines.ts";
import { type CreatedKey, create, keyBody, NORTH, vehicleBody } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const SITE = "https://www.harbor.example.com";

for (const engine of ENGINES)
  describe(`keys in browsers on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const newKey = (fields: object = {}) =>
      create<CreatedKey & PresentedKey>(
        fixture.api,
        "/api/keys",
        keyBody({ dealer_id: NORTH, public: true, permissions: pairs("vehicles:read"), ...fields }),
      );
    const read = (key: string, headers: Record<string, string> = {}) =>
      fixture.api("GET", "/api/vehicles?limit=1", { key, headers });

    test("are answered with `public` as a boolean and their origins as sent, also to themselves", async () => {
      const allowed_origins = [SITE, "http://localhost:3000"];
      const { id, api_key: key } = await newKey({ public: 1, allowed_origins });
      const stored = await fixture.api<PresentedKey>("GET", `/api/keys/${id}`);
      expectReply(stored, { status: 200, has: { public: true, allowed_origins } });
      expectReply(await fixture.api("PUT", `/api/keys/${id}`, { body: stored.body }), { status: 200 });
      expectReply(await fixture.api("GET", "/api/me", { key }), { status: 200, has: { key: { id, public: true } } });
    });

    test("have their limit for each address, and ten times as much for all", async () => {
      const { api_key: key } = await newKey({ rate_limit: 2 });
      const addresses = Array.from({ length: 11 }, freshAddress);
      const from = async (address: string) => read(key, { "x-forwarded-for": address });
      const [first = "", ...others] = addresses;
      expectReply(await from(first), { status: 200, gives: { ratelimit: /^"web";r=1;/, "ratelimit-policy": /q=2;/ } });
      expect([(await from(first)).status, (await from(first)).status]).toEqual([200, 429]);
      for (const address of others.slice(0, 9))
        expect([(await from(address)).status, (await from(address)).status]).toEqual([200, 200]);
      const refused = await from(others.at(-1) ?? "");
      expectReply(refused, { status: 429, gives: { "ratelimit-policy": '"public";q=20;w=60' } });
      expect(refused.text).toInclude("from all addresses");
    });

    test("count the addresses of one IPv6 network as one", async () => {
      const { api_key: key } = await newKey({ rate_limit: 1 });
      const from = async (address: string) => (await read(key, { "x-forwarded-for": address })).status;
      expect([await from("2001:db8:1:1::1"), await from("2001:db8:1:1::2"), await from("2001:db8:1:2::1")]).toEqual([
        200, 429, 200,
      ]);
    });

    test("that are not public have their limit for all addresses together, as ever", async () => {
      const { api_key: key } = await newKey({ public: false, rate_limit: 1 });
      expect([(await read(key)).status, (await read(key)).status]).toEqual([200, 429]);
    });

    test("are for pages of their origins, from the next request after a change", async () => {
      const { id, api_key: key } = await newKey({ allowed_origins: [SITE] });
      const from = async (origin: string) => read(key, { origin });
      expect([(await from(SITE)).status, (await read(key)).status]).toEqual([200, 200]);
      expectReply(await from("https://evil.example.com"), {
        status: 403,
        code: "origin_not_allowed",
        gives: { "access-control-allow-origin": "*", ratelimit: /r=/ },
      });
      expect((await from("null")).status).toBe(403);
      await fixture.api("PUT", `/api/keys/${id}`, { body: { allowed_origins: null } });
      expect((await from("https://evil.example.com")).status).toBe(200);
    });

    test("do not learn from a history who works for the dealer", async () => {
      const [{ api_key: key }, staff] = [
        await newKey(),
        await newKey({ public: false, permissions: pairs("vehicles:read", "vehicles:write") }),
      ];
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
      expectReply(await fixture.api("PUT", `/api/vehicles/${id}`, { key: staff.api_key, body: { price: 5 } }), {
        status: 200,
      });
      const actorFor = async (reader: string) =>
        (await fixture.api<{ changes: { by: unknown }[] }>("GET", `/api/vehicles/${id}/history`, { key: reader })).body
          .changes[0]?.by;
      expect(await actorFor(staff.api_key)).toMatchObject({ type: "key", id: staff.id });
      expect(await actorFor(key)).toEqual({ type: "operator", id: null, name: "Operator" });
    });

    test("read what a page shows, and no exports, reports and quality of their dealer", async () => {
      const fields = { permissions: pairs("vehicles:read", "dealers:read") };
      const [{ api_key: page }, { api_key: office }] = [
        await newKey(fields),
        await newKey({ ...fields, public: false }),
      ];
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
      const paths = [
        "/api/vehicles/export",
        "/api/report",
        `/api/dealers/${NORTH}/report`,
        `/api/dealers/${NORTH}/today`,
        "/api/quality",
        `/api/vehicles/${id}/readiness`,
      ];
      for (const path of paths) {
        expectReply(await fixture.api("GET", path, { key: page }), { status: 403, code: "permission_missing" });
        expectReply(await fixture.api("GET", path, { key: office }), { status: 200 });
      }
      for (const path of [
        "/api/vehicles",
        `/api/vehicles/${id}`,
        `/api/vehicles/${id}/images`,
        `/api/vehicles/${id}/history`,
        "/api/vehicles/facets",
        "/api/vehicles/suggestions?q=to",
        "/api/dealers",
        `/api/dealers/${NORTH}`,
        `/api/dealers/${NORTH}/vehicles`,
        `/api/dealers/${NORTH}/stats`,
      ])
        expectReply(await fixture.api("GET", path, { key: page }), { status: 200 });
    });

    test("never come to hold more than reading", async () => {
      const { id } = await newKey();
      for (const [method, path, body] of [
        ["PUT", `/api/keys/${id}`, { permissions: pairs("vehicles:write") }],
        ["PUT", `/api/keys/${id}`, { app_type: "desktop" }],
        ["PUT", `/api/keys/${id}`, { dealer_id: null }],
        ["PUT", `/api/keys/${id}/permissions/vehicles/write`, undefined],
        ["POST", "/api/keys", keyBody({ public: true, permissions: [] })],
      ] as const)
        expectReply(await fixture.api(method, path, { body }), { status: 400, code: "invalid_input" });
      expectReply(await fixture.api("PUT", `/api/keys/${id}/permissions/dealers/read`), { status: 200 });
    });
  });
