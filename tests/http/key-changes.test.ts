import { describe, expect, test } from "bun:test";
import type { PresentedKey } from "../../core/keys/key.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { type CreatedKey, create, keyBody, NORTH, NOTHING, SOUTH } from "../support/sample-records.ts";
import { EVERY_PAIR, pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const FUTURE = "2035-01-02T03:04:05.678Z";

for (const engine of ANSWERING)
  describe(`changes of keys on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const fresh = (fields: object = {}) => create<PresentedKey & CreatedKey>(fixture.api, "/api/keys", keyBody(fields));
    const read = async (id: number) => (await fixture.api<PresentedKey>("GET", `/api/keys/${id}`)).body;
    const change = (id: number, body: object) => fixture.api<PresentedKey>("PUT", `/api/keys/${id}`, { body });

    test("affect only the sent fields and updated_at", async () => {
      const { id } = await fresh();
      for (const changes of [
        { name: "Renamed", description: "New" },
        { description: null, expires_at: FUTURE },
        { expires_at: null, rate_limit: 5 },
        { rate_limit: null },
        { permissions: pairs("dealers:read", "users:read") },
        { active: false },
        { active: true },
      ]) {
        const before = await read(id);
        const { status, body } = await change(id, changes);
        expect(status).toBe(200);
        const limit = body.rate_limit ?? 100;
        expect<object>(body).toEqual({
          ...before,
          ...changes,
          effective_rate_limit: limit,
          updated_at: body.updated_at,
        });
        expect(body.updated_at > before.updated_at).toBe(true);
        expect(await read(id)).toEqual(body);
      }
    });

    test("of the app type change the default limit", async () => {
      const { id } = await fresh({ rate_limit: null });
      for (const [app_type, limit] of [
        ["desktop", 300],
        ["mobile", 200],
        ["web", 100],
      ] as const)
        expectReply(await change(id, { app_type }), { status: 200, has: { app_type, effective_rate_limit: limit } });
    });

    test("of the secret or the app id are not possible", async () => {
      const { api_key, ...before } = await fresh();
      expectReply(await change(before.id, { app_id: "another" }), { status: 400, faults: ["app_id"] });
      expectReply(await change(before.id, { api_key: "x".repeat(40), app_id: before.app_id, name: "x" }), {
        status: 200,
      });
      expectReply(await fixture.api("GET", "/api/vehicles", { key: api_key }), { status: 200 });
      expectReply(await fixture.api("GET", "/api/vehicles", { key: "x".repeat(40) }), { status: 401 });
    });

    test("that send an answer back unchanged affect only updated_at", async () => {
      const { id: revoked } = await fresh();
      await fixture.api("POST", `/api/keys/${revoked}/revoke`);
      const ids = [
        revoked,
        (await fresh({ dealer_id: NORTH, expires_at: FUTURE, description: "x" })).id,
        (await fresh({ user_id: fixture.records.users["north's user"] })).id,
        (await fresh()).id,
      ];
      for (const id of ids) {
        const before = await read(id);
        const { status, body } = await change(id, before);
        expect(status).toBe(200);
        expect(body).toEqual({ ...before, updated_at: body.updated_at });
      }
    });

    test("of the association to a dealer, to a user or to none drop the previous one", async () => {
      const { id } = await fresh({ dealer_id: NORTH });
      const user_id = fixture.records.users["north's user"];
      for (const [changes, ties] of [
        [{ dealer_id: SOUTH }, { association: "dealer", dealer_id: SOUTH, user_id: null, bound_dealer_id: SOUTH }],
        [{ user_id }, { association: "user", dealer_id: null, user_id, bound_dealer_id: NORTH }],
        [{ dealer_id: NORTH }, { association: "dealer", dealer_id: NORTH, user_id: null }],
        [{ dealer_id: null }, { association: "none", dealer_id: null, bound_dealer_id: null }],
      ] as const)
        expectReply(await change(id, changes), { status: 200, has: ties });
      expectReply(await change(id, { dealer_id: NORTH, user_id }), { status: 400, faults: ["user_id"] });
      expectReply(await change(id, { dealer_id: NOTHING }), { status: 400, faults: ["dealer_id"] });
      expectReply(await change(id, { association: "dealer" }), { status: 400, faults: ["association"] });
      expect(await read(id)).toMatchObject({ association: "none" });
    });

    test("of a user key's permissions are refused, because it has none of its own", async () => {
      const { id } = await fresh({ user_id: fixture.records.users["north's user"] });
      const before = await read(id);
      expectReply(await change(id, { permissions: pairs("dealers:write") }), { status: 400, faults: ["permissions"] });
      for (const method of ["PUT", "DELETE"])
        expectReply(await fixture.api(method, `/api/keys/${id}/permissions/vehicles/read`), {
          status: 400,
          faults: ["permissions"],
        });
      expect(await read(id)).toEqual(before);
      const withOthers = keyBody({ user_id: fixture.records.users["north's user"], permissions: EVERY_PAIR });
      expectReply(await fixture.api("POST", "/api/keys", { body: withOthers }), {
        status: 400,
        faults: ["permissions"],
      });
    });

    test("add or remove one permission, and repeating one is no error", async () => {
      const { id } = await fresh({ permissions: pairs("vehicles:read") });
      const at = `/api/keys/${id}/permissions/audit/read`;
      for (const [method, permissions] of [
        ["PUT", pairs("vehicles:read", "audit:read")],
        ["PUT", pairs("vehicles:read", "audit:read")],
        ["DELETE", pairs("vehicles:read")],
        ["DELETE", pairs("vehicles:read")],
      ] as const)
        expectReply(await fixture.api(method, at), { status: 200, has: { id, permissions } });
    });
  });
