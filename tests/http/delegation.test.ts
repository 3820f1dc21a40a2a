import { beforeAll, describe, expect, test } from "bun:test";
import type { PresentedKey } from "../../core/keys/key.ts";
import { expectReply } from "../support/cases.ts";
import type { Reply } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { type CreatedKey, create, keyBody, NORTH, NOTHING, SOUTH, userBody } from "../support/sample-records.ts";
import { EVERY_PAIR, pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const HELD = pairs(
  "vehicles:read",
  "keys:read",
  "keys:write",
  "keys:delete",
  "users:read",
  "users:write",
  "users:delete",
);
const LIMIT = 5000;
const LESS = { permissions: pairs("vehicles:read"), rate_limit: 10 };
const MORE = "exceeds_your_rights";

for (const engine of ANSWERING)
  describe(`the rule that nobody hands out more than they hold, on ${engine.name},`, () => {
    const fixture = serviceFixture(engine);
    /** Bound to NORTH, holding HELD at LIMIT requests a minute. */
    let caller: CreatedKey;
    /** A super-admin key that holds HELD only. */
    let weakAdmin: CreatedKey;

    const newKey = (fields: object = {}) =>
      create<CreatedKey & PresentedKey>(fixture.api, "/api/keys", keyBody(fields));
    const newUser = async (fields: object = {}) => (await create(fixture.api, "/api/users", userBody(fields))).id;
    const by = (key: CreatedKey, method: string, path: string, body?: object): Promise<Reply> =>
      fixture.api(method, path, { key: key.api_key, body });
    const key = async (id: number) => (await fixture.api<PresentedKey>("GET", `/api/keys/${id}`)).body;

    beforeAll(async () => {
      caller = await newKey({ dealer_id: NORTH, permissions: HELD, rate_limit: LIMIT });
      weakAdmin = await newKey({ permissions: HELD, rate_limit: LIMIT });
    });

    test("binds a bound caller's new key to its dealer, whatever the request names", async () => {
      for (const fields of [
        {},
        { dealer_id: NORTH },
        { dealer_id: SOUTH },
        { dealer_id: NOTHING },
        { dealer_id: null },
      ])
        expectReply(await by(caller, "POST", "/api/keys", keyBody({ ...LESS, ...fields })), {
          status: 201,
          has: { association: "dealer", dealer_id: NORTH, bound_dealer_id: NORTH },
        });
    });

    const TOO_MUCH: [name: string, fields: object][] = [
      ["a permission it lacks", { permissions: pairs("vehicles:read", "vehicles:write") }],
      ["access to the audit log", { permissions: pairs("audit:read") }],
      ["the default permissions of an app type it lacks", { permissions: undefined, app_type: "desktop" }],
      ["a higher limit", { rate_limit: LIMIT + 1 }],
      ["no association", { association: "none" }],
    ];
    for (const [name, fields] of TOO_MUCH)
      test(`refuses a bound caller a key with ${name}`, async () => {
        const before = (await fixture.api("GET", "/api/keys")).headers.get("x-total-count");
        expectReply(await by(caller, "POST", "/api/keys", keyBody({ ...LESS, ...fields })), {
          status: 403,
          code: MORE,
        });
        expect((await fixture.api("GET", "/api/keys")).headers.get("x-total-count")).toBe(before);
      });

    test("lets a caller hand out everything it holds", async () => {
      expectReply(await by(caller, "POST", "/api/keys", keyBody({ permissions: HELD, rate_limit: LIMIT })), {
        status: 201,
      });
    });

    test("refuses a key with a low limit one with its app type's default limit", async () => {
      const slow = await newKey({ dealer_id: NORTH, permissions: HELD, rate_limit: 60 });
      const body = keyBody({ ...LESS, rate_limit: null });
      expectReply(await by(slow, "POST", "/api/keys", body), { status: 403, code: MORE });
      expectReply(await by(slow, "POST", "/api/keys", { ...body, rate_limit: 60 }), { status: 201 });
    });

    const EDITS: [name: string, method: string, path: string, body?: object][] = [
      ["changed", "PUT", "", { name: "x" }],
      ["reduced", "PUT", "", { permissions: [], rate_limit: 1 }],
      ["rotated", "POST", "/rotate"],
      ["revoked", "POST", "/revoke"],
      ["given a permission", "PUT", "/permissions/vehicles/read"],
      ["deprived of a permission", "DELETE", "/permissions/vehicles/read"],
      ["deleted", "DELETE", ""],
    ];
    for (const [name, fields] of [
      ["has more rights", { dealer_id: NORTH, permissions: EVERY_PAIR, rate_limit: 1 }],
      ["has a higher limit", { dealer_id: NORTH, permissions: pairs("vehicles:read"), rate_limit: LIMIT + 1 }],
    ] as const)
      for (const [done, method, path, body] of EDITS)
        test(`keeps a key that ${name} than the caller from being ${done}`, async () => {
          const { id, api_key } = await newKey(fields);
          const before = await key(id);
          expectReply(await by(caller, method, `/api/keys/${id}${path}`, body), { status: 403, code: MORE });
          expect(await key(id)).toEqual(before);
          expectReply(await fixture.api("GET", "/api/vehicles", { key: api_key }), { status: 200 });
        });

    test("keeps a key from getting more than the caller holds", async () => {
      const { id } = await newKey({ dealer_id: NORTH, ...LESS });
      const at = `/api/keys/${id}`;
      const before = await key(id);
      for (const [method, path, body] of [
        ["PUT", at, { name: "x", permissions: pairs("vehicles:delete") }],
        ["PUT", at, { name: "x", rate_limit: LIMIT + 1 }],
        ["PUT", `${at}/permissions/vehicles/write`],
        ["PUT", at, { dealer_id: SOUTH }],
        ["PUT", at, { dealer_id: null }],
        ["PUT", at, { association: "none", dealer_id: null }],
      ] as const)
        expectReply(await by(caller, method, path, body), { status: 403, code: MORE });
      expect(await key(id)).toEqual(before);
      expectReply(await by(caller, "PUT", `${at}/permissions/keys/read`), { status: 200 });
    });

    test("keeps callers from promoting their own key", async () => {
      const me = await newKey({ dealer_id: NORTH, permissions: HELD, rate_limit: LIMIT });
      const boss = await newUser({ role: "super_admin" });
      const before = await key(me.id);
      for (const body of [
        { permissions: EVERY_PAIR },
        { rate_limit: LIMIT + 1 },
        { dealer_id: SOUTH },
        { dealer_id: null },
        { user_id: boss },
      ])
        expectReply(await by(me, "PUT", `/api/keys/${me.id}`, body), { status: 403, code: MORE });
      expect(await key(me.id)).toEqual({ ...before, last_used_at: (await key(me.id)).last_used_at });
    });

    test("refuses a key for a user who is out of the caller's reach or has more rights", async () => {
      const READ = { permissions: pairs("vehicles:read") };
      for (const fields of [
        { dealer_id: SOUTH, ...READ },
        { ...READ },
        { role: "super_admin", ...READ },
        { dealer_id: NORTH, permissions: pairs("vehicles:delete") },
      ]) {
        const user_id = await newUser(fields);
        const reply = await by(caller, "POST", "/api/keys", keyBody({ rate_limit: 10, user_id }));
        expectReply(reply, { status: 403, code: MORE });
      }
      expectReply(await by(caller, "POST", "/api/keys", keyBody({ rate_limit: 10, user_id: NOTHING })), {
        status: 403,
      });
      const user_id = await newUser({ dealer_id: NORTH, ...READ });
      expectReply(await by(caller, "POST", "/api/keys", keyBody({ rate_limit: 10, user_id })), {
        status: 201,
        has: { association: "user", user_id, bound_dealer_id: NORTH },
      });
    });

    test("keeps a super-admin's key from handing out a permission that it lacks, but allows any limit", async () => {
      const more = keyBody({ permissions: pairs("vehicles:write") });
      expectReply(await by(weakAdmin, "POST", "/api/keys", more), { status: 403, code: MORE });
      expectReply(await by(weakAdmin, "PUT", `/api/keys/${weakAdmin.id}/permissions/audit/read`), { status: 403 });
      const strong = fixture.records.keys["super-admin"].id;
      for (const [, method, path, body] of EDITS)
        expectReply(await by(weakAdmin, method, `/api/keys/${strong}${path}`, body), { status: 403, code: MORE });
      const fast = keyBody({ permissions: HELD, rate_limit: LIMIT * 10 });
      expectReply(await by(weakAdmin, "POST", "/api/keys", fast), { status: 201, has: { association: "none" } });
    });

    test("keeps an unbound user who is no super-admin from creating or getting a key without association", async () => {
      const user_id = await newUser({ permissions: HELD });
      const own = await newKey({ user_id });
      for (const fields of [{}, { association: "none" }])
        expectReply(await by(own, "POST", "/api/keys", keyBody({ ...LESS, ...fields })), { status: 403, code: MORE });
      expectReply(await by(own, "PUT", `/api/keys/${own.id}`, { user_id: null }), { status: 403 });
      expect(await key(own.id)).toMatchObject({ association: "user", user_id });
      expectReply(await by(own, "POST", "/api/keys", keyBody({ user_id, rate_limit: 10 })), { status: 201 });
    });

    test("keeps a dealer's user from creating a key that sees its colleagues' keys", async () => {
      const own = await newKey({ user_id: await newUser({ dealer_id: NORTH, permissions: HELD }) });
      const seeing = { permissions: pairs("keys:read"), rate_limit: 10 };
      const harmless = { permissions: pairs("vehicles:read"), rate_limit: 10 };
      expectReply(await by(own, "POST", "/api/keys", keyBody(seeing)), { status: 403, code: MORE });
      expectReply(await by(own, "POST", "/api/keys", keyBody(harmless)), { status: 201, has: { dealer_id: NORTH } });
    });

    test("keeps an unbound user from creating a dealer's key that reads users or audit entries out of its reach", async () => {
      const permissions = pairs("vehicles:read", "keys:write", "users:read", "audit:read");
      const own = await newKey({ user_id: await newUser({ permissions }) });
      const make = (permission: string) =>
        by(own, "POST", "/api/keys", keyBody({ dealer_id: NORTH, rate_limit: 10, permissions: pairs(permission) }));
      for (const permission of ["users:read", "audit:read"])
        expectReply(await make(permission), { status: 403, code: MORE });
      expectReply(await make("vehicles:read"), { status: 201, has: { dealer_id: NORTH } });
    });

    test("keeps a user from assigning a key to a colleague", async () => {
      const fields = { dealer_id: NORTH, permissions: HELD };
      const [me, colleague] = [await newUser(fields), await newUser(fields)];
      const own = await newKey({ user_id: me });
      const reply = await by(own, "POST", "/api/keys", keyBody({ user_id: colleague, rate_limit: 10 }));
      expectReply(reply, { status: 403, code: MORE });
    });
  });
