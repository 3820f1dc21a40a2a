import { beforeAll, describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import type { Reply } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { create, imageBody, NORTH, NORTH_CAR, SOUTH, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const KEPT = "private, max-age=0, must-revalidate";
const LISTS = [
  "/api/vehicles",
  "/api/vehicles?include=names,primary_image&make=toyota",
  `/api/vehicles?dealer_id=${SOUTH}`,
  "/api/vehicles/facets",
  "/api/vehicles/facets?facets=days_on_lot",
  `/api/vehicles/facets?facets=dealer,make&dealer_id=${NORTH}`,
  `/api/dealers/${NORTH}/vehicles`,
  `/api/dealers/${NORTH}/vehicles?min_days_on_lot=0&sort=-days_on_lot`,
  `/api/dealers/${NORTH}/stats`,
];

/** When an answer says that it was made. */
const timeIn = ({ text }: Reply): string => /"timestamp":"([^"]+)"/.exec(text)?.[1] ?? "never";

for (const engine of ANSWERING)
  describe(`lists and figures of one dealer on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let key: string;
    beforeAll(() => {
      key = fixture.records.keys.north.api_key;
    });
    const read = (path: string, tag: string | null = null, method = "GET"): Promise<Reply> =>
      fixture.api(method, path, { key, ...(tag !== null && { headers: { "if-none-match": tag } }) });
    const tagOf = async (path: string): Promise<string> => (await read(path)).headers.get("etag") ?? "none";

    for (const path of LISTS) {
      test(`GET ${path} carries a weak tag, and answers 304 to a client that has it`, async () => {
        const reply = await read(path);
        const tag = reply.headers.get("etag") ?? "";
        expectReply(reply, { status: 200, gives: { etag: /^W\/"[\w-]+"$/, "cache-control": KEPT } });
        for (const known of [tag, tag.slice(2), `"another", ${tag}`]) {
          const kept = await read(path, known);
          expectReply(kept, { status: 304, gives: { etag: tag, "cache-control": KEPT, ratelimit: /r=/ } });
          expect(kept.text).toBe("");
        }
        expect((await read(path, tag, "HEAD")).status).toBe(304);
        expect((await read(path, '"another"')).status).toBe(200);
      });

      test(`GET ${path} has another tag after each change of the dealer's vehicles or images`, async () => {
        const tags = [await tagOf(path)];
        const vehicle = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH, { make: "Honda" }));
        tags.push(await tagOf(path));
        await fixture.api("POST", `/api/vehicles/${vehicle.id}/images`, { body: imageBody() });
        tags.push(await tagOf(path));
        await fixture.api("PUT", `/api/vehicles/${vehicle.id}`, { body: { description: "Not in the list" } });
        tags.push(await tagOf(path));
        await fixture.api("DELETE", `/api/vehicles/${vehicle.id}`);
        tags.push(await tagOf(path));
        expect(new Set(tags).size).toBe(tags.length);
        expect((await read(path, tags[0] ?? "")).status).toBe(200);
      });
    }

    testMovingClock("are kept, and given again with the present time only", async () => {
      for (const path of LISTS) {
        await read(path);
        const first = await read(path);
        await fixture.service.pass(1);
        const present = fixture.service.clock.now();
        const again = await read(path);
        expect(timeIn(first) < present && timeIn(again) > present).toBe(true);
        expect(again.text).toBe(first.text.replace(timeIn(first), timeIn(again)));
        for (const name of ["etag", "link", "x-total-count", "content-type"])
          expect(again.headers.get(name)).toBe(first.headers.get(name));
        expect((await read(path, null, "HEAD")).headers.get("etag")).toBe(first.headers.get("etag"));
      }
    });

    test("are given as they are now to callers with other rights, and after each change, while twelve read", async () => {
      const path = `/api/dealers/${NORTH}/vehicles?limit=100&include=names`;
      const { north, south } = fixture.records.keys;
      type Page = { readonly vehicles: readonly { readonly id: number; readonly dealer_name: string | null }[] };
      const page = async (): Promise<Page["vehicles"]> => JSON.parse((await read(path)).text).vehicles;
      const cars: number[] = [];
      for (let time = 0; time < 5; time++) {
        const made = create(fixture.api, "/api/vehicles", vehicleBody(NORTH)).then(({ id }) => void cars.push(id));
        await Promise.all([made, ...Array.from({ length: 12 }, page)]);
        expect((await page()).map(({ id }) => id)).toEqual(expect.arrayContaining(cars));
      }
      expect((await page())[0]?.dealer_name).toBeString();
      expect((await fixture.api("GET", path, { key: south.api_key })).status).toBe(403);
      await fixture.api("DELETE", `/api/keys/${north.id}/permissions/dealers/read`);
      expect((await page())[0]?.dealer_name).toBeNull();
      await fixture.api("PUT", `/api/keys/${north.id}/permissions/dealers/read`);
      expect((await page())[0]?.dealer_name).toBeString();
    });

    test("have tags that differ by the address, and that changes of another dealer leave alone", async () => {
      const all = [...LISTS, "/api/vehicles?limit=1", "/api/vehicles?limit=1&offset=1"];
      const tags = await Promise.all(all.map(tagOf));
      expect(new Set(tags).size).toBe(all.length);
      await create(fixture.api, "/api/vehicles", vehicleBody(SOUTH));
      expect(await Promise.all(all.map(tagOf))).toEqual(tags);
    });

    test("have another tag once the key may read more or the dealer's name changed", async () => {
      const path = "/api/vehicles?include=names";
      const before = await tagOf(path);
      await fixture.api("PUT", `/api/dealers/${NORTH}`, { body: { name: "Harbor Motors North" } });
      const renamed = await tagOf(path);
      const { id } = fixture.records.keys.north;
      await fixture.api("DELETE", `/api/keys/${id}/permissions/dealers/read`);
      const modest = await tagOf(path);
      await fixture.api("PUT", `/api/keys/${id}/permissions/dealers/read`);
      expect(new Set([before, renamed, modest]).size).toBe(3);
      expect(await tagOf(path)).toBe(renamed);
    });

    test("carry a tag for an unbound caller that names a dealer, except for facets, and none for all dealers", async () => {
      const tagged = async (path: string) => (await fixture.api("GET", path)).headers.get("etag") !== null;
      expect(await tagged(`/api/vehicles?dealer_id=${NORTH}`)).toBe(true);
      expect(await tagged(`/api/dealers/${NORTH}/stats`)).toBe(true);
      expect(await tagged("/api/vehicles")).toBe(false);
      expect(await tagged("/api/vehicles/facets")).toBe(false);
      expect(await tagged(`/api/vehicles/facets?dealer_id=${NORTH}`)).toBe(false);
      const reply = await fixture.api("GET", "/api/vehicles", { headers: { "if-none-match": "*" } });
      expectReply(reply, { status: 200, gives: { "cache-control": "private, no-cache" } });
    });

    test("are refused as ever, whatever tag is sent, and a refusal carries none", async () => {
      const tag = await tagOf(`/api/dealers/${NORTH}/vehicles`);
      for (const [path, status] of [
        [`/api/dealers/${SOUTH}/vehicles`, 403],
        [`/api/dealers/${SOUTH}/stats`, 403],
        ["/api/dealers/999999/vehicles", 404],
        ["/api/vehicles?limit=0", 400],
        ["/api/vehicles?cursor=forged", 400],
      ] as const)
        for (const known of [tag, "*"])
          expectReply(await read(path, known), { status, gives: { etag: null, "cache-control": "no-store" } });
      expect((await read(`/api/vehicles/${NORTH_CAR}`)).headers.get("etag")).toStartWith('"');
      expect((await read("/api/vehicles", "*")).status).toBe(304);
    });
  });
