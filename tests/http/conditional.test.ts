import { describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import { DIFFERING } from "../support/engines.ts";
import { create, dealerBody, NORTH, NOTHING, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const KINDS = [
  { name: "vehicle", path: "/api/vehicles", body: () => vehicleBody(NORTH), change: (n: number) => ({ mileage: n }) },
  {
    name: "dealer",
    path: "/api/dealers",
    body: () => dealerBody(),
    change: (n: number) => ({ phone: `503-555-${n}` }),
  },
];

const STRONG = /^"[^"]+"$/;

for (const engine of DIFFERING)
  describe(`conditional requests on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const tagOf = async (path: string): Promise<string> =>
      (await fixture.api("GET", path)).headers.get("etag") ?? "none";

    test("with names get another tag once the dealer is renamed, and If-Match takes the tag of each form", async () => {
      const dealer = await create(fixture.api, "/api/dealers", dealerBody({ name: "Harbor" }));
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(dealer.id));
      const read = (query: string, tag?: string) =>
        fixture.api(
          "GET",
          `/api/vehicles/${id}${query}`,
          tag === undefined ? {} : { headers: { "if-none-match": tag } },
        );
      const tagOf = async (query: string): Promise<string> => (await read(query)).headers.get("etag") ?? "none";
      const [plain, named, both] = [
        await tagOf(""),
        await tagOf("?include=names"),
        await tagOf("?include=images,names"),
      ];
      expect(await tagOf("?include=images,primary_image")).toBe(plain);
      expect(named).not.toBe(plain);
      expectReply(await read("?include=names", plain), { status: 200, has: { dealer_name: "Harbor" } });
      for (const [query, tag] of [
        ["", plain],
        ["?include=names", named],
        ["?include=images,names", both],
      ] as const)
        expectReply(await read(query, tag), { status: 304, gives: { etag: tag } });
      await fixture.api("PUT", `/api/dealers/${dealer.id}`, { body: { name: "Harbour" } });
      expectReply(await read("?include=names", named), { status: 200, has: { dealer_name: "Harbour" } });
      expectReply(await read("?include=images,names", both), { status: 200, has: { dealer_name: "Harbour" } });
      expectReply(await read("", plain), { status: 304 });
      const put = (tag: string) =>
        fixture.api("PUT", `/api/vehicles/${id}`, { body: { price: 7 }, headers: { "if-match": tag } });
      expectReply(await put(await tagOf("?include=names")), { status: 200 });
      expectReply(await put(named), { status: 412 });
    });

    test("with the tag of another dealer's vehicle get a bound key 403, never 304", async () => {
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
      const headers = { "if-none-match": await tagOf(`/api/vehicles/${id}`) };
      const { north, south } = fixture.records.keys;
      const statuses = [];
      for (const { api_key: key } of [north, south])
        statuses.push((await fixture.api("GET", `/api/vehicles/${id}`, { key, headers })).status);
      expect(statuses).toEqual([304, 403]);
    });

    for (const { name, path, body, change } of KINDS) {
      const fresh = async (): Promise<{ at: string; tag: string }> => {
        const at = `${path}/${(await create(fixture.api, path, body())).id}`;
        return { at, tag: await tagOf(at) };
      };

      test(`use a strong tag of a ${name}, the same for POST, GET, HEAD and PUT, and a new one after each change`, async () => {
        const created = await fixture.api<{ id: number }>("POST", path, { body: body() });
        const at = `${path}/${created.body.id}`;
        const tags = [created.headers.get("etag")];
        expect(tags[0]).toMatch(STRONG);
        expect(await tagOf(at)).toBe(tags[0] ?? "");
        expect((await fixture.api("HEAD", at)).headers.get("etag")).toBe(tags[0] ?? null);
        for (let number = 0; number < 5; number++) {
          const changed = await fixture.api("PUT", at, { body: change(number) });
          tags.push(changed.headers.get("etag"));
          expect(await tagOf(at)).toBe(tags.at(-1) ?? "");
        }
        expect(new Set(tags).size).toBe(6);
      });

      test(`use different tags for any two ${name}s, even if created at once`, async () => {
        const replies = await Promise.all(
          Array.from({ length: 20 }, () => fixture.api("POST", path, { body: body() })),
        );
        expect(new Set(replies.map(({ headers }) => headers.get("etag"))).size).toBe(20);
      });

      const UNCHANGED: { header: (tag: string) => string; status: 200 | 304 }[] = [
        { header: (tag) => tag, status: 304 },
        { header: (tag) => `W/${tag}`, status: 304 },
        { header: (tag) => `"other", ${tag}`, status: 304 },
        { header: () => "*", status: 304 },
        { header: () => '"other"', status: 200 },
        { header: () => "garbage", status: 200 },
        { header: (tag) => tag.slice(1, -1), status: 200 },
      ];
      for (const { header, status } of UNCHANGED)
        test(`that read a ${name} with If-None-Match: ${header('"tag"')} get ${status}, by GET and HEAD`, async () => {
          const { at, tag } = await fresh();
          for (const method of ["GET", "HEAD"]) {
            const reply = await fixture.api(method, at, { headers: { "if-none-match": header(tag) } });
            expectReply(reply, { status, gives: { etag: tag } });
            if (status === 304) expect([reply.text, reply.headers.get("content-type")]).toEqual(["", null]);
          }
        });

      const MATCHES: { header: (tag: string) => string; happens: boolean }[] = [
        { header: (tag) => tag, happens: true },
        { header: (tag) => `"other", ${tag}`, happens: true },
        { header: () => "*", happens: true },
        { header: () => '"other"', happens: false },
        { header: (tag) => `W/${tag}`, happens: false },
        { header: () => "garbage", happens: false },
        { header: (tag) => tag.slice(1, -1), happens: false },
      ];
      for (const { header, happens } of MATCHES)
        test(`that change or delete a ${name} with If-Match: ${header('"tag"')} ${happens ? "succeed" : "are refused"}`, async () => {
          const { at, tag } = await fresh();
          const before = (await fixture.api("GET", at)).body;
          const put = await fixture.api("PUT", at, { body: change(1), headers: { "if-match": header(tag) } });
          expectReply(put, happens ? { status: 200, has: change(1) } : { status: 412, code: "precondition_failed" });
          if (!happens) expect((await fixture.api("GET", at)).body).toEqual(before);
          const deleted = await fixture.api("DELETE", at, { headers: { "if-match": header(await tagOf(at)) } });
          expectReply(deleted, { status: happens ? 200 : 412 });
          if (!happens) expect((await fixture.api("GET", at)).body).toEqual(before);
        });

      test(`with the tag of a ${name} from before a change do not match`, async () => {
        const { at, tag } = await fresh();
        const headers = { "if-match": tag };
        expectReply(await fixture.api("PUT", at, { body: change(1), headers }), { status: 200 });
        expectReply(await fixture.api("PUT", at, { body: change(2), headers }), { status: 412 });
        expectReply(await fixture.api("DELETE", at, { headers }), { status: 412 });
        expectReply(await fixture.api("GET", at, { headers: { "if-none-match": tag } }), {
          status: 200,
          has: change(1),
        });
      });

      test(`with another ${name}'s tag do not match`, async () => {
        const [one, other] = [await fresh(), await fresh()];
        expectReply(await fixture.api("PUT", one.at, { body: change(1), headers: { "if-match": other.tag } }), {
          status: 412,
        });
      });

      test(`succeed for exactly one of 100 concurrent changes of one version of a ${name}`, async () => {
        const { at, tag } = await fresh();
        const replies = await Promise.all(
          Array.from({ length: 100 }, (_, number) =>
            fixture.api("PUT", at, { body: change(number), headers: { "if-match": tag } }),
          ),
        );
        const winners = replies.filter(({ status }) => status === 200);
        expect(winners).toHaveLength(1);
        expect(replies.filter(({ status }) => status === 412)).toHaveLength(99);
        expect((await fixture.api("GET", at)).body).toEqual(winners[0]?.body);
      });

      test(`with If-Match: * do not create a missing ${name}`, async () => {
        const reply = await fixture.api("PUT", `${path}/${NOTHING}`, { body: change(1), headers: { "if-match": "*" } });
        expectReply(reply, { status: 404 });
      });
    }
  });
