import { beforeAll, describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import type { Reply } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { type CreatedKey, create, keyBody, NORTH, SOUTH, userBody } from "../support/sample-records.ts";
import { EVERY_PAIR, pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const HELD = pairs("vehicles:read", "keys:read", "users:read", "users:write", "users:delete");
const LESS = pairs("vehicles:read");
const MORE = "exceeds_your_rights";

for (const engine of ANSWERING)
  describe(`users with no more rights than their creator, on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    /** Bound to NORTH, holding HELD. */
    let caller: CreatedKey;

    const newUser = async (fields: object = {}) => (await create(fixture.api, "/api/users", userBody(fields))).id;
    const by = (key: CreatedKey, method: string, path: string, body?: object): Promise<Reply> =>
      fixture.api(method, path, { key: key.api_key, body });

    beforeAll(async () => {
      caller = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ dealer_id: NORTH, permissions: HELD }));
    });

    test("belong to a bound creator's dealer, whatever the request names", async () => {
      for (const fields of [{}, { dealer_id: NORTH }, { dealer_id: SOUTH }, { dealer_id: null }])
        expectReply(await by(caller, "POST", "/api/users", userBody({ permissions: LESS, ...fields })), {
          status: 201,
          has: { dealer_id: NORTH },
        });
    });

    const TOO_STRONG: [name: string, fields: object][] = [
      ["a permission it lacks", { permissions: pairs("vehicles:write") }],
      ["default permissions it lacks", { role: "dealer_admin" }],
      ["the rank of a super-admin", { role: "super_admin", permissions: pairs("vehicles:read") }],
    ];
    for (const [name, fields] of TOO_STRONG)
      test(`are not created by a bound caller with ${name}`, async () => {
        expectReply(await by(caller, "POST", "/api/users", userBody(fields)), { status: 403, code: MORE });
      });

    test("are neither changed nor deactivated by a caller with fewer rights", async () => {
      const id = await newUser({ dealer_id: NORTH, permissions: EVERY_PAIR });
      const before = (await fixture.api("GET", `/api/users/${id}`)).body;
      for (const body of [{ name: "x" }, { permissions: [] }, { active: false }])
        expectReply(await by(caller, "PUT", `/api/users/${id}`, body), { status: 403, code: MORE });
      expectReply(await by(caller, "DELETE", `/api/users/${id}`), { status: 403, code: MORE });
      expect((await fixture.api("GET", `/api/users/${id}`)).body).toEqual(before);
    });

    test("never get more rights than the caller has, nor leave the caller's dealer", async () => {
      const id = await newUser({ dealer_id: NORTH, permissions: LESS });
      const before = (await fixture.api("GET", `/api/users/${id}`)).body;
      for (const body of [
        { permissions: EVERY_PAIR },
        { dealer_id: SOUTH },
        { dealer_id: null },
        { role: "super_admin", dealer_id: null },
      ])
        expectReply(await by(caller, "PUT", `/api/users/${id}`, body), { status: 403, code: MORE });
      expect((await fixture.api("GET", `/api/users/${id}`)).body).toEqual(before);
      expectReply(await by(caller, "PUT", `/api/users/${id}`, { name: "Kim Example" }), { status: 200 });
    });
  });
