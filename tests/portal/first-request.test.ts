import { describe, expect, test } from "bun:test";
import type { KeyWithSecret } from "../../adapters/portal/api/responses.ts";
import { firstRequest } from "../../adapters/portal/keys/first-request.ts";
import { APP_TYPES, RESOURCES } from "../../core/permissions.ts";
import { ENGINES } from "../support/engines.ts";
import { create, keyBody, NORTH, userBody } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const statusOf = async (command: string): Promise<number> => {
  const [, url = ""] = /^curl "([^"]+)"/.exec(command) ?? [];
  const headers = [...command.matchAll(/-H "([^:"]+): ([^"]+)"/g)].map(([, name = "", value = ""]) => [name, value]);
  return (await fetch(url, { headers: Object.fromEntries(headers) })).status;
};

const [engine] = ENGINES;
if (engine === undefined) throw new Error("there is no engine");

describe("the first request that the portal shows with a new key", () => {
  const fixture = serviceFixture(engine);

  test("is allowed for the key, whatever the key may read", async () => {
    const { api, service } = fixture;
    const user = await create(api, "/api/users", userBody({ permissions: [] }));
    const keys = [
      ...RESOURCES.map((resource) => ({ dealer_id: NORTH, permissions: pairs(`${resource}:read`) })),
      ...APP_TYPES.map((app_type) => ({ app_type, dealer_id: NORTH })),
      { dealer_id: NORTH, permissions: [] },
      { user_id: user.id },
    ];
    for (const fields of keys) {
      const command = firstRequest(await create<KeyWithSecret>(api, "/api/keys", keyBody(fields)), service.url);
      expect([command, await statusOf(command)]).toEqual([command, 200]);
    }
  });
});
