import { describe, expect, test } from "bun:test";
import type { PresentedUser } from "../../core/users/user.ts";
import { type Case, expectReply, testCases } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { type CreatedKey, create, keyBody, NORTH, NOTHING, SOUTH, userBody } from "../support/sample-records.ts";
import { EVERY_PAIR, pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const ROLE_PERMISSIONS: Record<string, readonly string[] | null> = {
  super_admin: null,
  dealer_admin: [
    "vehicles:read",
    "vehicles:write",
    "vehicles:delete",
    "keys:read",
    "keys:write",
    "keys:delete",
    "dealers:read",
    "dealers:write",
    "users:read",
    "users:write",
    "audit:read",
    "feeds:read",
    "feeds:write",
    "feeds:delete",
    "webhooks:read",
    "webhooks:write",
    "webhooks:delete",
  ],
  user: ["vehicles:read", "dealers:read", "keys:read"],
};

const CASES: Case[] = [
  {
    name: "name all missing fields at once at creation",
    send: "POST /api/users",
    body: {},
    status: 400,
    faults: ["email", "name", "role"],
  },
  {
    name: "need a dealer as a dealer's admin",
    send: "POST /api/users",
    body: userBody({ role: "dealer_admin" }),
    status: 400,
    faults: ["dealer_id"],
  },
  {
    name: "have no dealer as a super-admin",
    send: "POST /api/users",
    body: userBody({ role: "super_admin", dealer_id: NORTH }),
    status: 400,
    faults: ["dealer_id"],
  },
  {
    name: "of a missing dealer are refused, and the error names the field",
    send: "POST /api/users",
    body: userBody({ dealer_id: NOTHING }),
    status: 400,
    faults: ["dealer_id"],
  },
  {
    name: "ignore read-only fields at creation",
    send: "POST /api/users",
    body: userBody({ id: NOTHING, created_at: "1999-01-01T00:00:00.000Z" }),
    status: 201,
    has: { created_at: expect.not.stringContaining("1999") },
    hides: [String(NOTHING)],
  },
  {
    name: "that are missing are a 404 that names them",
    send: `GET /api/users/${NOTHING}`,
    status: 404,
    has: { error: `User ${NOTHING} not found` },
  },
  {
    name: "that are missing cannot be changed",
    send: `PUT /api/users/${NOTHING}`,
    body: { name: "x" },
    status: 404,
  },
  { name: "that are missing cannot be deactivated", send: `DELETE /api/users/${NOTHING}`, status: 404 },
];

for (const engine of ANSWERING)
  describe(`users on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    testCases(fixture, CASES);

    const fresh = (fields: object = {}) => create<PresentedUser>(fixture.api, "/api/users", userBody(fields));
    const read = async (id: number) => (await fixture.api<PresentedUser>("GET", `/api/users/${id}`)).body;
    const change = (id: number, body: object) => fixture.api<PresentedUser>("PUT", `/api/users/${id}`, { body });

    for (const [role, permissions] of Object.entries(ROLE_PERMISSIONS))
      test(`have as a ${role} by default ${permissions?.join(", ") ?? "every permission"}`, async () => {
        const dealer_id = role === "dealer_admin" ? NORTH : null;
        const body = userBody({ role, dealer_id });
        const user = await create<PresentedUser>(fixture.api, "/api/users", body);
        expect(user).toMatchObject({ ...body, active: true } as object);
        const wanted = permissions === null ? EVERY_PAIR : pairs(...permissions);
        expect<unknown[]>([...user.permissions]).toEqual(expect.arrayContaining(wanted));
        expect(user.permissions).toHaveLength(wanted.length);
        expect(await read(user.id)).toEqual(user);
      });

    test("have unique emails, without regard to case, in creation and change", async () => {
      const { id } = await fresh({ email: "Only.One@Example.com" });
      const other = await fresh();
      const taken = { email: "only.one@EXAMPLE.com" };
      expectReply(await fixture.api("POST", "/api/users", { body: userBody(taken) }), {
        status: 409,
        code: "email_taken",
      });
      expectReply(await change(other.id, taken), { status: 409, code: "email_taken", faults: ["email"] });
      expectReply(await change(id, taken), { status: 200, has: taken });
      expect(await read(other.id)).toEqual(other);
    });

    test("change only in the sent fields and updated_at", async () => {
      const { id } = await fresh();
      for (const changes of [
        { name: "Kim Example" },
        { permissions: pairs("dealers:read") },
        { dealer_id: SOUTH },
        { role: "dealer_admin" },
        { role: "user", dealer_id: null },
        { active: false },
      ]) {
        const before = await read(id);
        const { status, body } = await change(id, changes);
        expect(status).toBe(200);
        expect<object>(body).toEqual({ ...before, ...changes, updated_at: body.updated_at });
        expect(body.updated_at > before.updated_at).toBe(true);
        expect(await read(id)).toEqual(body);
      }
    });

    test("keep the rule of roles and dealers in a change", async () => {
      const admin = await fresh({ role: "dealer_admin", dealer_id: NORTH });
      const boss = await fresh({ role: "super_admin" });
      for (const [id, body] of [
        [admin.id, { dealer_id: null }],
        [admin.id, { role: "super_admin" }],
        [boss.id, { dealer_id: NORTH }],
        [boss.id, { role: "dealer_admin" }],
      ] as const)
        expectReply(await change(id, body), { status: 400, faults: ["dealer_id"] });
      expect([await read(admin.id), await read(boss.id)]).toEqual([admin, boss]);
    });

    test("may be sent back unchanged, and only updated_at changes", async () => {
      const before = await fresh({ role: "dealer_admin", dealer_id: NORTH, permissions: pairs("audit:read") });
      const { status, body } = await change(before.id, before);
      expect(status).toBe(200);
      expect(body).toEqual({ ...before, updated_at: body.updated_at });
      expectReply(await change(before.id, { id: 1 }), { status: 400, faults: [""] });
    });

    test("are deactivated by a deletion, which may be repeated: the record stays, and the keys get 401 until reactivation", async () => {
      const user = await fresh();
      const { api_key: key } = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ user_id: user.id }));
      const status = async () => (await fixture.api("GET", "/api/vehicles", { key })).status;
      expect(await status()).toBe(200);
      for (let time = 0; time < 2; time++) {
        const { body } = await fixture.api("DELETE", `/api/users/${user.id}`);
        expect(body).toEqual({ success: true, message: `User ${user.id} deactivated` });
        expect(await status()).toBe(401);
      }
      expect(await read(user.id)).toMatchObject({ active: false, email: user.email });
      await change(user.id, { active: true });
      expect(await status()).toBe(200);
    });

    test("who change dealers take their keys along at once", async () => {
      const user = await fresh({ dealer_id: NORTH });
      const { api_key: key } = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ user_id: user.id }));
      const dealers = async () => {
        const { body } = await fixture.api<{ vehicles: { dealer_id: number }[] }>("GET", "/api/vehicles", { key });
        return [...new Set(body.vehicles.map(({ dealer_id }) => dealer_id))].sort();
      };
      expect(await dealers()).toEqual([NORTH]);
      await change(user.id, { dealer_id: SOUTH });
      expect(await dealers()).toEqual([SOUTH]);
      await change(user.id, { dealer_id: null });
      expect(await dealers()).toEqual([NORTH, SOUTH]);
    });

    const FILTERS: [query: string, names: string[]][] = [
      ["role=dealer_admin", ["Ann"]],
      ["role=user&active=true", ["Ben"]],
      ["active=0", ["Cy"]],
      ["", ["Cy", "Ben", "Ann"]],
    ];
    test("are listed as a plain array, newest first, with filters by dealer, role and activity", async () => {
      const { id: dealer_id } = await create(
        fixture.api,
        "/api/dealers",
        (await fixture.api<object>("GET", `/api/dealers/${NORTH}`)).body,
      );
      for (const fields of [{ name: "Ann", role: "dealer_admin" }, { name: "Ben" }, { name: "Cy", active: false }])
        await fresh({ dealer_id, ...fields });
      for (const [query, names] of FILTERS) {
        const { body } = await fixture.api<PresentedUser[]>("GET", `/api/users?dealer_id=${dealer_id}&${query}`);
        expect([query, body.map(({ name }) => name)]).toEqual([query, names]);
      }
    });
  });
