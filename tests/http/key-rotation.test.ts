import { describe, expect, test } from "bun:test";
import type { PresentedKey } from "../../core/keys/key.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { type CreatedKey, create, keyBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

/** How often the service stores the counts of uses. */
const WRITE_SECONDS = 10;

for (const engine of ANSWERING)
  describe(`rotation of keys on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const fresh = (fields: object = {}) => create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields));
    const statusOf = async (key: string): Promise<number> =>
      (await fixture.api("GET", "/api/vehicles", { key })).status;
    const rotate = async (id: number, body?: object): Promise<string> => {
      const reply = await fixture.api<CreatedKey>("POST", `/api/keys/${id}/rotate`, { body });
      expectReply(reply, { status: 200, gives: { "cache-control": "no-store" } });
      return reply.body.api_key;
    };

    const graceOf = async (id: number) => {
      const { body } = await fixture.api<PresentedKey>("GET", `/api/keys/${id}`);
      return [body.grace_until, body.grace_key_start, body.grace_last_used_at, body.grace_uses_today] as const;
    };

    test("gives the same key a new secret, and without grace ends the previous one at once", async () => {
      for (const body of [undefined, {}, { grace_seconds: 0 }]) {
        const { id, api_key: before } = await fresh();
        const after = await rotate(id, body);
        expect(after).not.toBe(before);
        expect([await statusOf(before), await statusOf(after)]).toEqual([401, 200]);
      }
    });

    testMovingClock("with a grace keeps the previous secret until the grace ends", async () => {
      const { id, api_key: before } = await fresh();
      const after = await rotate(id, { grace_seconds: 2 });
      expect([await statusOf(before), await statusOf(after)]).toEqual([200, 200]);
      await fixture.service.pass(2);
      expect([await statusOf(before), await statusOf(after)]).toEqual([401, 200]);
    });

    test("for a second time ends the oldest secret at once, and gives only the last one a grace", async () => {
      const { id, api_key: first } = await fresh();
      const second = await rotate(id, { grace_seconds: 600 });
      const third = await rotate(id, { grace_seconds: 600 });
      expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([401, 200, 200]);
      const fourth = await rotate(id);
      expect([await statusOf(second), await statusOf(third), await statusOf(fourth)]).toEqual([401, 401, 200]);
    });

    test("does not affect the secrets of other keys, and neither does ending a grace", async () => {
      const [other, { id }] = [await fresh(), await fresh()];
      const after = await rotate(other.id, { grace_seconds: 600 });
      const shown = async () => {
        const { body } = await fixture.api<PresentedKey>("GET", `/api/keys/${other.id}`);
        const { last_used_at: _, grace_last_used_at: __, grace_uses_today: ___, ...rest } = body;
        return rest;
      };
      const before = await shown();
      await rotate(id, { grace_seconds: 600 });
      expect((await fixture.api("POST", `/api/keys/${id}/end-grace`)).status).toBe(200);
      expect((await fixture.api("PUT", `/api/keys/${id}`, { body: { name: "Renewed", rotate: true } })).status).toBe(
        200,
      );
      expect(await shown()).toEqual(before);
      expect([await statusOf(other.api_key), await statusOf(after)]).toEqual([200, 200]);
    });

    testMovingClock("never lets a secret live past the key's expiry", async () => {
      const { id, api_key: before } = await fresh({ expires_at: fixture.service.after(2.5) });
      const after = await rotate(id, { grace_seconds: 600 });
      expect([await statusOf(before), await statusOf(after)]).toEqual([200, 200]);
      await fixture.service.pass(2.5);
      expect([await statusOf(before), await statusOf(after)]).toEqual([401, 401]);
    });

    testMovingClock("does not extend a grace when the expiry is moved later", async () => {
      const { id, api_key: before } = await fresh({ expires_at: fixture.service.after(2) });
      await rotate(id, { grace_seconds: 600 });
      await fixture.api("PUT", `/api/keys/${id}`, { body: { expires_at: null } });
      await fixture.service.pass(2);
      expect(await statusOf(before)).toBe(401);
    });

    test("leaves all secrets of a key with one shared rate limit", async () => {
      const { id, api_key: before } = await fresh({ rate_limit: 4 });
      const after = await rotate(id, { grace_seconds: 600 });
      const statuses = [];
      for (const key of [before, after, before, after, before, after]) statuses.push(await statusOf(key));
      expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    });

    test("does not reactivate a revoked key", async () => {
      const { id } = await fresh();
      await fixture.api("POST", `/api/keys/${id}/revoke`);
      expect(await statusOf(await rotate(id))).toBe(401);
    });

    test("shows until when the old secret works, how it begins, and how it is used", async () => {
      const made = await create<CreatedKey & PresentedKey>(fixture.api, "/api/keys", keyBody());
      expect(await graceOf(made.id)).toEqual([null, null, null, null]);
      const soonest = fixture.service.after(600);
      await rotate(made.id, { grace_seconds: 600 });
      const [until] = await graceOf(made.id);
      expect([soonest, until ?? "", fixture.service.after(600)].toSorted()[1]).toBe(until ?? "never");
      expect(await graceOf(made.id)).toEqual([until, made.key_start, null, 0]);
      const usedAfter = fixture.service.after(0);
      for (let time = 0; time < 3; time++) await statusOf(made.api_key);
      await fixture.service.runTimers(WRITE_SECONDS);
      const used = await eventually(
        () => graceOf(made.id),
        (grace) => grace[3] !== 0,
      );
      expect(used).toEqual([until, made.key_start, expect.any(String), 3]);
      expect([usedAfter, used[2] ?? "", until ?? ""].toSorted()[1]).toBe(used[2] ?? "never");
      const [{ grace_until } = {}] = (await fixture.api<PresentedKey[]>("GET", "/api/keys?limit=1")).body;
      expect(grace_until).toBe(until);
    });

    test("counts uses of the old secret only, not of the current one", async () => {
      const { id, api_key: before } = await fresh();
      const after = await rotate(id, { grace_seconds: 600 });
      for (const key of [after, after, before, after]) await statusOf(key);
      await fixture.service.runTimers(WRITE_SECONDS);
      const [, , , uses] = await eventually(
        () => graceOf(id),
        (grace) => grace[3] !== 0,
      );
      expect(uses).toBe(1);
    });

    test("leaves an old secret that can be ended early, at once, and only once", async () => {
      const { id, api_key: before } = await fresh();
      const after = await rotate(id, { grace_seconds: 600 });
      const none = { grace_until: null, grace_key_start: null, grace_last_used_at: null, grace_uses_today: null };
      const rotated = (await fixture.api<PresentedKey>("GET", `/api/keys/${id}`)).body;
      const ended = await fixture.api<PresentedKey>("POST", `/api/keys/${id}/end-grace`);
      expectReply(ended, { status: 200, has: { id, key_start: rotated.key_start, ...none }, hides: ["api_key"] });
      expect(ended.body.updated_at > rotated.updated_at).toBe(true);
      expect([await statusOf(before), await statusOf(after)]).toEqual([401, 200]);
      expectReply(await fixture.api("POST", `/api/keys/${id}/end-grace`), {
        status: 200,
        has: { ...none, updated_at: ended.body.updated_at },
      });
      const path = `/api/audit?resource=keys&id=${id}&action=key.grace-ended`;
      const entries = (await fixture.api<{ before: object; after: object }[]>("GET", path)).body;
      expect(entries.map((entry) => [entry.before, entry.after])).toEqual([
        [
          { grace_until: rotated.grace_until, grace_key_start: rotated.grace_key_start },
          { grace_until: null, grace_key_start: null },
        ],
      ]);
    });

    test("accepts a grace of 0 to 2592000 whole seconds, and rotates nothing otherwise", async () => {
      const { id, api_key } = await fresh();
      for (const grace_seconds of [-1, 2_592_001, 1.5, "5", true, null]) {
        const reply = await fixture.api("POST", `/api/keys/${id}/rotate`, { body: { grace_seconds } });
        expectReply(reply, { status: 400, faults: ["grace_seconds"] });
      }
      expectReply(await fixture.api("POST", `/api/keys/${id}/rotate`, { body: { grace: 5 } }), {
        status: 400,
        faults: ["grace"],
      });
      expect(await statusOf(api_key)).toBe(200);
      await rotate(id, { grace_seconds: 2_592_000 });
    });

    test("by many callers at once leaves exactly one working secret", async () => {
      const { id } = await fresh();
      const keys = await Promise.all(Array.from({ length: 10 }, () => rotate(id)));
      const statuses = await Promise.all(keys.map(statusOf));
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 401)).toHaveLength(9);
    });
  });
