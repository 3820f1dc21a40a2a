import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DEFAULT_SETTINGS, type Settings } from "../../core/settings/installation.ts";
import { expectReply } from "../support/cases.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { CALLERS } from "../support/sample-records.ts";
import { startService, type TestService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const PATH = "/api/settings";

for (const engine of ENGINES)
  describe(`the settings of an installation on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let other: TestService;
    beforeAll(async () => {
      const { databaseUrl, bootstrapKey } = fixture.service;
      other = await startService(engine, { DATABASE_URL: databaseUrl, BOOTSTRAP_API_KEY: bootstrapKey });
    });
    afterAll(() => other.close());

    test("are shown to every valid key, and to nobody without one", async () => {
      for (const caller of CALLERS)
        expectReply(await fixture.as(caller, { method: "GET", path: PATH }), { status: 200, has: { currency: "USD" } });
      expectReply(await fixture.api("GET", PATH), { status: 200, has: { ...DEFAULT_SETTINGS } });
      expectReply(await fixture.api("GET", PATH, { key: null }), { status: 401 });
    });

    test("are changed by a super-admin, at once in the same instance and within a second in others", async () => {
      await other.api("GET", PATH);
      for (const currency of ["EUR", "CHF"]) {
        const changed = await fixture.api<Settings>("PUT", PATH, { body: { currency } });
        expectReply(changed, { status: 200, has: { currency, name: DEFAULT_SETTINGS.name } });
        expect((await fixture.api<Settings>("GET", PATH)).body).toEqual(changed.body);
        await eventually(
          async () => (await other.api<Settings>("GET", PATH)).body.currency,
          (seen) => seen === currency,
        );
      }
    });

    test("cannot be changed by anybody else", async () => {
      for (const caller of ["north", "south", "north's user"] as const)
        expect((await fixture.as(caller, { method: "PUT", path: PATH, body: { currency: "JPY" } })).status).toBe(403);
      expect((await fixture.api<Settings>("GET", PATH)).body.currency).not.toBe("JPY");
    });

    test("have an ETag: a fresh copy is not sent again, and a change of a stale one is refused", async () => {
      const { headers } = await fixture.api("GET", PATH);
      const tag = headers.get("etag") ?? "";
      expect((await fixture.api("GET", PATH, { headers: { "if-none-match": tag } })).status).toBe(304);
      const change = (name: string) => fixture.api("PUT", PATH, { headers: { "if-match": tag }, body: { name } });
      expectReply(await change("Harbor"), { status: 200, has: { name: "Harbor" } });
      const refused = await change("Quay");
      expectReply(refused, { status: 412, code: "precondition_failed" });
      expect(refused.text).toInclude("The settings have changed since");
      expect((await fixture.api("GET", PATH, { headers: { "if-none-match": tag } })).status).toBe(200);
    });

    test("show only the name and logo without a key", async () => {
      await fixture.api("PUT", PATH, { body: { name: "Harbor" } });
      const reply = await fixture.api("GET", "/portal/api/branding", { key: null });
      expect([reply.status, reply.body]).toEqual([200, { name: "Harbor", logo: null }]);
    });
  });
