import { beforeAll, describe, expect, test } from "bun:test";
import { OPERATIONS, sentBy } from "../http/operations.ts";
import { freshTargets, snapshotOf, type Targets } from "../http/targets.ts";
import { type Browser, browserOn, firstAdmin, inviteAndSignIn, makePerson } from "../support/browser.ts";
import { ANSWERING } from "../support/engines.ts";
import {
  create,
  keyBody,
  NORTH,
  SOUTH,
  SOUTH_CAR,
  SOUTH_MARK,
  userBody,
  vehicleBody,
} from "../support/sample-records.ts";
import { EVERY_PAIR, pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

interface Entry {
  readonly id: number;
  readonly action: string;
  readonly actor: { readonly name: string };
  readonly after: { readonly operation: string; readonly code: string };
}

interface Person {
  readonly id: number;
  readonly name: string;
  readonly session: Browser;
}

/** Further denials of one caller in a minute are not recorded. */
const RECORDED_A_MINUTE = 60;

for (const engine of ANSWERING)
  describe(`what others may not do in the portal on ${engine.name}:`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    let people = 0;
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
    });

    const person = async (fields: Readonly<Record<string, unknown>>): Promise<Person> => {
      const name = `Forger ${++people}`;
      const { id } = await makePerson(admin, { name, ...fields });
      return { id, name, session: await inviteAndSignIn(fixture.service.url, admin, id) };
    };
    const dealerAdmin = (fields: object = {}) => person({ role: "dealer_admin", dealer_id: NORTH, ...fields });

    /** The audit entries of somebody's actions in the portal, oldest first, without the use of an invitation. */
    const entriesOf = async ({ id }: Person): Promise<Entry[]> => {
      const { body } = await admin.send<Entry[]>("GET", `/portal/api/audit?actor=user:${id}&limit=1000`);
      return body.filter(({ action }) => action !== "user.invitation-used").reverse();
    };

    /** Expects exactly these denials of somebody, and no other entries. */
    const onlyDenied = async (who: Person, codes: readonly string[]): Promise<void> => {
      const entries = await entriesOf(who);
      expect(entries.map(({ action, after }) => `${action} ${after.code}`)).toEqual(
        codes.map((code) => `access.denied ${code}`),
      );
      expect(new Set(entries.map(({ actor }) => actor.name))).toEqual(new Set(codes.length === 0 ? [] : [who.name]));
    };

    const WORDS = { own: 403, visibility: 404, never: 403 } as const;

    test("a dealer's admin with every permission reaches no other dealer's records; each denial is recorded once", async () => {
      const who = await dealerAdmin({ permissions: EVERY_PAIR });
      const at = await freshTargets(fixture.api, { dealer: SOUTH, mark: SOUTH_MARK });
      const before = await snapshotOf(fixture.api, at);
      const codes: string[] = [];
      for (const operation of OPERATIONS) {
        const { name, method, path, bound } = operation;
        if (bound === "list" || bound === "each" || bound === "overridden") continue;
        const target = { ...at, dealer: name === "deactivate a dealer" ? NORTH : at.dealer };
        const reply = await who.session.send(method, `/portal${path(target)}`, sentBy(operation, target));
        expect([name, reply.status]).toEqual([name, WORDS[bound]]);
        expect([name, reply.text]).not.toEqual([name, expect.stringContaining(SOUTH_MARK)]);
        if (reply.status === 403) codes.push(String(reply.body.code));
      }
      expect(codes.length).toBeGreaterThan(10);
      await onlyDenied(who, codes);
      expect(await snapshotOf(fixture.api, at)).toEqual(before);
      expect((await fixture.api<{ active: number }>("GET", `/api/dealers/${NORTH}`)).body.active).toBe(1);
    });

    test("no list shows another dealer's records, whatever dealer is requested", async () => {
      const who = await dealerAdmin({ permissions: EVERY_PAIR });
      // Those who keep a copy of the inventory have a key.
      const lists = OPERATIONS.filter(({ name, bound }) => bound === "list" && name !== "read changes");
      for (const { name, path, bound } of lists)
        for (const query of ["", `?dealer_id=${SOUTH}`, "?limit=20"]) {
          const reply = await who.session.send("GET", `/portal${path({} as Targets)}${query}`);
          expect([name, bound, reply.status]).toEqual([name, "list", 200]);
          expect(reply.text).not.toContain(SOUTH_MARK);
        }
      const ids = Array.from({ length: 30 }, (_, index) => index + 1).join();
      const pulses = await who.session.send<{ key_id: number }[]>("GET", `/portal/api/key-usage?ids=${ids}`);
      expect(pulses.body.map(({ key_id }) => key_id)).not.toContain(fixture.records.keys.south.id);
      const figures = await who.session.send<{ dealers: number }>("GET", "/portal/api/overview");
      expect(figures.body.dealers).toBe(1);
      await onlyDenied(who, []);
    });

    test("records that a dealer's admin creates belong to the dealer, whatever the body says", async () => {
      const { session } = await dealerAdmin();
      const FORGED = [
        ["/vehicles", vehicleBody(SOUTH)],
        ["/keys", keyBody({ dealer_id: SOUTH, rate_limit: 5 })],
        ["/users", userBody({ dealer_id: SOUTH })],
        ["/users", userBody({ dealer_id: SOUTH, role: "dealer_admin" })],
      ] as const;
      for (const [path, body] of FORGED)
        expect(await session.send("POST", `/portal/api${path}`, { body })).toMatchObject({
          status: 201,
          body: { dealer_id: NORTH },
        });
    });

    test("nobody raises their own or others' rights; each attempt is recorded once, under their name", async () => {
      const who = await dealerAdmin();
      const { api, records } = fixture;
      const key = (await create(api, "/api/keys", keyBody({ dealer_id: NORTH, rate_limit: 5 }))).id;
      const car = (await create(api, "/api/vehicles", vehicleBody(NORTH))).id;
      const south = (await create(api, "/api/users", userBody({ dealer_id: SOUTH }))).id;
      const strong = (await create(api, "/api/users", userBody({ dealer_id: NORTH, permissions: EVERY_PAIR }))).id;
      const self = `/users/${who.id}`;
      const FORGERIES: readonly (readonly [method: string, path: string, body: unknown, status: number])[] = [
        ["POST", "/users", userBody({ role: "super_admin" }), 403],
        ["POST", "/users", userBody({ permissions: pairs("audit:delete") }), 403],
        ["PUT", self, { role: "super_admin", dealer_id: null }, 403],
        ["PUT", self, { permissions: EVERY_PAIR }, 403],
        ["PUT", self, { dealer_id: SOUTH }, 403],
        ["PUT", `/users/${strong}`, { name: "Weak" }, 403],
        ["POST", `/users/${strong}/invitation`, undefined, 403],
        ["DELETE", `/users/${strong}/second-factor`, undefined, 403],
        ["DELETE", `/users/${strong}/sessions`, undefined, 403],
        ["POST", "/keys", keyBody({ permissions: pairs("audit:delete") }), 403],
        ["POST", "/keys", keyBody({ association: "none" }), 403],
        ["POST", "/keys", keyBody({ user_id: south }), 403],
        ["POST", "/keys", keyBody({ user_id: strong }), 403],
        ["PUT", `/keys/${key}`, { permissions: EVERY_PAIR }, 403],
        ["PUT", `/keys/${key}`, { user_id: south, dealer_id: null }, 403],
        ["PUT", `/keys/${key}/permissions/audit/delete`, undefined, 403],
        ["PUT", `/vehicles/${car}`, { dealer_id: SOUTH }, 403],
        ["PUT", `/vehicles/${SOUTH_CAR}`, { dealer_id: NORTH }, 403],
        ["PUT", `/dealers/${NORTH}`, { active: false }, 403],
        ["POST", `/users/${strong}/leave`, { keys: "revoke" }, 403],
        ["POST", `/users/${records.users["super-admin's user"]}/invitation`, undefined, 404],
        ["POST", `/users/${south}/invitation`, undefined, 404],
        ["GET", `/users/${south}/account`, undefined, 404],
        ["GET", `/users/${south}/sessions`, undefined, 404],
        ["PUT", "/audit", [], 405],
        ["DELETE", "/audit", undefined, 405],
      ];
      const before = (await admin.send("GET", "/portal/api/users?limit=1000")).body;
      const codes: string[] = [];
      for (const [method, path, body, status] of FORGERIES) {
        const reply = await who.session.send(method, `/portal/api${path}`, { body });
        expect([method, path, body, reply.status]).toEqual([method, path, body, status]);
        if (status === 403) codes.push(String(reply.body.code));
      }
      await onlyDenied(who, codes);
      expect((await admin.send("GET", "/portal/api/users?limit=1000")).body).toEqual(before);
      expect((await admin.send("GET", `/portal/api/keys/${key}`)).body).toMatchObject({ dealer_id: NORTH });
      expect((await admin.send("GET", `/portal/api/vehicles/${car}`)).body).toMatchObject({ dealer_id: NORTH });
    });

    test("a regular user changes only their own account, and sees only their own keys", async () => {
      const who = await person({ dealer_id: NORTH });
      const own = (await create(fixture.api, "/api/keys", keyBody({ user_id: who.id, name: "Own" }))).id;
      const at = await freshTargets(fixture.api, { dealer: NORTH, mark: "northern" });
      const before = await snapshotOf(fixture.api, at);
      const codes: string[] = [];
      for (const operation of OPERATIONS) {
        const { name, method, path, needs } = operation;
        if (method === "GET" && ["vehicles:read", "dealers:read", "keys:read"].includes(needs)) continue;
        const reply = await who.session.send(method, `/portal${path(at)}`, sentBy(operation, at));
        expect([name, reply.status]).toEqual([name, 403]);
        codes.push(String(reply.body.code));
      }
      await onlyDenied(who, codes.slice(0, RECORDED_A_MINUTE));
      expect(await snapshotOf(fixture.api, at)).toEqual(before);
      const keys = await who.session.send<{ id: number }[]>("GET", "/portal/api/keys");
      expect(keys.body.map(({ id }) => id)).toEqual([own]);
      expect((await who.session.send("GET", `/portal/api/keys/${at.key}`)).status).toBe(404);
    });

    test("a session has its user's current rights, not those at its start", async () => {
      const who = await dealerAdmin();
      expect((await who.session.send("GET", "/portal/api/users")).status).toBe(200);
      await admin.send("PUT", `/portal/api/users/${who.id}`, {
        body: { permissions: pairs("vehicles:read"), dealer_id: SOUTH },
      });
      const cars = await who.session.send("GET", "/portal/api/vehicles");
      expect(cars.body).toMatchObject({ meta: { dealer_id: SOUTH } });
      expect((await who.session.send("GET", "/portal/api/users")).status).toBe(403);
      await admin.send("PUT", `/portal/api/users/${who.id}`, { body: { active: false } });
      expect((await who.session.send("GET", "/portal/api/vehicles")).status).toBe(401);
    });

    test("other refusals are not recorded as denials: unknown sessions, invalid input, missing records", async () => {
      const who = await dealerAdmin();
      const REFUSED = [
        ["GET", "/vehicles/999999", undefined, 404],
        ["POST", "/vehicles", { year: 1700 }, 400],
        ["GET", "/vehicles?limit=0", undefined, 400],
        ["GET", "/nothing", undefined, 404],
      ] as const;
      for (const [method, path, body, status] of REFUSED)
        expect((await who.session.send(method, `/portal/api${path}`, { body })).status).toBe(status);
      const latest = async () => (await admin.send<Entry[]>("GET", "/portal/api/audit?limit=1")).body[0]?.id;
      const before = await latest();
      expect((await browserOn(fixture.service.url).send("DELETE", "/portal/api/vehicles/1")).status).toBe(401);
      await onlyDenied(who, []);
      expect(await latest()).toBe(before);
    });
  });
