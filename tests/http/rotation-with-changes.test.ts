import { describe, expect, test } from "bun:test";
import type { PresentedKey } from "../../core/keys/key.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import {
  type Created,
  type CreatedKey,
  create,
  keyBody,
  NORTH,
  NOTHING,
  SOUTH,
  userBody,
} from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

interface ChangedUser {
  readonly id: number;
  readonly keys?: readonly CreatedKey[];
}

for (const engine of ANSWERING)
  describe(`a rotation together with another change, on ${engine.name},`, () => {
    const fixture = serviceFixture(engine);
    const key = (fields: object) => create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields));
    const user = (fields: object) => create<Created>(fixture.api, "/api/users", userBody(fields));
    const works = async (secret: string): Promise<boolean> =>
      (await fixture.api("GET", "/api/vehicles", { key: secret })).status === 200;
    const actionsOn = async (id: number): Promise<string[]> =>
      (await fixture.api<{ action: string }[]>("GET", `/api/audit?resource=keys&id=${id}&limit=10`)).body.map(
        ({ action }) => action,
      );

    test("happens to a key that is bound to another dealer only if the same request asks for it", async () => {
      const { id, api_key: first } = await key({ dealer_id: NORTH });
      expectReply(await fixture.api("PUT", `/api/keys/${id}`, { body: { dealer_id: SOUTH } }), { status: 200 });
      expect(await works(first)).toBe(true);
      const reply = await fixture.api<PresentedKey & CreatedKey>("PUT", `/api/keys/${id}`, {
        body: { dealer_id: NORTH, rotate: true },
      });
      expectReply(reply, { status: 200, has: { id, dealer_id: NORTH }, gives: { "cache-control": "no-store" } });
      const { api_key, ...record } = reply.body;
      expect(record.key_start).toBe(api_key.slice(0, record.key_start.length));
      expect([await works(first), await works(api_key)]).toEqual([false, true]);
      expect((await fixture.api<PresentedKey>("GET", `/api/keys/${id}`)).body).toMatchObject({
        key_start: record.key_start,
      });
      expect((await actionsOn(id)).slice(0, 2)).toEqual(["key.rotated", "key.rebound"]);
      const audit = await fixture.api("GET", "/api/audit?limit=100");
      for (const text of [audit.text, fixture.service.log()]) expect(text).not.toContain(api_key);
    });

    test("of a user's keys and the user's move shows the new secrets to the new dealer alone", async () => {
      const mover = await user({ dealer_id: NORTH, email: "mover@example.com" });
      const { id } = await key({ user_id: mover.id });
      const body = { dealer_id: SOUTH, rotate_keys: true };
      expectReply(await fixture.api("PUT", `/api/users/${mover.id}`, { body }), { status: 200 });
      const seenBy = async (dealer_id: number) => {
        const reader = await key({ dealer_id, permissions: pairs("audit:read") });
        const path = `/api/audit?resource=keys&id=${id}`;
        return (await fixture.api<{ action: string; dealer_id: number }[]>("GET", path, { key: reader.api_key })).body;
      };
      expect((await seenBy(NORTH)).map(({ action }) => action)).toEqual(["key.created"]);
      expect(await seenBy(SOUTH)).toMatchObject([{ action: "key.rotated", dealer_id: SOUTH }]);
    });

    test("may be the only change, and also ends a secret in grace", async () => {
      const { id, api_key: first } = await key({});
      const second = await fixture.api<CreatedKey>("POST", `/api/keys/${id}/rotate`, { body: { grace_seconds: 600 } });
      const third = await fixture.api<CreatedKey>("PUT", `/api/keys/${id}`, { body: { rotate: true } });
      expectReply(third, { status: 200 });
      const secrets = [first, second.body.api_key, third.body.api_key];
      expect(await Promise.all(secrets.map(works))).toEqual([false, false, true]);
      const plain = await fixture.api("PUT", `/api/keys/${id}`, { body: { rotate: false, name: "Renamed" } });
      expectReply(plain, { status: 200, gives: { "cache-control": "private, no-cache" } });
      expect(plain.body).not.toHaveProperty("api_key");
    });

    test("does not happen if the change is refused", async () => {
      const { id, api_key } = await key({ dealer_id: NORTH });
      for (const body of [{ dealer_id: NOTHING, rotate: true }, { rotate: "yes" }, { rotate: null }])
        expectReply(await fixture.api("PUT", `/api/keys/${id}`, { body }), { status: 400 });
      expect(await works(api_key)).toBe(true);
    });

    test("happens to the keys of a user with a new dealer or role only if the same request asks for it", async () => {
      const { id: user_id } = await user({ dealer_id: NORTH });
      const { id: bystander } = await user({ dealer_id: NORTH });
      const old = await Promise.all([key({ user_id }), key({ user_id }), key({ user_id, active: false })]);
      const others = await key({ user_id: bystander });
      expectReply(await fixture.api("PUT", `/api/users/${user_id}`, { body: { dealer_id: SOUTH } }), { status: 200 });
      expect(await works(old[0]?.api_key ?? "")).toBe(true);
      const reply = await fixture.api<ChangedUser>("PUT", `/api/users/${user_id}`, {
        body: { role: "dealer_admin", rotate_keys: true },
      });
      expectReply(reply, { status: 200, has: { role: "dealer_admin" }, gives: { "cache-control": "no-store" } });
      const fresh = reply.body.keys ?? [];
      expect(fresh.map(({ id }) => id).sort()).toEqual(old.map(({ id }) => id).sort());
      for (const { id, api_key } of fresh) {
        const before = old.find((one) => one.id === id);
        expect(await works(before?.api_key ?? "")).toBe(false);
        expect(await works(api_key)).toBe(before?.id !== old[2]?.id);
        expect((await actionsOn(id))[0]).toBe("key.rotated");
      }
      expect(await works(others.api_key)).toBe(true);
      const audit = await fixture.api("GET", "/api/audit?limit=100");
      for (const { api_key } of fresh)
        for (const text of [audit.text, fixture.service.log()]) expect(text).not.toContain(api_key);
      const plain = await fixture.api("PUT", `/api/users/${user_id}`, { body: { name: "Renamed" } });
      expect(plain.body).not.toHaveProperty("keys");
    });

    test("is refused as a whole to a caller who may not rotate the user's keys", async () => {
      const { id: user_id } = await user({ dealer_id: NORTH, permissions: pairs("vehicles:read") });
      const { api_key } = await key({ user_id });
      const held = pairs("vehicles:read", "users:read", "users:write");
      const { api_key: withoutKeys } = await key({ dealer_id: NORTH, permissions: held });
      const { api_key: slower } = await key({
        dealer_id: NORTH,
        permissions: [...held, ...pairs("keys:read", "keys:write")],
        rate_limit: 100,
      });
      for (const [caller, code] of [
        [withoutKeys, "permission_missing"],
        [slower, "exceeds_your_rights"],
      ] as const) {
        const body = { name: "Mine", rotate_keys: true };
        const reply = await fixture.api("PUT", `/api/users/${user_id}`, { key: caller, body });
        expectReply(reply, { status: 403, code, hides: ["vis_"] });
      }
      expect((await fixture.api("GET", `/api/users/${user_id}`)).body).not.toMatchObject({ name: "Mine" });
      expect(await works(api_key)).toBe(true);
    });

    test("loses nothing when other changes happen at the same time", async () => {
      const { id: user_id } = await user({ dealer_id: NORTH });
      const { id } = await key({ user_id });
      const replies = await Promise.all([
        ...Array.from({ length: 5 }, () =>
          fixture.api<ChangedUser>("PUT", `/api/users/${user_id}`, { body: { rotate_keys: true } }),
        ),
        ...Array.from({ length: 5 }, (_, index) =>
          fixture.api("PUT", `/api/keys/${id}`, { body: { name: `Name ${index}` } }),
        ),
      ]);
      expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
      const secrets = replies.flatMap(({ body }) => (body as ChangedUser).keys ?? []).map(({ api_key }) => api_key);
      expect(secrets).toHaveLength(5);
      expect((await Promise.all(secrets.map(works))).filter(Boolean)).toHaveLength(1);
    });
  });
