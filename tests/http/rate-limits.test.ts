import { describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import { freshAddress, type Reply } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { type CreatedKey, create, keyBody } from "../support/sample-records.ts";
import { EVERY_PAIR } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const standing = ({ headers }: Reply) => {
  const [, name, limit, window] = /^"(\w+)";q=(\d+);w=(\d+)$/.exec(headers.get("ratelimit-policy") ?? "") ?? [];
  const [, same, left, reset] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit") ?? "") ?? [];
  return { name, same, limit: Number(limit), window: Number(window), left: Number(left), reset: Number(reset) };
};

for (const engine of ANSWERING)
  describe(`rate limits on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const newKey = async (fields: object) =>
      (await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ permissions: EVERY_PAIR, ...fields }))).api_key;
    const list = (key: string | null, headers: Record<string, string> = {}) =>
      fixture.api("GET", "/api/vehicles?limit=1", { key, headers });

    for (const [app_type, limit] of [
      ["web", 100],
      ["desktop", 300],
      ["mobile", 200],
    ] as const)
      test(`let a ${app_type} key make exactly ${limit} requests a minute`, async () => {
        const key = await newKey({ app_type, rate_limit: null });
        const replies = await Promise.all(Array.from({ length: limit + 20 }, () => list(key)));
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(limit);
        expect(replies.filter(({ status }) => status === 429)).toHaveLength(20);
        expect(standing(replies[0] as Reply)).toMatchObject({ name: app_type, same: app_type, limit, window: 60 });
      });

    test("let exactly 50 of 200 concurrent requests pass with a limit of 50", async () => {
      const key = await newKey({ rate_limit: 50 });
      const replies = await Promise.all(Array.from({ length: 200 }, () => list(key)));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(50);
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(150);
    });

    test("are reported in every answer with the key's remaining requests, down to zero", async () => {
      const key = await newKey({ rate_limit: 4 });
      const seen = [];
      for (let request = 0; request < 4; request++) {
        const { left, reset, limit } = standing(await list(key));
        seen.push(left);
        expect(limit).toBe(4);
        expect(reset).toBeGreaterThanOrEqual(1);
        expect(reset).toBeLessThanOrEqual(120);
      }
      expect(seen).toEqual([3, 2, 1, 0]);
    });

    test("state in a refusal when to retry, never earlier than the limit's header", async () => {
      const key = await newKey({ rate_limit: 1 });
      await list(key);
      const reply = await list(key);
      expectReply(reply, { status: 429, code: "rate_limit_exceeded" });
      const { left, reset } = standing(reply);
      expect(left).toBe(0);
      expect(Number(reply.headers.get("retry-after"))).toBeGreaterThanOrEqual(reset);
      expect(Number(reply.headers.get("retry-after"))).toBeLessThanOrEqual(120);
    });

    test("count every authenticated request, whatever its outcome", async () => {
      const key = await newKey({ rate_limit: 7, permissions: [] });
      const requests: [method: string, path: string, sent: object][] = [
        ["GET", "/api/vehicles", {}],
        ["GET", "/api/vehicles/abc", {}],
        ["POST", "/api/vehicles", { raw: "{" }],
        ["HEAD", "/api/users", {}],
        ["DELETE", "/api/keys/1", {}],
        ["GET", "/api/vehicles", { headers: { "x-app-type": "desktop" } }],
        ["GET", "/api/audit", {}],
      ];
      for (const [index, [method, path, sent]] of requests.entries()) {
        const reply = await fixture.api(method, path, { key, ...sent });
        expect([method, path, standing(reply).left]).toEqual([method, path, 6 - index]);
      }
      expectReply(await list(key), { status: 429 });
    });

    test("do not count unknown paths, unknown methods and preflights for the key", async () => {
      const key = await newKey({ rate_limit: 2 });
      for (const [method, path, status] of [
        ["GET", "/api/nothing", 404],
        ["PATCH", "/api/vehicles", 405],
        ["OPTIONS", "/api/vehicles", 204],
        ["GET", "/health/live", 200],
      ] as const)
        expectReply(await fixture.api(method, path, { key }), { status, gives: { ratelimit: null } });
      expect(standing(await list(key)).left).toBe(1);
    });

    test("that are changed apply at once, also to earlier requests", async () => {
      const { id, api_key: key } = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ rate_limit: 2 }));
      for (let request = 0; request < 3; request++) await list(key);
      await fixture.api("PUT", `/api/keys/${id}`, { body: { rate_limit: 4 } });
      expect([(await list(key)).status, (await list(key)).status, (await list(key)).status]).toEqual([200, 200, 429]);
    });

    test("of one key are not used up by another", async () => {
      const [one, other] = [await newKey({ rate_limit: 1 }), await newKey({ rate_limit: 1 })];
      expect([(await list(one)).status, (await list(one)).status, (await list(other)).status]).toEqual([200, 429, 200]);
    });

    describe("of failed authentications", () => {
      const from = (address: string) => ({ "x-forwarded-for": address });

      test("answer 401 to 30 a minute from one address, then 429, for missing and wrong keys together", async () => {
        const address = freshAddress();
        const keys = [null, "x", "vis_web_x", "unknown-key-of-forty-characters-or-so-00"];
        const replies = await Promise.all(
          Array.from({ length: 45 }, (_, number) => list(keys[number % keys.length] ?? null, from(address))),
        );
        expect(replies.filter(({ status }) => status === 401)).toHaveLength(30);
        expect(replies.filter(({ status }) => status === 429)).toHaveLength(15);
      });

      test("let a valid key from that address pass, and answer another address with 401", async () => {
        const address = freshAddress();
        for (let request = 0; request < 31; request++) await list("wrong", from(address));
        expectReply(await list("wrong", from(address)), {
          status: 429,
          gives: { "retry-after": /^\d+$/, ratelimit: null },
        });
        expectReply(await list(fixture.service.superAdminKey, from(address)), { status: 200 });
        expectReply(await list("wrong", from(freshAddress())), { status: 401 });
      });

      test("cannot be avoided by forging an address in front of the proxy's", async () => {
        const address = freshAddress();
        for (let request = 0; request < 30; request++) await list("wrong", from(`${freshAddress()}, ${address}`));
        expectReply(await list("wrong", from(`${freshAddress()}, ${address}`)), { status: 429 });
      });

      test("treat all addresses of one IPv6 network as one client", async () => {
        for (let request = 0; request < 30; request++)
          await list("wrong", from(`2001:db8:1:2::${request.toString(16)}`));
        expectReply(await list("wrong", from("2001:db8:1:2:ffff::1")), { status: 429 });
        expectReply(await list("wrong", from("2001:db8:1:3::1")), { status: 401 });
      });
    });
  });
