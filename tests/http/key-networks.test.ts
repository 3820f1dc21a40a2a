import { describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import type { Reply } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { type CreatedKey, create, keyBody, NORTH, userBody } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const INSIDE = "203.0.113.7";
const OUTSIDE = "198.51.100.7";
const NETWORKS = ["203.0.113.0/24", "2001:db8::/32"];
const DAY = 86_400;

interface Refusal {
  readonly error: string;
  readonly needs?: object;
  readonly has?: object;
  readonly bound_dealer_id?: number | null;
}

for (const engine of ANSWERING)
  describe(`keys that are limited on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { MAX_KEY_DAYS: "90", TRUSTED_PROXY_HOPS: "1" });
    const make = (fields: object) => create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields));
    const from = (address: string, key: string) => ({ key, headers: { "x-forwarded-for": address } });
    const list = (address: string, key: string): Promise<Reply> =>
      fixture.api("GET", "/api/vehicles", from(address, key));

    test("work from their networks only, and the refusal names the address and is recorded", async () => {
      const { id, api_key } = await make({ allowed_networks: NETWORKS, rate_limit: 2 });
      for (const address of ["2001:db9::1", OUTSIDE, "", "not an address", OUTSIDE]) {
        const reply = await fixture.api<Refusal>("GET", "/api/vehicles", from(address, api_key));
        expectReply(reply as Reply, { status: 403, code: "network_not_allowed" });
        expect(reply.body.error).toContain(address);
        expect(reply.headers.get("ratelimit")).toBeNull();
      }
      const log = await fixture.api<{ by: { id: number } }[]>("GET", "/api/audit?action=access.denied&limit=1");
      expect([log.status, log.text.includes("network_not_allowed"), log.text.includes(`"id":${id}`)]).toEqual([
        200,
        true,
        true,
      ]);
      // Nothing of this counted.
      for (const address of ["::ffff:203.0.113.9", "2001:db8:7::1"])
        expect((await list(address, api_key)).status).toBe(200);
      expect((await list(INSIDE, api_key)).status).toBe(429);
    });

    test("are refused as unknown first if they do not work at all", async () => {
      const { id, api_key } = await make({ allowed_networks: NETWORKS });
      await fixture.api("POST", `/api/keys/${id}/revoke`);
      expectReply(await list(OUTSIDE, api_key), { status: 401, code: "api_key_invalid" });
    });

    test("do not lock themselves out unless that is confirmed", async () => {
      const { id, api_key } = await make({ permissions: pairs("keys:read", "keys:write") });
      const put = (body: object) => fixture.api("PUT", `/api/keys/${id}`, { ...from(INSIDE, api_key), body });
      const refused = await put({ allowed_networks: ["192.0.2.0/24"] });
      expectReply(refused, { status: 400, code: "invalid_input" });
      expect(refused.text).toContain(INSIDE);
      expect((await put({ allowed_networks: ["203.0.113.0/24"] })).status).toBe(200);
      expect((await put({ allowed_networks: ["203.0.113.0/28"] })).status).toBe(200);
      expectReply(await put({ allowed_networks: null }), { status: 403, code: "exceeds_your_rights" });
      expectReply(await put({ allowed_networks: ["203.0.112.0/23"] }), { status: 403, code: "exceeds_your_rights" });
      expect((await put({ allowed_networks: ["203.0.113.8/32"], confirm_lockout: true })).status).toBe(200);
      expectReply(await list(INSIDE, api_key), { status: 403, code: "network_not_allowed" });
    });

    test("make and rotate no key of wider networks", async () => {
      const { api_key } = await make({
        allowed_networks: NETWORKS,
        permissions: pairs("keys:read", "keys:write", "vehicles:read", "users:read", "users:write"),
      });
      const user = await create(fixture.api, "/api/users", userBody({ permissions: pairs("vehicles:read") }));
      await make({ user_id: user.id });
      const wide = await make({ permissions: pairs("vehicles:read") });
      const by = from(INSIDE, api_key);
      const post = (body: object) => fixture.api("POST", "/api/keys", { ...by, body: keyBody(body) });
      expectReply(await post({}), { status: 403, code: "exceeds_your_rights" });
      expect((await post({ allowed_networks: ["203.0.113.64/26"] })).status).toBe(201);
      expectReply(await fixture.api("POST", `/api/keys/${wide.id}/rotate`, by), {
        status: 403,
        code: "exceeds_your_rights",
      });
      expectReply(await fixture.api("PUT", `/api/users/${user.id}`, { ...by, body: { rotate_keys: true } }), {
        status: 403,
        code: "exceeds_your_rights",
      });
      expect((await fixture.api("POST", `/api/keys/${wide.id}/revoke`, by)).status).toBe(200);
    });

    test("say in a 403 what was needed and what they have", async () => {
      const { api_key } = await make({ dealer_id: NORTH, permissions: pairs("vehicles:read") });
      const refused = await fixture.api<Refusal>("DELETE", "/api/vehicles/1", { key: api_key });
      expect(refused.body).toMatchObject({
        needs: { resource: "vehicles", action: "delete" },
        has: pairs("vehicles:read"),
        bound_dealer_id: NORTH,
      });
      const foreign = await fixture.api<Refusal>("GET", "/api/vehicles/2", { key: api_key });
      expect(foreign.body).toMatchObject({ has: pairs("vehicles:read"), bound_dealer_id: NORTH });
    });

    test("expire in MAX_KEY_DAYS at most, also after a change", async () => {
      const { body } = await fixture.api<{ id: number; expires_at: string }>("POST", "/api/keys", { body: keyBody() });
      expect(Date.parse(body.expires_at)).toBeLessThanOrEqual(Date.parse(fixture.service.after(90 * DAY)));
      for (const expires_at of [fixture.service.after(91 * DAY), "2099-01-01T00:00:00.000Z"]) {
        for (const reply of [
          await fixture.api("POST", "/api/keys", { body: keyBody({ expires_at }) }),
          await fixture.api("PUT", `/api/keys/${body.id}`, { body: { expires_at } }),
        ])
          expectReply(reply, { status: 400, code: "invalid_input" });
      }
      expectReply(await fixture.api("PUT", `/api/keys/${body.id}`, { body: { expires_at: null } }), { status: 400 });
      expect((await fixture.api("PUT", `/api/keys/${body.id}`, { body: { ...body, name: "B" } })).status).toBe(200);
    });

    testMovingClock("say how long they work in their last seven days", async () => {
      const { api_key } = await make({ expires_at: fixture.service.after(8 * DAY) });
      expect((await list(INSIDE, api_key)).headers.get("x-api-key-expires-in")).toBeNull();
      await fixture.service.pass(DAY + 1);
      const told = [
        await list(INSIDE, api_key),
        await fixture.api("GET", "/api/dealers/9007199254740991", { key: api_key }),
      ].map(({ headers }) => Number(headers.get("x-api-key-expires-in")));
      for (const seconds of told) {
        expect(seconds).toBeGreaterThan(7 * DAY - 10);
        expect(seconds).toBeLessThanOrEqual(7 * DAY - 1);
      }
    });
  });
