import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Api } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { type CreatedKey, create, keyBody, NORTH } from "../support/sample-records.ts";
import { EVERY_PAIR, startService, type TestService } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { OPERATIONS } from "./operations.ts";
import { freshTargets, snapshotOf, type Targets } from "./targets.ts";

/** Every change of keys and users. */
const CHANGES = OPERATIONS.filter(({ method, needs }) => method !== "GET" && /^(?:keys|users):/.test(needs));
const ENDINGS = [
  { name: "revoked", method: "POST", path: "/revoke", body: undefined, status: 401 },
  { name: "deleted", method: "DELETE", path: "", body: undefined, status: 401 },
  { name: "rotated", method: "POST", path: "/rotate", body: undefined, status: 401 },
  { name: "left without permissions", method: "PUT", path: "", body: { permissions: [] }, status: 403 },
] as const;

/**
 * Uses a key at an instance until that knows it, as its first read may be older than the key.
 */
const isKnownTo = (api: Api, { api_key: key }: CreatedKey): Promise<number> =>
  eventually(
    async () => (await api("GET", "/api/vehicles?limit=1", { key })).status,
    (status) => status === 200,
  );

for (const engine of ANSWERING)
  describe(`an instance that has not yet noticed a change made by another, on ${engine.name},`, () => {
    const fixture = serviceFixture(engine);
    let other: TestService;
    let targets: Targets;
    beforeAll(async () => {
      const { databaseUrl, bootstrapKey } = fixture.service;
      other = await startService(engine, { DATABASE_URL: databaseUrl, BOOTSTRAP_API_KEY: bootstrapKey });
      targets = await freshTargets(fixture.api, { dealer: NORTH, mark: "Stale" });
    });
    afterAll(() => other.close());

    const totals = () =>
      Promise.all(
        ["keys", "users"].map(async (name) =>
          (await fixture.api("GET", `/api/${name}?limit=1`)).headers.get("x-total-count"),
        ),
      );

    for (const ending of ENDINGS)
      test(`changes no key and no user for a key that was ${ending.name}`, async () => {
        const before = [await snapshotOf(fixture.api, targets), await totals()];
        for (const { name, method, path, body } of CHANGES) {
          const key = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ permissions: EVERY_PAIR }));
          // The instance has cached the key and trusts the cache for a while.
          await isKnownTo(other.api, key);
          const ended = await fixture.api(ending.method, `/api/keys/${key.id}${ending.path}`, { body: ending.body });
          expect(ended.status).toBe(200);
          const reply = await other.api(method, path(targets), { key: key.api_key, body: body?.(targets) });
          expect([name, reply.status]).toEqual([name, ending.status]);
          expect(reply.text).not.toContain("vis_");
          // The callers themselves are not counted.
          await fixture.api("DELETE", `/api/keys/${key.id}`);
        }
        expect([await snapshotOf(fixture.api, targets), await totals()]).toEqual(before);
      });

    test("succeeds for exactly one of two keys that revoke each other at once through different instances", async () => {
      const make = () => create<CreatedKey>(fixture.api, "/api/keys", keyBody({ permissions: EVERY_PAIR }));
      for (let round = 0; round < 10; round++) {
        const [one, two] = [await make(), await make()];
        for (const [api, key] of [
          [fixture.api, one],
          [other.api, two],
        ] as const)
          await isKnownTo(api, key);
        const replies = await Promise.all([
          fixture.api("POST", `/api/keys/${two.id}/revoke`, { key: one.api_key }),
          other.api("POST", `/api/keys/${one.id}/revoke`, { key: two.api_key }),
        ]);
        expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401]);
      }
    });
  });
