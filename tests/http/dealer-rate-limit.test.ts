import { describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { type CreatedKey, create, dealerBody, keyBody, userBody } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const SHARED = 20;

for (const engine of ANSWERING)
  describe(`the rate limit of a dealer on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { DEALER_RATE_LIMIT: String(SHARED) });
    const dealer = async () => (await create(fixture.api, "/api/dealers", dealerBody())).id;
    const key = async (fields: object) =>
      (await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ rate_limit: 50, ...fields }))).api_key;
    const read = (one: string) => fixture.api("GET", "/api/vehicles?limit=1", { key: one });
    const admittedOf = async (keys: readonly string[]): Promise<number> => {
      const replies = await Promise.all(keys.map(read));
      return replies.filter(({ status }) => status === 200).length;
    };
    const times = (count: number, one: string) => Array.from({ length: count }, () => one);

    test("covers all keys of the dealer and its users together, and no other dealer", async () => {
      const [dealer_id, other] = [await dealer(), await dealer()];
      const { id: user_id } = await create(fixture.api, "/api/users", userBody({ dealer_id }));
      const keys = await Promise.all([...Array.from({ length: 9 }, () => key({ dealer_id })), key({ user_id })]);
      expect(await admittedOf(keys.flatMap((one) => times(5, one)))).toBe(SHARED);
      expect(await admittedOf(times(SHARED + 5, await key({ dealer_id: other })))).toBe(SHARED);
    });

    test("is named in a refusal and its headers, with the time to retry", async () => {
      const dealer_id = await dealer();
      const [one, two] = [await key({ dealer_id }), await key({ dealer_id })];
      await admittedOf(times(SHARED, one));
      const reply = await read(two);
      expectReply(reply, {
        status: 429,
        code: "rate_limit_exceeded",
        gives: {
          "ratelimit-policy": `"dealer";q=${SHARED};w=60`,
          ratelimit: /^"dealer";r=0;t=[0-9]+$/,
          "retry-after": /^[1-9][0-9]*$/,
        },
      });
      expect((reply.body as { error: string }).error).toContain(
        `${SHARED} requests a minute that all keys of the dealer share`,
      );
    });

    test("is shown in the headers if it is tighter than the key's own", async () => {
      const dealer_id = await dealer();
      const [narrow, wide] = [await key({ dealer_id, rate_limit: 3 }), await key({ dealer_id })];
      expectReply(await read(narrow), { status: 200, gives: { ratelimit: /^"web";r=2;/ } });
      expectReply(await read(wide), { status: 200, gives: { ratelimit: new RegExp(`^"dealer";r=${SHARED - 2};`) } });
    });

    test("does not count requests that a key's own limit refuses", async () => {
      const dealer_id = await dealer();
      expect(await admittedOf(times(40, await key({ dealer_id, rate_limit: 3 })))).toBe(3);
      expect(await admittedOf(times(40, await key({ dealer_id })))).toBe(SHARED - 3);
    });

    test("refuses requests without counting them for the key", async () => {
      const dealer_id = await dealer();
      const [one, two] = [await key({ dealer_id }), await key({ dealer_id, rate_limit: SHARED })];
      await admittedOf(times(SHARED, one));
      expect(await admittedOf(times(40, two))).toBe(0);
      const { id } = (
        await fixture.api<{ id: number }[]>("GET", `/api/keys?dealer_id=${dealer_id}&sort=created&limit=1`)
      ).body[0] ?? { id: 0 };
      expectReply(await fixture.api("PUT", `/api/keys/${id}`, { body: { dealer_id: await dealer() } }), {
        status: 200,
      });
      expect(await admittedOf(times(40, two))).toBe(SHARED);
    });

    test("is not used up by whoever uses the dealer's public keys, which share another", async () => {
      const dealer_id = await dealer();
      const onPage = () => key({ dealer_id, public: true, permissions: pairs("vehicles:read") });
      expect(await admittedOf((await Promise.all([onPage(), onPage()])).flatMap((one) => times(15, one)))).toBe(SHARED);
      expect(await admittedOf(times(SHARED + 5, await key({ dealer_id })))).toBe(SHARED);
    });

    test("is replaced by the dealer's own from its change on, also to none again", async () => {
      const dealer_id = await dealer();
      const one = await key({ dealer_id });
      const limitAfter = async (rate_limit: number | null) => {
        expectReply(await fixture.api("PUT", `/api/dealers/${dealer_id}`, { body: { rate_limit } }), { status: 200 });
        return (await read(one)).headers.get("ratelimit-policy");
      };
      const limits = [await limitAfter(5), await limitAfter(6), await limitAfter(null)];
      expect(limits).toEqual([5, 6, SHARED].map((limit) => `"dealer";q=${limit};w=60`));
    });

    test("does not apply to keys without a dealer", async () => {
      const one = await key({});
      expect(await admittedOf(times(SHARED + 5, one))).toBe(SHARED + 5);
      expectReply(await read(one), { status: 200, gives: { ratelimit: /^"web"/ } });
    });
  });
