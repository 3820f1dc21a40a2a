import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Case, expectReply, testCases } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { type CreatedKey, create, dealerBody, keyBody, NORTH_CAR, vehicleBody } from "../support/sample-records.ts";
import { startService, type TestService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const OURS = "https://portal.example.com";
const THEIRS = "https://elsewhere.example.org";
const at = (origin: string) => ({ headers: { origin } });

const ORIGINS: Case[] = [
  {
    name: "lets pages of a listed origin read answers, and tells caches that answers vary",
    send: "GET /api/vehicles",
    ...at(OURS),
    status: 200,
    gives: { "access-control-allow-origin": OURS, vary: /Origin/ },
  },
  {
    name: "does not let pages of another origin read answers",
    send: "GET /api/vehicles",
    ...at(THEIRS),
    status: 200,
    gives: { "access-control-allow-origin": null, "access-control-expose-headers": null, vary: /Origin/ },
  },
  {
    name: "does not match an origin that only has a listed one as its beginning",
    send: "GET /api/vehicles",
    ...at(`${OURS}.example.org`),
    status: 200,
    gives: { "access-control-allow-origin": null },
  },
  {
    name: "answers a preflight of a listed origin",
    send: "OPTIONS /api/vehicles",
    by: null,
    ...at(OURS),
    status: 204,
    gives: { "access-control-allow-origin": OURS, "access-control-allow-methods": /POST/ },
  },
  {
    name: "does not allow a preflight of another origin",
    send: "OPTIONS /api/vehicles",
    by: null,
    ...at(THEIRS),
    status: 204,
    gives: { "access-control-allow-origin": null },
  },
];

for (const engine of ANSWERING) {
  describe(`CORS_ORIGINS on ${engine.name}`, () => {
    testCases(serviceFixture(engine, { CORS_ORIGINS: `https://www.example.com, ${OURS}` }), ORIGINS);
  });

  describe(`EXPOSE_SQL on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { EXPOSE_SQL: "false" });
    test("set to false leaves the statement empty and everything else unchanged", async () => {
      expectReply(await fixture.api("GET", "/api/vehicles"), {
        status: 200,
        has: { meta: { sql: "", total: 2 } },
        hides: ["select"],
      });
    });
  });

  describe(`X-App-Type on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { REQUIRE_APP_TYPE: "desktop,mobile" });
    const status = async (app_type: string, sent: string | null): Promise<[number, unknown]> => {
      const { api_key: key } = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ app_type }));
      const headers = sent === null ? {} : { "x-app-type": sent };
      const reply = await fixture.api<{ code?: string }>("GET", "/api/vehicles", { key, headers });
      return [reply.status, reply.body.code];
    };
    const api = (path: string, headers: Record<string, string>) => fixture.api("GET", path, { headers });

    test("is required for the configured app types, and for no others", async () => {
      expect(await status("desktop", null)).toEqual([400, "app_type_mismatch"]);
      expect(await status("mobile", null)).toEqual([400, "app_type_mismatch"]);
      expect(await status("web", null)).toEqual([200, undefined]);
    });

    test("must match the key's app type whenever it is sent", async () => {
      for (const own of ["web", "desktop", "mobile"])
        for (const sent of ["web", "desktop", "mobile", "Desktop", "tablet"])
          expect([own, sent, (await status(own, sent))[0]]).toEqual([own, sent, own === sent ? 200 : 400]);
    });

    test("is not required outside the API", async () => {
      expectReply(await api("/health/live", { "x-app-type": "tablet" }), { status: 200 });
    });
  });

  describe(`two processes on one database, on ${engine.name}`, () => {
    let one: TestService;
    let other: TestService;
    const bootstrap = { BOOTSTRAP_API_KEY: "the-operator's-own-key-of-40-characters-0" };

    beforeAll(async () => {
      one = await startService(engine, bootstrap);
      other = await startService(engine, { ...bootstrap, DATABASE_URL: one.databaseUrl });
    });
    afterAll(async () => {
      await one.close();
      await other.close();
    });

    test("share records, keys and cursors at once", async () => {
      const { id: dealer } = await create(one.api, "/api/dealers", dealerBody());
      for (let number = 0; number < 3; number++) await create(one.api, "/api/vehicles", vehicleBody(dealer));
      const key = await create<CreatedKey>(one.api, "/api/keys", keyBody({ dealer_id: dealer }));
      const sent = { key: key.api_key };
      const page = await one.api<{ meta: { next_cursor: string } }>("GET", "/api/vehicles?limit=1", sent);
      const next = `/api/vehicles?limit=1&cursor=${encodeURIComponent(page.body.meta.next_cursor)}`;
      expectReply(await other.api("GET", next, sent), { status: 200, has: { meta: { total: 3, dealer_id: dealer } } });
    });

    test("notice within a second that the other revoked a key, withdrew a permission or deactivated a user", async () => {
      const user = await create(one.api, "/api/users", { name: "x", email: "x@example.com", role: "user" });
      const keys = [keyBody(), keyBody(), keyBody({ user_id: user.id })];
      const [revoked, weakened, orphaned] = (await Promise.all(
        keys.map((body) => create<CreatedKey>(one.api, "/api/keys", body)),
      )) as [CreatedKey, CreatedKey, CreatedKey];
      const statuses = async () => {
        const replies = [revoked, weakened, orphaned].map(({ api_key }) =>
          other.api("GET", "/api/vehicles", { key: api_key }),
        );
        return (await Promise.all(replies)).map(({ status }) => status).join();
      };
      expect(await statuses()).toBe("200,200,200");
      await one.api("POST", `/api/keys/${revoked.id}/revoke`);
      await one.api("DELETE", `/api/keys/${weakened.id}/permissions/vehicles/read`);
      await one.api("DELETE", `/api/users/${user.id}`);
      await eventually(statuses, (seen) => seen === "401,403,401");
    });

    test("have saved the last use of keys when they stop", async () => {
      const url = await engine.url();
      const first = await startService(engine, { ...bootstrap, DATABASE_URL: url });
      const { id, api_key: key } = await create<CreatedKey>(first.api, "/api/keys", keyBody());
      const lastUse = async ({ api }: TestService) =>
        (await api<{ last_used_at: string | null }>("GET", `/api/keys/${id}`)).body.last_used_at;
      expect(await lastUse(first)).toBeNull();
      const usedAfter = first.after(0);
      await first.api("GET", "/api/vehicles", { key });
      const usedBefore = first.after(0);
      await first.close();
      const second = await startService(engine, { ...bootstrap, DATABASE_URL: url });
      const used = (await lastUse(second)) ?? "never";
      expect([usedAfter, used, usedBefore].toSorted()).toEqual([usedAfter, used, usedBefore]);
      await second.close();
    });

    test("replace the bootstrap key with a new one, and add no second super-admin", async () => {
      const url = await engine.url();
      const [old, fresh] = ["an-operator's-key-of-40-characters-or-so-1", "an-operator's-key-of-40-characters-or-so-2"];
      for (const BOOTSTRAP_API_KEY of [old, fresh]) {
        const service = await startService(engine, { DATABASE_URL: url, BOOTSTRAP_API_KEY });
        const status = async (key: string) => (await service.api("GET", "/api/keys", { key })).status;
        expect([await status(old), await status(fresh)]).toEqual(BOOTSTRAP_API_KEY === old ? [200, 401] : [401, 200]);
        const { body } = await service.api<{ name: string }[]>("GET", "/api/keys?q=bootstrap");
        expect(body).toHaveLength(1);
        await service.close();
      }
    });
  });

  describe(`TRUSTED_PROXY_HOPS on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { TRUSTED_PROXY_HOPS: "0" });
    test("set to 0 uses the connection's address for a client, whatever its headers say", async () => {
      const statuses = [];
      for (let request = 0; request < 31; request++)
        statuses.push((await fixture.api("GET", `/api/vehicles/${NORTH_CAR}`, { key: "wrong" })).status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(30);
      expect(statuses.at(-1)).toBe(429);
      expectReply(await fixture.api("GET", `/api/vehicles/${NORTH_CAR}`), { status: 200 });
    });
  });
}
