import { beforeAll, describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import type { Api } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { type CreatedKey, create, dealerBody, keyBody, NORTH } from "../support/sample-records.ts";
import { EVERY_PAIR, pair, pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { neededBy, OPERATIONS, sentBy } from "./operations.ts";
import { freshTargets, type Targets, targetsOf } from "./targets.ts";

const keyWith = async (api: Api, permissions: object[]): Promise<string> =>
  (await create<CreatedKey>(api, "/api/keys", keyBody({ permissions }))).api_key;

for (const engine of ANSWERING)
  describe(`permissions on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let at: Targets;
    beforeAll(async () => {
      at = await freshTargets(fixture.api, { dealer: NORTH, mark: "target" });
    });
    const freshDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;

    for (const operation of OPERATIONS) {
      const { name, method, path, success } = operation;
      const needed = neededBy(operation);
      test(`let a key ${name} with ${needed.join(" and ")} alone`, async () => {
        const dealer = await freshDealer();
        const fresh = await freshTargets(fixture.api, { dealer, mark: "target", named: targetsOf(operation) });
        const key = await keyWith(fixture.api, needed.map(pair));
        const reply = await fixture.api(method, path(fresh), { key, ...sentBy(operation, fresh) });
        expectReply(reply, { status: success });
      });

      for (const needs of needed)
        test(`do not let a key ${name} with every permission but ${needs}, super-admin or not`, async () => {
          const { resource, action } = pair(needs);
          const others = EVERY_PAIR.filter((one) => one.resource !== resource || one.action !== action);
          const key = await keyWith(fixture.api, others);
          const reply = await fixture.api(method, path(at), { key, ...sentBy(operation, at) });
          expectReply(reply, {
            status: 403,
            code: "permission_missing",
            has: { error: expect.stringContaining(needs) },
          });
        });
    }

    const DEFAULTS = [
      { app_type: "web", permissions: ["vehicles:read"] },
      { app_type: "desktop", permissions: ["vehicles:read", "vehicles:write", "dealers:read", "dealers:write"] },
      { app_type: "mobile", permissions: ["vehicles:read", "dealers:read"] },
    ];
    for (const { app_type, permissions } of DEFAULTS)
      test(`of a ${app_type} key are by default ${permissions.join(", ")}, and a later app type does not change them`, async () => {
        const { id } = await create(fixture.api, "/api/keys", keyBody({ app_type }));
        for (const change of DEFAULTS) {
          const { body } = await fixture.api<{ permissions: object[] }>("PUT", `/api/keys/${id}`, {
            body: { app_type: change.app_type },
          });
          expect(body.permissions).toEqual(expect.arrayContaining(pairs(...permissions)));
          expect(body.permissions).toHaveLength(permissions.length);
        }
      });

    test("of a user's key are the user's current ones, and never its own", async () => {
      const user = fixture.records.users["north's user"];
      const status = async (path: string) => (await fixture.as("north's user", { method: "GET", path })).status;
      expect([await status("/api/vehicles"), await status("/api/users")]).toEqual([200, 403]);
      await fixture.api("PUT", `/api/users/${user}`, { body: { permissions: pairs("users:read") } });
      expect([await status("/api/vehicles"), await status("/api/users")]).toEqual([403, 200]);
    });
  });
