import { beforeAll, describe, expect, test } from "bun:test";
import {
  type Browser,
  browserOn,
  firstAdmin,
  inviteAndSignIn,
  makePerson,
  PASSWORD,
  signIn,
} from "../support/browser.ts";
import { ANSWERING } from "../support/engines.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { pair, startService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

interface Session {
  readonly id: number;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly address: string;
  readonly user_agent: string;
  readonly current: boolean;
}

const HOUR = 60 * 60;

for (const engine of ANSWERING)
  describe(`sessions on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
    });
    const browser = () => browserOn(fixture.service.url);
    const person = async (fields: Readonly<Record<string, unknown>> = {}) => {
      const made = await makePerson(admin, fields);
      return { ...made, own: await inviteAndSignIn(fixture.service.url, admin, made.id) };
    };
    const also = async (email: string, password = PASSWORD): Promise<Browser> => {
      const one = browser();
      expect((await signIn(one, email, password)).status).toBe(200);
      return one;
    };
    const statusOf = async (one: Browser) => (await one.send("GET", "/portal/api/session")).status;
    const sessionsOf = async (one: Browser) => (await one.send<Session[]>("GET", "/portal/api/sessions")).body;

    test("store no key that a browser sends as its user agent", async () => {
      const { email } = await person();
      const one = browser();
      const key = `vis_web_desk_${"A1b2".repeat(7)}`;
      const headers = { "user-agent": `Browser ${key}` };
      expect(
        (await one.send("POST", "/portal/api/sign-in", { body: { email, password: PASSWORD }, headers })).status,
      ).toBe(200);
      const listed = await sessionsOf(one);
      expect(listed.map(({ user_agent }) => user_agent)).toContain("withheld");
      expect(JSON.stringify(listed)).not.toContain(key.slice(0, 20));
    });

    test("are listed for their user with address, browser and the current one marked, without any token", async () => {
      const { email, own } = await person();
      const other = await also(email);
      const listed = await own.send<Session[]>("GET", "/portal/api/sessions");
      expect(listed.body).toHaveLength(2);
      for (const session of listed.body)
        expect(session).toEqual({
          id: expect.any(Number),
          created_at: expect.any(String),
          last_seen_at: expect.any(String),
          expires_at: expect.any(String),
          address: expect.stringMatching(/^198\.18\./),
          user_agent: "Browser of the tests",
          current: expect.any(Boolean),
        });
      const current = (list: Session[]) => list.filter((session) => session.current).map(({ id }) => id);
      expect(current(listed.body)).not.toEqual(current(await sessionsOf(other)));
      const token = own.cookies.get("vehicle_inventory")?.split(".")[0] ?? "none";
      expect(listed.text).not.toContain(token);
    });

    test("end one by one, or all but the current one, at the very next request", async () => {
      const { email, own } = await person();
      const [second, third, fourth] = [await also(email), await also(email), await also(email)];
      const id = (await sessionsOf(second)).find(({ current }) => current)?.id;
      expect((await own.send("DELETE", `/portal/api/sessions/${id}`)).status).toBe(200);
      expect([await statusOf(second), await statusOf(third), await statusOf(own)]).toEqual([401, 200, 200]);
      expect((await own.send("DELETE", `/portal/api/sessions/${id}`)).status).toBe(404);
      expect((await own.send("DELETE", "/portal/api/sessions/x")).status).toBe(400);
      expect((await own.send("DELETE", "/portal/api/sessions")).status).toBe(200);
      expect([await statusOf(third), await statusOf(fourth), await statusOf(own)]).toEqual([401, 401, 200]);
    });

    test("of others cannot be reached through one's own account", async () => {
      const one = await person();
      const other = await person();
      const id = (await sessionsOf(other.own))[0]?.id;
      expect((await one.own.send("DELETE", `/portal/api/sessions/${id}`)).status).toBe(404);
      expect(await statusOf(other.own)).toBe(200);
    });

    test("do nothing that a page sends for another user, and what it sends for their own", async () => {
      const [one, other] = [await person({ role: "super_admin" }), await person()];
      const statusFor = async (id: number | string, method: string, path: string, body?: unknown) => {
        const headers = { "x-portal-user": String(id) };
        const reply = await one.own.send(method, `/portal/api${path}`, {
          ...(body !== undefined && { body }),
          headers,
        });
        return [reply.status, reply.body.code];
      };
      const rename = (id: number | string) => statusFor(id, "PUT", `/users/${other.id}`, { name: `For ${id}` });
      expect(await rename(one.id)).toEqual([200, undefined]);
      for (const id of [other.id, `${one.id}, ${one.id}`]) {
        expect(await rename(id)).toEqual([401, "signed_out"]);
        expect(await statusFor(id, "GET", "/vehicles")).toEqual([401, "signed_out"]);
        expect(await statusFor(id, "GET", "/session")).toEqual([401, "signed_out"]);
        expect(await statusFor(id, "DELETE", "/sessions")).toEqual([401, "signed_out"]);
      }
      expect((await one.own.send("GET", `/portal/api/users/${other.id}`)).body.name).toBe(`For ${one.id}`);
      expect(await statusFor(one.id, "GET", "/session")).toEqual([200, undefined]);
    });

    test("all end but the current one when the password is changed, and the old password no longer works", async () => {
      const { id, email, own } = await person();
      const other = await also(email);
      const weak = await own.send<{ details: { path: string }[] }>("PUT", "/portal/api/password", {
        body: {
          new_password: "short",
        },
      });
      expect(weak.body.details.map(({ path }) => path).sort()).toEqual(["current_password", "new_password"]);
      const next = "another horse battery staple";
      const body = { current_password: PASSWORD, new_password: next };
      expect((await own.send("PUT", "/portal/api/password", { body })).status).toBe(200);
      expect([await statusOf(own), await statusOf(other)]).toEqual([200, 401]);
      expect((await signIn(browser(), email)).status).toBe(401);
      await also(email, next);
      const log = await admin.send<{ actor: unknown; address: string }[]>(
        "GET",
        `/portal/api/audit?action=user.password-changed&id=${id}`,
      );
      expect(log.body).toMatchObject([{ actor: { type: "user", id }, via: "portal", before: null, after: null }]);
    });

    test("have their user's current rights: changed permissions, role and name apply at the next request", async () => {
      const { id, own } = await person({ permissions: [pair("users:read")] });
      expect((await own.send("GET", "/portal/api/users")).status).toBe(200);
      const changes = { permissions: [pair("vehicles:read")], name: "Renamed" };
      expect((await admin.send("PUT", `/portal/api/users/${id}`, { body: changes })).status).toBe(200);
      expect((await own.send("GET", "/portal/api/users")).status).toBe(403);
      expect((await own.send("GET", "/portal/api/vehicles")).status).toBe(200);
      expect((await own.send("GET", "/portal/api/session")).body.user).toMatchObject(changes);
    });

    test("end when their user is deactivated through any entry point, and do not return with the user", async () => {
      const { id, email, own } = await person();
      expect((await fixture.api("DELETE", `/api/users/${id}`)).status).toBe(200);
      expect(await statusOf(own)).toBe(401);
      expect((await signIn(browser(), email)).status).toBe(401);
      expect((await fixture.api("PUT", `/api/users/${id}`, { body: { active: true } })).status).toBe(200);
      expect(await statusOf(own)).toBe(401);
      await also(email);
    });

    test("are valid at every instance", async () => {
      const { own } = await person();
      const other = await startService(engine, { DATABASE_URL: fixture.service.databaseUrl });
      try {
        const there = browserOn(other.url);
        for (const [name, value] of own.cookies) there.cookies.set(name, value);
        expect(await statusOf(there)).toBe(200);
        await own.send("POST", "/portal/api/sign-out");
        expect(await statusOf(there)).toBe(401);
      } finally {
        await other.close();
      }
    });

    test("are refused for a token that is invented, cut, sent twice, or taken from the database", async () => {
      const { own } = await person();
      const [name = "", value = ""] = [...own.cookies][0] ?? [];
      const [token = ""] = value.split(".");
      for (const cookie of [
        `${name}=`,
        `${name}=${value.slice(1)}`,
        `${name}=${token}`,
        `${name}=${value}; ${name}=${value}`,
        `${name}=${Bun.SHA256.hash(token, "hex")}.x`,
        `${name}=%`,
        `other=${value}`,
      ])
        expect((await browser().send("GET", "/portal/api/session", { headers: { cookie } })).status).toBe(401);
    });

    testMovingClock("record their use once a minute", async () => {
      const { own } = await person();
      const seen = async () => (await sessionsOf(own))[0]?.last_seen_at;
      const first = await seen();
      await fixture.service.pass(50);
      expect(await seen()).toBe(first);
      await fixture.service.pass(11);
      expect(await seen()).not.toBe(first);
    });

    testMovingClock("end after 12 hours without use, and after 7 days in any case", async () => {
      const { email, own } = await person();
      await fixture.service.pass(11 * HOUR);
      expect(await statusOf(own)).toBe(200);
      await fixture.service.pass(11 * HOUR);
      expect(await statusOf(own)).toBe(200);
      await fixture.service.pass(12 * HOUR + 1);
      expect(await statusOf(own)).toBe(401);
      const busy = await also(email);
      for (let halfDays = 1; halfDays < 14; halfDays++) {
        await fixture.service.pass(12 * HOUR - 10);
        expect(await statusOf(busy)).toBe(200);
      }
      await fixture.service.pass(12 * HOUR - 10);
      expect(await statusOf(busy)).toBe(200);
      const [session] = await sessionsOf(busy);
      const longest = Date.parse(session?.created_at ?? "") + 7 * 24 * HOUR * 1000;
      expect(session?.expires_at).toBe(new Date(longest).toISOString());
      await fixture.service.pass(141);
      expect(await statusOf(busy)).toBe(401);
    });
  });
