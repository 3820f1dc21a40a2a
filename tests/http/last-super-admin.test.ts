import { beforeAll, describe, expect, test } from "bun:test";
import { type Browser, firstAdmin, inviteAndSignIn, makePerson } from "../support/browser.ts";
import { ANSWERING } from "../support/engines.ts";
import { type CreatedKey, create, keyBody, userBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

interface User {
  readonly id: number;
}

const ROUNDS = 5;

for (const engine of ANSWERING)
  describe(`the last active super-admin over HTTP on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let admin: Browser;
    beforeAll(async () => {
      admin = await firstAdmin(fixture.service);
    });

    const actives = async (): Promise<number[]> =>
      (await fixture.api<User[]>("GET", "/api/users?role=super_admin&active=true")).body.map(({ id }) => id);
    const only = async (...wanted: readonly number[]): Promise<void> => {
      for (const id of await actives())
        if (!wanted.includes(id)) expect((await fixture.api("DELETE", `/api/users/${id}`)).status).toBe(200);
    };

    test("is neither deactivated nor demoted by any key, in the portal or by their own key, but gets a 409", async () => {
      const me = (await admin.send<{ user: User }>("GET", "/portal/api/session")).body.user.id;
      const own = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ user_id: me }));
      await only(me);
      const changes = [
        ["DELETE", undefined],
        ["PUT", { active: false }],
        ["PUT", { role: "user" }],
        ["PUT", { role: "dealer_admin", dealer_id: 1 }],
      ] as const;
      for (const [method, body] of changes)
        for (const reply of [
          await fixture.api(method, `/api/users/${me}`, { body }),
          await fixture.api(method, `/api/users/${me}`, { body, key: own.api_key }),
          await admin.send(method, `/portal/api/users/${me}`, { body }),
        ]) {
          expect([reply.status, reply.body]).toEqual([409, expect.objectContaining({ code: "last_super_admin" })]);
          expect(reply.text).not.toContain("details");
        }
      const left = await admin.send("POST", `/portal/api/users/${me}/leave`, { body: { keys: "revoke" } });
      expect([left.status, left.body.code]).toEqual([409, "last_super_admin"]);
      expect((await fixture.api("GET", "/api/vehicles", { key: own.api_key })).status).toBe(200);
      expect((await admin.send("GET", "/portal/api/session")).status).toBe(200);
    });

    test("stays if two deactivate each other at once in the portal", async () => {
      const people = [
        await makePerson(admin, { role: "super_admin" }),
        await makePerson(admin, { role: "super_admin" }),
      ];
      const [one, other] = people.map(({ id }) => id) as [number, number];
      const [theirs, others] = [
        await inviteAndSignIn(fixture.service.url, admin, one),
        await inviteAndSignIn(fixture.service.url, admin, other),
      ];
      await only(one, other);
      const replies = await Promise.all([
        theirs.send("DELETE", `/portal/api/users/${other}`),
        others.send("DELETE", `/portal/api/users/${one}`),
      ]);
      const statuses = replies.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.every((status) => [200, 401, 403, 409].includes(status))).toBe(true);
      expect(await actives()).toHaveLength(1);
    });

    test("stays if two deactivate each other at once by their keys", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const pair: { id: number; key: string }[] = [];
        for (const _ of [1, 2]) {
          const { id } = await create(fixture.api, "/api/users", userBody({ role: "super_admin" }));
          const key = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ user_id: id }));
          pair.push({ id, key: key.api_key });
        }
        const [one = { id: 0, key: "" }, other = one] = pair;
        await only(one.id, other.id);
        const statuses = await Promise.all(
          [[one.id, other.key] as const, [other.id, one.key] as const].map(
            async ([id, key]) => (await fixture.api("DELETE", `/api/users/${id}`, { key })).status,
          ),
        );
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        expect(statuses.every((status) => [200, 401, 403, 409].includes(status))).toBe(true);
        expect(await actives()).toHaveLength(1);
      }
    });
  });
