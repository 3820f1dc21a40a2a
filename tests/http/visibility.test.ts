import { describe, expect, test } from "bun:test";
import type { AuditEntry } from "../../core/audit/audit-entry.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { CALLERS, type Caller, NOTHING } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { type ServiceFixture, serviceFixture } from "../support/service-fixture.ts";

const NORTH_CALLERS: Caller[] = ["north", "north's admin", "north's user", "north's powerless"];
const KEYS_OF_WORLD: Caller[] = [...CALLERS];

/** The keys that each caller sees (interface 5.6). */
const SEES: Partial<Record<Caller, Caller[]>> = {
  "super-admin": KEYS_OF_WORLD,
  "super-admin's user": KEYS_OF_WORLD,
  north: NORTH_CALLERS,
  "north's admin": NORTH_CALLERS,
  "north's user": ["north's user"],
  "free user": ["free user"],
  south: ["south"],
};

const USERS = ["super-admin's user", "free user", "north's admin", "north's user"] as const;
type UserName = (typeof USERS)[number];
const SEES_USERS: Partial<Record<Caller, UserName[]>> = {
  "super-admin": [...USERS],
  north: ["north's admin", "north's user"],
  "north's admin": ["north's admin", "north's user"],
  south: [],
};

const ACTIONS: [method: string, path: string, body?: object][] = [
  ["GET", ""],
  ["PUT", "", { name: "x" }],
  ["POST", "/revoke"],
  ["POST", "/rotate"],
  ["PUT", "/permissions/vehicles/read"],
  ["DELETE", "/permissions/vehicles/read"],
  ["DELETE", ""],
];

/** The text of an answer without the id it is about. */
const without = (id: number, text: string): string => text.replaceAll(String(id), "N").replace(/"timestamp":.*$/, "");

const callersOf = (fixture: ServiceFixture): [Caller, number][] =>
  CALLERS.map((caller) => [caller, fixture.records.keys[caller].id] as const).map(([caller, id]) => [caller, id]);

for (const engine of ANSWERING)
  describe(`visibility on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    for (const [caller, seen] of Object.entries(SEES) as [Caller, Caller[]][]) {
      test(`lets ${caller} list the keys of ${seen.join(", ")}`, async () => {
        const { body } = await fixture.as<{ id: number }[]>(caller, { method: "GET", path: "/api/keys?limit=1000" });
        const names = callersOf(fixture).filter(([, id]) => body.some((key) => key.id === id));
        expect(names.map(([name]) => name).sort()).toEqual([...seen].sort());
        if (seen.length < CALLERS.length) expect(body).toHaveLength(seen.length);
      });

      test(`lets ${caller} read those keys, and no others exist for it`, async () => {
        for (const [name, id] of callersOf(fixture)) {
          const reply = await fixture.as(caller, { method: "GET", path: `/api/keys/${id}` });
          expect([name, reply.status]).toEqual([name, seen.includes(name) ? 200 : 404]);
        }
      });
    }

    test("makes an invisible key look like a missing one, for every operation", async () => {
      const { id } = fixture.records.keys.south;
      const before = (await fixture.api("GET", `/api/keys/${id}`)).body;
      for (const [method, path, body] of ACTIONS) {
        const there = await fixture.as("north", { method, path: `/api/keys/${id}${path}`, body });
        const nowhere = await fixture.as("north", { method, path: `/api/keys/${NOTHING}${path}`, body });
        expectReply(there, { status: 404, code: "not_found", hides: ["South"] });
        expect(without(id, there.text)).toBe(without(NOTHING, nowhere.text));
      }
      expect((await fixture.api("GET", `/api/keys/${id}`)).body).toEqual(before);
    });

    test("is not widened by a filter", async () => {
      const free = fixture.records.users["free user"];
      for (const [caller, query] of [
        ["north", `dealer_id=2`],
        ["north", `user_id=${free}`],
        ["north's user", `user_id=${free}`],
        ["north", "q=South"],
      ] as const)
        expect((await fixture.as(caller, { method: "GET", path: `/api/keys?${query}` })).body).toEqual([]);
    });

    for (const [caller, seen] of Object.entries(SEES_USERS) as [Caller, UserName[]][])
      test(`lets ${caller} see the users ${seen.join(", ") || "of nobody"}, and no others exist for it`, async () => {
        const { body } = await fixture.as<{ id: number }[]>(caller, { method: "GET", path: "/api/users?limit=1000" });
        expect(body.map(({ id }) => id).sort()).toEqual(seen.map((name) => fixture.records.users[name]).sort());
        for (const name of USERS) {
          const reply = await fixture.as(caller, { method: "GET", path: `/api/users/${fixture.records.users[name]}` });
          expect([name, reply.status]).toEqual([name, seen.includes(name) ? 200 : 404]);
        }
      });

    test("makes an invisible user look like a missing one, which stays unchanged", async () => {
      const id = fixture.records.users["free user"];
      const before = (await fixture.api("GET", `/api/users/${id}`)).body;
      for (const [method, body] of [["GET"], ["PUT", { name: "x" }], ["DELETE"]] as const) {
        const there = await fixture.as("north", { method, path: `/api/users/${id}`, body });
        const nowhere = await fixture.as("north", { method, path: `/api/users/${NOTHING}`, body });
        expect([there.status, without(id, there.text)]).toEqual([404, without(NOTHING, nowhere.text)]);
      }
      expect((await fixture.api("GET", `/api/users/${id}`)).body).toEqual(before);
    });

    test("shows an unbound user who is no super-admin only that user", async () => {
      const id = fixture.records.users["free user"];
      await fixture.api("PUT", `/api/users/${id}`, { body: { permissions: pairs("users:read") } });
      const { body } = await fixture.as<{ id: number }[]>("free user", { method: "GET", path: "/api/users" });
      expect(body.map((user) => user.id)).toEqual([id]);
    });

    describe("of the audit log", () => {
      const entries = async (caller: Caller, query = "") =>
        (await fixture.as<AuditEntry[]>(caller, { method: "GET", path: `/api/audit?limit=1000${query}` })).body;
      const whoAside = ({ actor: _, address: __, request_id: ___, ...rest }: AuditEntry) => rest;

      test("covers every entry for super-admins, and for bound callers only their dealer's", async () => {
        const all = await entries("super-admin");
        expect(new Set(all.map(({ dealer_id }) => dealer_id))).toEqual(new Set([null, 1, 2]));
        for (const caller of ["north", "north's admin"] as const) {
          const seen = await entries(caller);
          expect(seen.length).toBeGreaterThan(0);
          expect(new Set(seen.map(({ dealer_id }) => dealer_id))).toEqual(new Set([1]));
          expect(seen.map(whoAside)).toEqual(all.filter(({ dealer_id }) => dealer_id === 1).map(whoAside));
        }
        expect(await entries("north", `&resource=keys&id=${fixture.records.keys.south.id}&action=key.created`)).toEqual(
          [],
        );
      });

      test("includes an entry's action, record, key, address, and the fields before and after", async () => {
        const { id } = fixture.records.keys.north;
        await fixture.as("super-admin", { method: "PUT", path: `/api/keys/${id}`, body: { description: "Seen" } });
        const [entry] = await entries("super-admin", `&resource=keys&id=${id}&action=key.changed`);
        expect(entry).toMatchObject({
          action: "key.changed",
          resource: "keys",
          resource_id: id,
          actor: { type: "key", id: fixture.records.keys["super-admin"].id },
          via: "api",
          dealer_id: 1,
          before: { description: null },
          after: { description: "Seen" },
          address: expect.stringMatching(/^\d+(\.\d+){3}$/),
        } as object);
      });

      test("hides the actor of a super-admin's change from a dealer, and shows the actors of its own", async () => {
        const { id } = fixture.records.keys.north;
        await fixture.as("super-admin", {
          method: "PUT",
          path: `/api/keys/${id}`,
          body: { description: "From above" },
        });
        await fixture.as("north", { method: "PUT", path: "/api/vehicles/1", body: { trim: "Own" } });
        const operator = { actor: { type: "operator", id: null, name: "Operator" }, address: null, request_id: null };
        const above = await entries("north's admin", `&resource=keys&id=${id}&action=key.changed`);
        expect(above[0]).toMatchObject({ ...operator, after: { description: "From above" } });
        const [own] = await entries("north's admin", "&resource=vehicles&action=vehicle.changed");
        expect(own).toMatchObject({ actor: { type: "key", id }, address: expect.any(String) } as object);
        expect(await entries("north's admin", `&actor=key:${fixture.records.keys["super-admin"].id}`)).toEqual([]);
      });

      test("keeps a deleted key with all its fields", async () => {
        const { id, api_key } = fixture.records.keys["north's powerless"];
        await fixture.api("DELETE", `/api/keys/${id}`);
        const removed = await fixture.api<{ before: object }[]>(
          "GET",
          `/api/audit?action=key.removed&resource=keys&id=${id}`,
        );
        expect(removed.body[0]?.before).toMatchObject({ id, association: "dealer", dealer_id: 1 });
        expect(removed.text).not.toContain(api_key.slice(-28));
      });
    });
  });
