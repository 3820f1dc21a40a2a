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
import { type CreatedKey, create, keyBody, NORTH, SOUTH } from "../support/sample-records.ts";
import { EVERY_PAIR, pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { sourcesTest } from "../support/sources-test.ts";

interface Listed {
  readonly id: number;
  readonly active: boolean;
  readonly user_id: number | null;
}

for (const engine of ANSWERING)
  describe(`accounts of others on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    let north: Browser;
    let northUser: { id: number; email: string };
    let southUser: { id: number; email: string };
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
      const { url } = fixture.service;
      const northAdmin = await makePerson(admin, { role: "dealer_admin", dealer_id: NORTH });
      north = await inviteAndSignIn(url, admin, northAdmin.id);
      northUser = await makePerson(admin, { dealer_id: NORTH });
      southUser = await makePerson(admin, { dealer_id: SOUTH });
    });

    const own = (id: number) => inviteAndSignIn(fixture.service.url, admin, id);
    const statusOf = async (one: Browser) => (await one.send("GET", "/portal/api/session")).status;
    const key = (fields: object) => create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields));
    const keysOf = async (userId: number) =>
      (await fixture.api<Listed[]>("GET", `/api/keys?user_id=${userId}`)).body.map(({ id, active }) => ({
        id,
        active,
      }));
    const leave = (one: Browser, id: number, body: object) =>
      one.send("POST", `/portal/api/users/${id}/leave`, { body });

    const PATHS = [
      ["POST", "invitation"],
      ["GET", "account"],
      ["GET", "sessions"],
      ["DELETE", "sessions"],
      ["DELETE", "sessions/1"],
      ["DELETE", "second-factor"],
      ["GET", "leave"],
    ] as const;

    sourcesTest("are not part of the API, whatever the key", async () => {
      for (const [method, path] of PATHS) {
        const url = `${fixture.service.url}/api/users/${northUser.id}/${path}`;
        expect((await fetch(url, { method, headers: { "x-api-key": fixture.service.superAdminKey } })).status).toBe(
          404,
        );
      }
    });

    for (const [method, path] of PATHS)
      test(`${method} ${path}: a dealer's admin reaches only its dealer's users`, async () => {
        const statuses = async (id: number) => (await north.send(method, `/portal/api/users/${id}/${path}`)).status;
        expect(await statuses(southUser.id)).toBe(404);
        expect(await statuses(9_999_999)).toBe(404);
        expect(await statuses(northUser.id)).toBe(path === "sessions/1" ? 404 : method === "POST" ? 201 : 200);
      });

    sourcesTest("cannot be changed by anybody with fewer permissions than their user", async () => {
      const strong = await makePerson(admin, { dealer_id: NORTH, permissions: EVERY_PAIR });
      const session = await own(strong.id);
      for (const [method, path] of PATHS.filter(([method]) => method !== "GET")) {
        const reply = await north.send(method, `/portal/api/users/${strong.id}/${path}`);
        expect([path, reply.status, reply.body.code]).toEqual([path, 403, "exceeds_your_rights"]);
      }
      expect(await statusOf(session)).toBe(200);
    });

    test("end by session or all at once, and their user is signed out at the next request", async () => {
      const { id, email } = await makePerson(admin, { dealer_id: NORTH });
      const [one, other] = [await own(id), browserOn(fixture.service.url)];
      await signIn(other, email);
      const listed = await north.send<{ id: number; current: boolean }[]>("GET", `/portal/api/users/${id}/sessions`);
      expect(listed.body.map(({ current }) => current)).toEqual([false, false]);
      const [latest] = listed.body;
      expect((await north.send("DELETE", `/portal/api/users/${id}/sessions/${latest?.id}`)).status).toBe(200);
      expect((await north.send("DELETE", `/portal/api/users/${id}/sessions/${latest?.id}`)).status).toBe(404);
      expect([await statusOf(one), await statusOf(other)].sort()).toEqual([200, 401]);
      expect((await north.send("DELETE", `/portal/api/users/${id}/sessions`)).status).toBe(200);
      expect([await statusOf(one), await statusOf(other)]).toEqual([401, 401]);
      // What ended none is not recorded.
      expect((await north.send("DELETE", `/portal/api/users/${id}/sessions`)).status).toBe(200);
      const log = await admin.send<{ action: string }[]>("GET", `/portal/api/audit?resource=users&id=${id}`);
      expect(log.body.filter(({ action }) => action === "user.sessions-ended")).toHaveLength(2);
    });

    test("a leaving user is deactivated and signed out, and every key revoked, all together", async () => {
      const { id } = await makePerson(admin, { dealer_id: NORTH });
      const session = await own(id);
      const made = [await key({ user_id: id }), await key({ user_id: id })];
      const reply = await leave(admin, id, { keys: "revoke" });
      expect([reply.status, reply.body.success]).toEqual([200, true]);
      expect(await keysOf(id)).toEqual(made.map((one) => ({ id: one.id, active: false })).reverse());
      for (const { api_key } of made)
        expect((await fixture.api("GET", "/api/vehicles", { key: api_key })).status).toBe(401);
      expect(await statusOf(session)).toBe(401);
      const log = await admin.send<{ action: string; resource_id: number }[]>("GET", "/portal/api/audit?limit=3");
      const recorded = log.body.map((entry) => `${entry.action} ${entry.resource_id}`);
      expect(recorded.sort()).toEqual([...made.map((one) => `key.revoked ${one.id}`), `user.deactivated ${id}`].sort());
    });

    sourcesTest("a leaving user's keys move to another user, and then have that user's rights", async () => {
      const { id } = await makePerson(admin, { dealer_id: SOUTH });
      const made = await key({ user_id: id });
      expect((await leave(admin, id, { keys: "transfer", to_user_id: northUser.id })).status).toBe(200);
      expect(await keysOf(id)).toEqual([]);
      expect((await keysOf(northUser.id)).map((one) => one.id)).toContain(made.id);
      const seen = await fixture.api<{ meta: { dealer_id: number } }>("GET", "/api/vehicles", { key: made.api_key });
      expect(seen.body.meta.dealer_id).toBe(NORTH);
    });

    sourcesTest(
      "who left comes back within a day with the keys that nobody has changed since, and only once",
      async () => {
        const { id } = await makePerson(admin, { dealer_id: NORTH });
        const made = [
          await key({ user_id: id }),
          await key({ user_id: id }),
          await key({ user_id: id, active: false }),
        ];
        const works = async () =>
          Promise.all(
            made.map(async ({ api_key }) => (await fixture.api("GET", "/api/vehicles", { key: api_key })).status),
          );
        const undo = (one: Browser) => one.send<Record<string, unknown>>("POST", `/portal/api/users/${id}/return`);
        const left = async (one: Browser) => (await one.send("GET", `/portal/api/users/${id}/leave`)).body;
        expect(await left(north)).toEqual({ left: null });

        await leave(admin, id, { keys: "transfer", to_user_id: southUser.id });
        expect(await left(admin)).toMatchObject({
          left: { keys: 3, transferred: true, new_owner_id: southUser.id, new_owner_name: expect.any(String) },
        });
        // A dealer's admin is not told of another dealer's user.
        expect(await left(north)).toMatchObject({ left: { keys: 3, new_owner_id: null, new_owner_name: null } });
        expect((await undo(north)).status).toBe(403);
        expect((await fixture.api("PUT", `/api/keys/${made[1]?.id}`, { body: { user_id: northUser.id } })).status).toBe(
          200,
        );
        const reply = await undo(admin);
        expect([reply.status, reply.body]).toEqual([200, { keys: 2, omitted: 1 }]);
        expect(await works()).toEqual([200, 200, 401]);
        expect((await keysOf(id)).map((one) => one.id)).toEqual([made[2]?.id ?? 0, made[0]?.id ?? 0]);
        expect((await undo(admin)).status).toBe(400);

        await leave(admin, id, { keys: "revoke" });
        expect(await works()).toEqual([401, 200, 401]);
        expect((await undo(admin)).body).toEqual({ keys: 1, omitted: 0 });
        expect(await works()).toEqual([200, 200, 401]);
      },
    );

    sourcesTest("who comes back gets no key that had been revoked before they left", async () => {
      const chief = await makePerson(admin, { role: "dealer_admin", dealer_id: NORTH, permissions: EVERY_PAIR });
      const { id } = await makePerson(admin, { dealer_id: NORTH });
      const lost = await key({ user_id: id, rate_limit: 100 });
      const kept = await key({ user_id: id });
      // Another rank ends it than the one that lets the user leave, and so the key is ended again.
      expect((await (await own(chief.id)).send("POST", `/portal/api/keys/${lost.id}/revoke`)).status).toBe(200);
      await leave(admin, id, { keys: "revoke" });
      expect((await admin.send("GET", `/portal/api/users/${id}/leave`)).body).toMatchObject({ left: { keys: 1 } });
      expect((await admin.send("POST", `/portal/api/users/${id}/return`)).body).toEqual({ keys: 1, omitted: 0 });
      const status = async ({ api_key }: { api_key: string }) =>
        (await fixture.api("GET", "/api/vehicles", { key: api_key })).status;
      expect([await status(lost), await status(kept)]).toEqual([401, 200]);
    });

    sourcesTest("who comes back gets no key whose secret the new owner has got meanwhile", async () => {
      const { id } = await makePerson(admin, { dealer_id: NORTH });
      const rotated = await key({ user_id: id });
      await leave(admin, id, { keys: "transfer", to_user_id: northUser.id });
      expect((await fixture.api("POST", `/api/keys/${rotated.id}/rotate`)).status).toBe(200);
      const reply = await admin.send("POST", `/portal/api/users/${id}/return`);
      expect([reply.status, reply.body]).toEqual([200, { keys: 0, omitted: 1 }]);
      expect(await keysOf(id)).toEqual([]);
    });

    sourcesTest("if leaving is refused, none of it happens", async () => {
      const remover = await makePerson(admin, {
        ...{ role: "dealer_admin", dealer_id: NORTH },
        permissions: pairs("users:read", "users:delete", "keys:write", "vehicles:read", "dealers:read", "keys:read"),
      });
      const one = await own(remover.id);
      const { id } = await makePerson(admin, { dealer_id: NORTH });
      const made = await key({ user_id: id, rate_limit: 100 });
      const strong = await makePerson(admin, { dealer_id: NORTH, permissions: EVERY_PAIR });
      const gone = await makePerson(admin, { dealer_id: NORTH, active: false });
      const cases = [
        [{ keys: "transfer", to_user_id: southUser.id }, 400],
        [{ keys: "transfer", to_user_id: gone.id }, 400],
        [{ keys: "transfer", to_user_id: id }, 400],
        [{ keys: "transfer", to_user_id: strong.id }, 403],
        [{ keys: "transfer" }, 400],
        [{ keys: "revoke", to_user_id: northUser.id }, 400],
        [{ keys: "keep" }, 400],
        [{}, 400],
      ] as const;
      for (const [body, status] of cases) expect([body, (await leave(one, id, body)).status]).toEqual([body, status]);
      const fast = await key({ user_id: id, rate_limit: 100_000 });
      expect((await leave(one, id, { keys: "revoke" })).status).toBe(403);
      expect(await keysOf(id)).toEqual([
        { id: fast.id, active: true },
        { id: made.id, active: true },
      ]);
      expect((await fixture.api<{ active: boolean }>("GET", `/api/users/${id}`)).body.active).toBe(true);
      await fixture.api("DELETE", `/api/keys/${fast.id}`);
      expect((await leave(one, id, { keys: "transfer", to_user_id: northUser.id })).status).toBe(200);
    });

    sourcesTest("leaving that changes keys is refused to callers who may not change keys", async () => {
      const permissions = pairs("users:read", "users:delete", "vehicles:read", "dealers:read", "keys:read");
      const one = await own((await makePerson(admin, { role: "dealer_admin", dealer_id: NORTH, permissions })).id);
      const { id } = await makePerson(admin, { dealer_id: NORTH });
      await key({ user_id: id, rate_limit: 100 });
      expect((await leave(one, id, { keys: "revoke" })).body.code).toBe("permission_missing");
      const keyless = await makePerson(admin, { dealer_id: NORTH });
      expect((await leave(one, keyless.id, { keys: "revoke" })).status).toBe(200);
      expect((await signIn(browserOn(fixture.service.url), keyless.email, PASSWORD)).status).toBe(401);
    });
  });
