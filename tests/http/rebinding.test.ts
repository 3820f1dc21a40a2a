import { describe, expect, test } from "bun:test";
import { makeUsageStore } from "../../adapters/sql/usage/store.ts";
import { hourOf } from "../../core/clock.ts";
import type { PresentedKey } from "../../core/keys/key.ts";
import type { PresentedUsage } from "../../core/keys/usage.ts";
import { ANSWERING, connect } from "../support/engines.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { type Created, type CreatedKey, create, keyBody, NORTH, SOUTH, userBody } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { counts, denial } from "../support/usage.ts";

const WRITTEN = { address: "198.51.100.77", user_agent: "north-only/1.0" };
const CLIENT_HEADERS = { "x-forwarded-for": "203.0.113.77", "user-agent": "north-too/2.0" };
/** The key's earlier usage at its dealer; it must not be in any answer to the other dealer. */
const MARKS = [WRITTEN.address, WRITTEN.user_agent, CLIENT_HEADERS["user-agent"], "permission_missing"];

for (const engine of ANSWERING)
  describe(`a key that moves to another dealer, on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { TRUSTED_PROXY_HOPS: "1" });

    /** Uses a key of NORTH: two hours ago, already recorded, and now. */
    const use = async (key: CreatedKey): Promise<void> => {
      const db = connect(fixture.service.databaseUrl);
      const at = fixture.service.after(-7200);
      await makeUsageStore(db).add(
        `a process ${key.id}`,
        {
          number: 1,
          hours: [{ keyId: key.id, hour: hourOf(at), ...counts({ served: 5 }) }],
          uses: [{ keyId: key.id, at, ...WRITTEN }],
          denials: [{ keyId: key.id, at, ...denial({ address: WRITTEN.address }) }],
          oldSecrets: [],
        },
        at,
      );
      await db.close();
      await fixture.api("POST", "/api/vehicles", { key: key.api_key, headers: CLIENT_HEADERS, body: {} });
    };

    const moved = async (): Promise<CreatedKey> => {
      const body = keyBody({ dealer_id: NORTH, permissions: pairs("vehicles:read") });
      const key = await create<CreatedKey>(fixture.api, "/api/keys", body);
      await use(key);
      expect((await fixture.api("PUT", `/api/keys/${key.id}`, { body: { dealer_id: SOUTH } })).status).toBe(200);
      return key;
    };

    const movedWithUser = async (): Promise<CreatedKey> => {
      const fields = { dealer_id: NORTH, permissions: pairs("vehicles:read") };
      const { id: user_id } = await create<Created>(fixture.api, "/api/users", userBody(fields));
      const key = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ user_id }));
      await use(key);
      expect((await fixture.api("PUT", `/api/users/${user_id}`, { body: { dealer_id: SOUTH } })).status).toBe(200);
      return key;
    };

    const MOVES = [
      { name: "by itself", move: moved },
      { name: "with its user", move: movedWithUser },
    ];

    for (const { name, move } of MOVES)
      test(`${name} leaves its usage behind: the new dealer sees none of it, and super-admins all of it`, async () => {
        const key = await move();
        const paths = { usage: `/api/keys/${key.id}/usage`, record: `/api/keys/${key.id}` };
        const asked = (path: string) => fixture.as("south", { method: "GET", path });
        const [usage, record] = [await asked(paths.usage), await asked(paths.record)];
        const list = await fixture.as<readonly PresentedKey[]>("south", {
          method: "GET",
          path: "/api/keys?limit=100&sort=last_used",
        });
        expect(usage.body).toEqual({ key_id: key.id, hours: [], refusals: [], last_use: null, recent_denials: [] });
        expect(record.body).toMatchObject({ id: key.id, last_used_at: null });
        const listed = list.body.find(({ id }) => id === key.id);
        expect(listed).toMatchObject({ last_used_at: null });
        const changed = await fixture.as<PresentedKey>("south", {
          method: "PUT",
          path: `/api/keys/${key.id}`,
          body: { description: "Ours" },
        });
        expect(changed).toMatchObject({ status: 200, body: { last_used_at: null } });
        for (const reply of [usage, record, list, changed])
          for (const mark of MARKS) expect(reply.text).not.toContain(mark);

        const whole = (await fixture.api<PresentedUsage>("GET", paths.usage)).body;
        expect(whole.hours.reduce((sum, { served, denied }) => sum + served + denied, 0)).toBe(6);
        expect(whole.last_use).toMatchObject({ user_agent: CLIENT_HEADERS["user-agent"] });
        expect(whole.recent_denials).toHaveLength(2);
        expect((await fixture.api<PresentedKey>("GET", paths.record)).body.last_used_at).toEqual(expect.any(String));

        expect((await fixture.api("DELETE", `/api/keys/${key.id}`)).status).toBe(200);
        const entries = await fixture.as<{ action: string; before: PresentedKey }[]>("south", {
          method: "GET",
          path: `/api/audit?resource=keys&id=${key.id}&limit=100`,
        });
        const removed = entries.body.find(({ action }) => action === "key.removed");
        expect(removed?.before).toMatchObject({ id: key.id, last_used_at: null });
      });

    testMovingClock("shows its later usage to the new dealer", async () => {
      const { id, api_key } = await moved();
      await fixture.service.pass(2);
      await fixture.api("POST", "/api/vehicles", { key: api_key, headers: CLIENT_HEADERS, body: {} });
      const { body } = await fixture.as<PresentedUsage>("south", { method: "GET", path: `/api/keys/${id}/usage` });
      expect(body.last_use).toMatchObject({ user_agent: CLIENT_HEADERS["user-agent"] });
      expect(body.recent_denials).toHaveLength(1);
    });
  });
