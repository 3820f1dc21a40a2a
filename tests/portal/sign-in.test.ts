import { beforeAll, describe, expect, spyOn, test } from "bun:test";
import { type Browser, browserOn, FIRST, firstAdmin, PASSWORD, signIn } from "../support/browser.ts";
import { ANSWERING, ENGINES } from "../support/engines.ts";
import { CAN_ADVANCE_CLOCK as IS_HERE, startService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { SOURCES } from "../support/sources.ts";
import { sourcesTest } from "../support/sources-test.ts";
import { dumpOf } from "../support/table-dump.ts";

const SESSION_COOKIE = "vehicle_inventory";
const ARGON2ID = "$argon2id$v=19$m=19456,t=2,p=1";

for (const engine of ANSWERING)
  describe(`signing in on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, {}, { realPasswordCost: true });
    let admin: Browser;
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
    });
    const browser = () => browserOn(fixture.service.url);

    test("with the right password and any case of the address opens the user's own session", async () => {
      for (const email of [FIRST.email, FIRST.email.toUpperCase(), FIRST.email.toLowerCase()]) {
        const one = browser();
        const reply = await signIn(one, email);
        expect([reply.status, reply.body]).toEqual([200, { second_factor: false }]);
        const session = await one.send("GET", "/portal/api/session");
        expect(session.body).toEqual({
          user: (await fixture.api("GET", `/api/users/${(session.body.user as { id: number }).id}`)).body,
          dealer: null,
          second_factor: false,
          second_factor_required: false,
          session_id: expect.any(Number),
          recovery_codes_left: 0,
          version: expect.any(String),
        });
        expect(session.body.user).toMatchObject({ ...FIRST, role: "super_admin", active: true });
      }
    });

    test("sets a cookie that scripts cannot read and other sites cannot send, and puts nothing into the body", async () => {
      const reply = await signIn(browser(), FIRST.email);
      const cookies = reply.headers.getSetCookie();
      expect(cookies.map((cookie) => cookie.split("=")[0])).toEqual([SESSION_COOKIE, "vehicle_inventory_device"]);
      expect(cookies[0]).toMatch(/^vehicle_inventory=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/);
      expect(reply.text).toBe('{"second_factor":false}');
      expect(reply.headers.get("cache-control")).toBe("no-store");
      expect(reply.headers.get("access-control-allow-origin")).toBeNull();
    });

    sourcesTest("fails with the same answer, whatever was wrong", async () => {
      const inactive = await fixture.api<{ id: number }>("POST", "/api/users", {
        body: { name: "Gone", email: "gone@example.com", role: "user", active: false },
      });
      expect(inactive.status).toBe(201);
      const replies = await Promise.all(
        [
          { email: FIRST.email, password: "wrong horse battery staple" },
          { email: "nobody@example.com", password: PASSWORD },
          { email: "gone@example.com", password: PASSWORD },
          // A user who never set a password.
          { email: "robin1@example.com", password: PASSWORD },
          { email: "no address at all", password: PASSWORD },
        ].map((body) => browser().send("POST", "/portal/api/sign-in", { body })),
      );
      for (const { status, body, headers } of replies) {
        expect([status, body.error, body.code]).toEqual([401, replies[0]?.body.error, "sign_in_failed"]);
        expect(Object.keys(body).sort()).toEqual(["code", "error", "request_id", "timestamp"]);
        expect(headers.getSetCookie()).toEqual([]);
      }
    });

    // Counts calls in the test process, because measured times would depend on the machine. Creating a hash takes as
    // long as comparing one of the same cost.
    test.if(IS_HERE)("costs as much for an unknown address as for a wrong password", async () => {
      const compared = spyOn(Bun.password, "verify");
      const made = spyOn(Bun.password, "hash");
      try {
        const costs: string[][] = [];
        for (const email of [FIRST.email, "nobody.at.all@example.com", "no address at all"]) {
          compared.mockClear();
          made.mockClear();
          await signIn(browser(), email, "wrong horse battery staple");
          costs.push([
            ...compared.mock.calls.map(([, hash]) => String(hash).slice(0, ARGON2ID.length)),
            ...made.mock.results.map(() => ARGON2ID),
          ]);
          for (const [, cost] of made.mock.calls)
            expect(cost).toEqual({ algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 });
        }
        expect(costs).toEqual(costs.map(() => [ARGON2ID]));
      } finally {
        compared.mockRestore();
        made.mockRestore();
      }
    });

    for (const [why, body, paths] of [
      ["nothing", {}, ["email", "password"]],
      ["no password", { email: FIRST.email }, ["password"]],
      [
        "a number as password and an unknown field",
        { email: "a@b", password: 1, remember: true },
        ["password", "remember"],
      ],
    ] as const)
      sourcesTest(`with ${why} is a 400 that names every field`, async () => {
        const reply = await browser().send<{ code: string; details: { path: string }[] }>(
          "POST",
          "/portal/api/sign-in",
          { body },
        );
        expect([reply.status, reply.body.code]).toEqual([400, "invalid_input"]);
        expect(reply.body.details.map(({ path }) => path).sort()).toEqual([...paths]);
      });

    sourcesTest("is refused from another site's page, and without an origin", async () => {
      for (const headers of [
        { origin: "https://evil.example.com" },
        { origin: "null" },
        { origin: "" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
      ] as Record<string, string>[]) {
        const body = { email: FIRST.email, password: PASSWORD };
        const reply = await browser().send("POST", "/portal/api/sign-in", { body, headers });
        expect([reply.status, reply.body.code, reply.headers.getSetCookie()]).toEqual([403, "cross_origin", []]);
      }
    });

    test("ends with signing out: the cookie is removed, and a copy of it no longer works", async () => {
      const one = browser();
      await signIn(one, FIRST.email);
      const kept = one.cookies.get(SESSION_COOKIE) ?? "";
      expect((await one.send("POST", "/portal/api/sign-out")).status).toBe(200);
      expect(one.cookies.has(SESSION_COOKIE)).toBe(false);
      one.cookies.set(SESSION_COOKIE, kept);
      const reply = await one.send("GET", "/portal/api/session");
      expect([reply.status, reply.body.code]).toEqual([401, "signed_out"]);
    });

    sourcesTest("does not work on the API, nor a key in the portal", async () => {
      const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      expect((await fixture.api("GET", "/api/keys", { key: null, headers: { cookie } })).status).toBe(401);
      const key = { "x-api-key": fixture.service.superAdminKey };
      for (const path of ["session", "sessions", "keys", "users", "vehicles"])
        expect((await browser().send("GET", `/portal/api/${path}`, { headers: key })).status).toBe(401);
    });

    sourcesTest("works only through the portal's own paths: the library's do not exist", async () => {
      for (const path of ["/api/auth/sign-in/email", "/api/auth/sign-up/email", "/portal/api/sign-up"])
        expect(
          (await browser().send("POST", path, { body: { email: "a@example.com", password: PASSWORD } })).status,
        ).toBe(404);
    });

    sourcesTest("answers HEAD, OPTIONS and 405 like every path, and is closed to other origins", async () => {
      expect((await admin.send("HEAD", "/portal/api/session")).status).toBe(200);
      for (const [path, allow] of [
        ["/portal/api/sign-in", "OPTIONS, POST"],
        ["/portal/api/sessions", "DELETE, GET, HEAD, OPTIONS"],
        ["/portal/api/invitations/some", "GET, HEAD, OPTIONS, POST"],
      ] as const) {
        const options = await browser().send("OPTIONS", path);
        expect([options.status, options.headers.get("allow")]).toEqual([204, allow]);
        expect([...options.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
        const reply = await browser().send("PATCH", path);
        expect([reply.status, reply.body.code, reply.headers.get("allow")]).toEqual([405, "method_not_allowed", allow]);
      }
    });
  });

const [engine] = ENGINES;
if (engine === undefined) throw new Error("there is no engine");

test("the program hashes passwords at the cost that OWASP recommends", async () => {
  const service = await startService(engine, {}, { command: SOURCES });
  try {
    await firstAdmin(service);
    expect(await dumpOf(service.databaseUrl)).toContain(`${ARGON2ID}$`);
  } finally {
    await service.close();
  }
});

describe("over TLS", () => {
  const PUBLIC_URL = "https://inventory.example.com";
  const fixture = serviceFixture(engine, { PUBLIC_URL });

  test("only the service's own host can set cookies; links and origin are the configured ones", async () => {
    expect(fixture.service.setUpLink).toStartWith(`${PUBLIC_URL}/portal/invitations/`);
    const one = browserOn(fixture.service.url);
    const path = `/portal/api/invitations/${fixture.service.setUpLink?.split("/").at(-1)}`;
    const body = { ...FIRST, password: PASSWORD };
    expect((await one.send("POST", path, { body })).status).toBe(403);
    const reply = await one.send("POST", path, { body, headers: { origin: PUBLIC_URL } });
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-vehicle_inventory=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
      expect.stringMatching(
        /^__Host-vehicle_inventory_device=[^;]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
    expect((await one.send("GET", "/portal/api/session")).status).toBe(200);
    one.cookies.set("vehicle_inventory", one.cookies.get("__Host-vehicle_inventory") ?? "");
    one.cookies.delete("__Host-vehicle_inventory");
    expect((await one.send("GET", "/portal/api/session")).status).toBe(401);
  });
});
