import { describe, expect, test } from "bun:test";
import { expectReply } from "../../support/cases.ts";
import { ANSWERING } from "../../support/engines.ts";
import { type CreatedKey, create, feedBody, keyBody, NORTH, userBody } from "../../support/sample-records.ts";
import { pairs } from "../../support/service.ts";
import { type Feed, feedsOn } from "./feeds.ts";

const FEEDS_ONLY = pairs("feeds:read", "feeds:write", "feeds:delete");
const FULL = [...FEEDS_ONLY, ...pairs("vehicles:read")];

for (const engine of ANSWERING)
  describe(`rights in feeds on ${engine.name}`, () => {
    const { fixture, feedOf, fetched, read } = feedsOn(engine);
    const keyOf = (fields: object) => create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields));
    const isServed = async (url: string): Promise<boolean> => (await fetched(url, {}, "HEAD")).status === 200;

    /** A key of the dealer, one of a user without a dealer, and a super-admin's, with these permissions. */
    const callers = async (permissions: object[]): Promise<readonly CreatedKey[]> => {
      const user = await create(fixture.api, "/api/users", userBody({ permissions }));
      return [
        await keyOf({ dealer_id: NORTH, permissions }),
        await keyOf({ user_id: user.id }),
        await keyOf({ permissions }),
      ];
    };

    test("without vehicles:read, nobody sees a feed's vehicles, or makes, changes or rotates a feed", async () => {
      const made = await feedOf(NORTH);
      const path = `/api/feeds/${made.id}`;
      for (const { api_key: key } of await callers(FEEDS_ONLY)) {
        for (const [method, at, body] of [
          ["GET", `${path}/preview`],
          ["GET", `${path}/readiness/vehicles`],
          ["POST", `${path}/rotate`, {}],
          ["PUT", path, { filters: {} }],
          ["PUT", path, { link_template: "https://www.example.com/{vin}" }],
          ["PUT", path, { name: "Mine" }],
          ["POST", "/api/feeds", feedBody(NORTH)],
        ] as const) {
          const reply = await fixture.api(method, at, { key, ...(body !== undefined && { body }) });
          expectReply(reply, {
            status: 403,
            code: "permission_missing",
            has: { error: expect.stringContaining("vehicles:read") },
          });
        }
        expectReply(await fixture.api("GET", path, { key }), { status: 200, has: { name: "Google" } });
        expectReply(await fixture.api("GET", `${path}/readiness`, { key }), { status: 200 });
      }
      expect([(await read(made.id)).name, await isServed(made.url)]).toEqual(["Google", true]);
    });

    const CHANGES: readonly (readonly [name: string, change: (id: number, key: string) => Promise<Feed>])[] = [
      [
        "rotated",
        async (id, key) => (await fixture.api<Feed>("POST", `/api/feeds/${id}/rotate`, { key, body: {} })).body,
      ],
      ...[{ filters: { make: "Toyota" } }, { link_template: null }, { active: true }].map(
        (body) =>
          [
            `changed by ${JSON.stringify(body)}`,
            async (id: number, key: string) => (await fixture.api<Feed>("PUT", `/api/feeds/${id}`, { key, body })).body,
          ] as const,
      ),
    ];
    for (const [name, change] of CHANGES)
      test(`a feed that was ${name} is served by the rights of whoever did it, and no longer after their end`, async () => {
        const [, free] = await callers(FULL);
        for (const [caller, dealer_ids] of [
          [await keyOf({ dealer_id: NORTH, permissions: FULL }), [NORTH]],
          [free, null],
        ] as const) {
          if (caller === undefined) throw new Error("there is no caller");
          const made = await feedOf(NORTH, { dealer_ids });
          const { url = made.url } = await change(made.id, caller.api_key);
          expect(await isServed(url)).toBe(true);
          expect(await read(made.id)).toMatchObject({ stopped: null, by: { type: "key", id: caller.id } });
          await fixture.api("POST", `/api/keys/${caller.id}/revoke`);
          expect(await isServed(url)).toBe(false);
          expect(await read(made.id)).toMatchObject({ stopped: "not_readable" });
        }
      });

    test("a new name takes no feed over", async () => {
      const { id } = await feedOf(NORTH);
      const { by } = (await fixture.api<{ by: object }>("GET", `/api/feeds/${id}`)).body;
      const key = await keyOf({ dealer_id: NORTH, permissions: FULL });
      const renamed = await fixture.api("PUT", `/api/feeds/${id}`, { key: key.api_key, body: { name: "Ours" } });
      expectReply(renamed, { status: 200, has: { name: "Ours" } });
      expectReply(await fixture.api("GET", `/api/feeds/${id}`), { status: 200, has: { by } });
    });
  });
