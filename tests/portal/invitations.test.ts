import { beforeAll, describe, expect, test } from "bun:test";
import {
  type Browser,
  browserOn,
  FIRST,
  firstAdmin,
  invitationPath,
  inviteAndSignIn,
  makePerson,
  PASSWORD,
  signIn,
} from "../support/browser.ts";
import { ANSWERING } from "../support/engines.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { NORTH } from "../support/sample-records.ts";
import { EVERY_PAIR, startService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const DAY = 24 * 60 * 60;

for (const engine of ANSWERING)
  describe(`invitations on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
    });
    const browser = () => browserOn(fixture.service.url);
    const invite = async (id: number) =>
      (
        await admin.send<{ url: string; expires_at: string; sent: boolean }>(
          "POST",
          `/portal/api/users/${id}/invitation`,
        )
      ).body;

    test("are a link of 256 random bits that names its user, and are not sent without a mail server", async () => {
      const { id, email } = await makePerson(admin);
      const { url, expires_at, sent } = await invite(id);
      expect(sent).toBe(false);
      expect(url).toStartWith(`${fixture.service.url}/portal/invitations/`);
      expect(url.split("/").at(-1)).toMatch(/^[A-Za-z0-9_-]{43}$/);
      const described = await browser().send("GET", invitationPath(url));
      expect(described.body).toEqual({ kind: "invitation", name: expect.stringMatching(/^Person/), email, expires_at });
      expect((await admin.send("GET", `/portal/api/users/${id}/account`)).body).toMatchObject({
        invited_until: expires_at,
        has_password: false,
      });
    });

    test("set a password and sign in, once", async () => {
      const { id, email } = await makePerson(admin);
      const path = invitationPath((await invite(id)).url);
      const one = browser();
      const reply = await one.send("POST", path, { body: { password: PASSWORD } });
      expect([reply.status, reply.body]).toEqual([200, { second_factor: false }]);
      expect((await one.send("GET", "/portal/api/session")).body.user).toMatchObject({ id, email });
      for (const again of [
        await browser().send("POST", path, { body: { password: PASSWORD } }),
        await browser().send("GET", path),
      ])
        expect([again.status, again.body.code]).toEqual([404, "not_found"]);
      expect((await admin.send("GET", `/portal/api/users/${id}/account`)).body).toMatchObject({
        invited_until: null,
        has_password: true,
      });
    });

    test("work for exactly one of many concurrent uses", async () => {
      const { id } = await makePerson(admin);
      const path = invitationPath((await invite(id)).url);
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, number) =>
          browser().send("POST", path, { body: { password: `${PASSWORD} ${number}` } }),
        ),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
    });

    test("are void once a newer one exists; the old password works until one is used, and then ends with its sessions", async () => {
      const { id, email } = await makePerson(admin);
      const own = await inviteAndSignIn(fixture.service.url, admin, id);
      const older = await invite(id);
      const newer = await invite(id);
      expect((await browser().send("GET", invitationPath(older.url))).status).toBe(404);
      expect((await signIn(browser(), email)).status).toBe(200);
      expect((await own.send("GET", "/portal/api/session")).status).toBe(200);
      const next = "another horse battery staple";
      expect((await browser().send("POST", invitationPath(newer.url), { body: { password: next } })).status).toBe(200);
      expect((await own.send("GET", "/portal/api/session")).status).toBe(401);
      expect((await signIn(browser(), email)).status).toBe(401);
      expect((await signIn(browser(), email, next)).status).toBe(200);
    });

    test("accept passwords of 12 to 128 characters, name all faults at once, and stay usable", async () => {
      const { id } = await makePerson(admin);
      const path = invitationPath((await invite(id)).url);
      for (const [body, paths] of [
        [{ password: "x".repeat(11) }, ["password"]],
        [{ password: "x".repeat(129) }, ["password"]],
        [{}, ["password"]],
        [{ password: 1, name: "Robin", role: "super_admin" }, ["name", "password", "role"]],
      ] as const) {
        const reply = await browser().send<{ details: { path: string }[] }>("POST", path, { body });
        expect([reply.status, reply.body.details.map((detail) => detail.path).sort()]).toEqual([400, [...paths]]);
      }
      expect((await browser().send("POST", path, { body: { password: "🐎".repeat(128) } })).status).toBe(200);
    });

    test("of a deactivated user are void, and inactive users cannot be invited", async () => {
      const { id } = await makePerson(admin);
      const { url } = await invite(id);
      await fixture.api("DELETE", `/api/users/${id}`);
      expect((await browser().send("GET", invitationPath(url))).status).toBe(404);
      expect((await admin.send("POST", `/portal/api/users/${id}/invitation`)).status).toBe(400);
      await fixture.api("PUT", `/api/users/${id}`, { body: { active: true } });
      expect((await browser().send("POST", invitationPath(url), { body: { password: PASSWORD } })).status).toBe(404);
    });

    // Whoever made the link may now hold less than the user, and could sign in as the user.
    for (const [what, changes] of [
      ["a promotion", { role: "super_admin" }],
      ["another dealer", { dealer_id: NORTH }],
      ["more permissions", { permissions: EVERY_PAIR }],
      ["another address", { email: `moved-on-${engine.name}@example.com` }],
    ] as const)
      test(`are void after ${what} of the user, but not after a new name`, async () => {
        const { id } = await makePerson(admin);
        const { url } = await invite(id);
        await fixture.api("PUT", `/api/users/${id}`, { body: { name: "Renamed" } });
        expect((await browser().send("GET", invitationPath(url))).status).toBe(200);
        expect((await fixture.api("PUT", `/api/users/${id}`, { body: changes })).status).toBe(200);
        expect((await browser().send("POST", invitationPath(url), { body: { password: PASSWORD } })).status).toBe(404);
        await fixture.api("PUT", `/api/users/${id}`, { body: { active: false } });
      });

    test("are refused from another site's page; unknown ones get the same answer as used ones", async () => {
      const { id } = await makePerson(admin);
      const path = invitationPath((await invite(id)).url);
      const foreign = { origin: "https://evil.example.com" };
      expect((await browser().send("POST", path, { body: { password: PASSWORD }, headers: foreign })).status).toBe(403);
      for (const token of ["x", "x".repeat(43), "%00", "a.b"])
        expect((await browser().send("GET", `/portal/api/invitations/${token}`)).body.code).toBe("not_found");
    });

    testMovingClock("can be used for seven days", async () => {
      const [one, other] = [await makePerson(admin), await makePerson(admin)];
      const paths = [invitationPath((await invite(one.id)).url), invitationPath((await invite(other.id)).url)];
      await fixture.service.pass(7 * DAY - 10);
      expect((await browser().send("POST", paths[0] ?? "", { body: { password: PASSWORD } })).status).toBe(200);
      await fixture.service.pass(11);
      expect((await browser().send("POST", paths[1] ?? "", { body: { password: PASSWORD } })).status).toBe(404);
    });
  });

for (const engine of ANSWERING)
  describe(`the first super-admin on ${engine.name}`, () => {
    const restart = (databaseUrl: string) =>
      startService(engine, { DATABASE_URL: databaseUrl, BOOTSTRAP_API_KEY: "bootstrap-key-of-an-invited-user-7" });

    test("is created through the start's link, which works only once", async () => {
      const service = await startService(engine);
      try {
        const path = invitationPath(service.setUpLink ?? "");
        const described = await browserOn(service.url).send("GET", path);
        expect(described.body).toEqual({ kind: "first", name: null, email: null, expires_at: expect.any(String) });
        const name = FIRST.name;
        for (const [body, faults] of [
          [{ password: "short" }, ["email", "name", "password"]],
          [{ name, email: 7, password: PASSWORD }, ["email"]],
          // A password is not made of the address that comes with it.
          [{ name, email: "harbormaster@example.com", password: "harbormaster1" }, ["password"]],
        ] as const) {
          const faulty = await browserOn(service.url).send<{ details: { path: string }[] }>("POST", path, { body });
          expect(faulty.body.details.map((detail) => detail.path).sort()).toEqual([...faults]);
        }
        const replies = await Promise.all(
          [0, 1, 2].map((number) =>
            browserOn(service.url).send("POST", path, {
              body: {
                ...{ name: FIRST.name, email: `first${number}@example.com`, password: PASSWORD },
              },
            }),
          ),
        );
        expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
        const users = await service.api<{ role: string }[]>("GET", "/api/users");
        expect(users.body).toMatchObject([{ role: "super_admin", active: true, dealer_id: null }]);
      } finally {
        await service.close();
      }
      const again = await restart(service.databaseUrl);
      expect(again.setUpLink).toBeNull();
      await again.close();
    });

    test("needs an unused address; the link stays usable after a refusal", async () => {
      const service = await startService(engine);
      try {
        await service.api("POST", "/api/users", { body: { name: "Robin", email: FIRST.email, role: "user" } });
        const path = invitationPath(service.setUpLink ?? "");
        const taken = await browserOn(service.url).send("POST", path, { body: { ...FIRST, password: PASSWORD } });
        expect([taken.status, taken.body.code]).toEqual([409, "email_taken"]);
        const body = { name: "Sam", email: "sam2@example.com", password: PASSWORD };
        expect((await browserOn(service.url).send("POST", path, { body })).status).toBe(200);
      } finally {
        await service.close();
      }
    });

    test("gets working links from all instances that start together; using one voids the others", async () => {
      const databaseUrl = await engine.url();
      const first = await restart(databaseUrl);
      const more = await Promise.all([restart(databaseUrl), restart(databaseUrl)]);
      const services = [first, ...more];
      try {
        const paths = services.map(({ setUpLink }) => invitationPath(setUpLink ?? ""));
        expect(new Set(paths).size).toBe(3);
        for (const path of paths) expect((await browserOn(first.url).send("GET", path)).status).toBe(200);
        const replies = await Promise.all(
          paths.map((path, number) =>
            browserOn(services[number]?.url ?? "").send("POST", path, {
              body: {
                ...{ name: FIRST.name, email: `first${number}@example.com`, password: PASSWORD },
              },
            }),
          ),
        );
        expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
      } finally {
        for (const service of services) await service.close();
      }
    });
  });
