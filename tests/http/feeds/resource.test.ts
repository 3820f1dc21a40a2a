import { describe, expect, test } from "bun:test";
import { ENGINES } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { type CreatedKey, create, feedBody, keyBody, NORTH, SOUTH, SOUTH_MARK } from "../../support/sample-records.ts";
import { pairs } from "../../support/service.ts";
import { type Feed, feedsOn } from "./feeds.ts";

for (const engine of ENGINES)
  describe(`feeds on ${engine.name}`, () => {
    const { fixture, feedOf, fetched, columnOf, read } = feedsOn(engine);

    describe("are a resource that", () => {
      test("shows its address once, with the defaults filled in, and never again", async () => {
        const reply = await fixture.api<Feed>("POST", "/api/feeds", { body: feedBody(NORTH) });
        expect(reply).toMatchObject({ status: 201 });
        expect(reply.headers.get("location")).toBe(`/api/feeds/${reply.body.id}`);
        expect(reply.headers.get("cache-control")).toBe("no-store");
        expect(reply.body).toMatchObject({
          dealer_ids: [NORTH],
          filters: {},
          currency: "USD",
          country: "US",
          mileage_unit: "mi",
          max_drop_percent: 50,
          active: true,
          held: null,
          fetches: [],
        });
        const [, token = ""] = /\/feeds\/\d+\/([\w-]{43})\/vehicles\.csv$/.exec(reply.body.url) ?? [];
        expect(token).toHaveLength(43);
        for (const path of [`/api/feeds/${reply.body.id}`, "/api/feeds", "/api/audit"])
          expect((await fixture.api("GET", path)).text).not.toContain(token);
      });

      const CASES: readonly (readonly [fields: object, path: string])[] = [
        [{ channel: "craigslist" }, "channel"],
        [{ dealer_ids: [] }, "dealer_ids"],
        [{ dealer_ids: [999_999] }, "dealer_ids"],
        [{ link_template: "ftp://example.com/{vin}" }, "link_template"],
        [{ link_template: "https://www.example.com/{wheels}" }, "link_template"],
        [{ link_template: "https://user:word@www.example.com/{vin}" }, "link_template"],
        [{ filters: { min_price: -1 } }, "filters.min_price"],
        [{ filters: { created_since: "2026-99-99T00:00:00Z" } }, "filters.created_since"],
        [{ currency: "dollars" }, "currency"],
        [{ store_codes: { north: "A" } }, "store_codes"],
        [{ max_drop_percent: 101 }, "max_drop_percent"],
      ];
      for (const [fields, path] of CASES)
        test(`refuses ${JSON.stringify(fields)}`, async () => {
          const reply = await fixture.api<{ details: { path: string }[] }>("POST", "/api/feeds", {
            body: feedBody(NORTH, fields),
          });
          expect(reply.status).toBe(400);
          expect(
            reply.body.details.map((issue) => issue.path.split(".").slice(0, path.split(".").length).join(".")),
          ).toEqual([path]);
        });

      test("says of each filter why it is refused, as a bulk change does", async () => {
        const { id } = await feedOf(NORTH);
        const filters = { min_price: -1, status: "parked", mark: "Toyota", radius: 5 };
        const bulk = await fixture.api<{ details: { path: string; message: string }[] }>("POST", "/api/vehicles/bulk", {
          body: { filter: filters, changes: { price: 5 }, dry_run: true },
        });
        const reasons = bulk.body.details.map(({ path, message }) => ({
          path: path.replace("filter.", "filters."),
          message,
        }));
        expect(reasons).toContainEqual({
          path: "filters.min_price",
          message: `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`,
        });
        expect(reasons).toContainEqual({ path: "filters.status", message: "must be one of available, sold, pending" });
        expect(reasons).toHaveLength(4);
        for (const [method, path, body] of [
          ["POST", "/api/feeds", feedBody(NORTH, { filters })],
          ["PUT", `/api/feeds/${id}`, { filters }],
        ] as const) {
          const reply = await fixture.api<{ details: unknown[] }>(method, path, { body });
          expect(reply.status).toBe(400);
          expect(reply.body.details).toEqual(reasons);
        }
      });

      test("changes only the sent fields; a stale If-Match changes nothing", async () => {
        const { id, url } = await feedOf(NORTH, { max_drop_percent: 20 });
        const path = `/api/feeds/${id}`;
        const first = await fixture.api("GET", path);
        const tag = first.headers.get("etag") ?? "";
        await fetched(url);
        await eventually(
          () => read(id),
          ({ fetches }) => fetches.length === 1,
        );
        expect((await fixture.api("GET", path)).headers.get("etag")).not.toBe(tag);
        // A fetch makes another version for reading, but not for the precondition of a change.
        const headers = { "if-match": tag };
        const changed = await fixture.api<Feed>("PUT", path, { body: { name: "One" }, headers });
        expect(changed).toMatchObject({ status: 200, body: { name: "One", max_drop_percent: 20 } });
        const stale = await fixture.api("PUT", path, { body: { name: "Two" }, headers });
        expect(stale.status).toBe(412);
        expect(await read(id)).toMatchObject({ name: "One" });
      });

      test("is listed page by page with a cursor", async () => {
        await feedOf(NORTH);
        await feedOf(NORTH);
        interface Page {
          readonly data: readonly Feed[];
          readonly meta: { readonly next_cursor: string | null; readonly total: number };
        }
        const first = (await fixture.api<Page>("GET", "/api/feeds?limit=1")).body;
        const next = (await fixture.api<Page>("GET", `/api/feeds?limit=1&cursor=${first.meta.next_cursor}`)).body;
        expect(next.data[0]?.id).toBeLessThan(first.data[0]?.id ?? 0);
        expect(next.meta.total).toBeGreaterThan(1);
      });
    });

    describe("respect rights:", () => {
      const keyOf = (fields: object) => create<CreatedKey>(fixture.api, "/api/keys", keyBody(fields));

      test("a bound key's feed has only its dealer's vehicles, whatever the body says", async () => {
        const maker = await keyOf({
          dealer_id: NORTH,
          permissions: pairs("feeds:write", "feeds:read", "vehicles:read"),
        });
        for (const dealer_ids of [[SOUTH], null, [NORTH, SOUTH]]) {
          const made = await fixture.api<Feed>("POST", "/api/feeds", {
            key: maker.api_key,
            body: feedBody(NORTH, { dealer_ids, filters: { dealer_id: SOUTH } }),
          });
          expect(made).toMatchObject({ status: 201, body: { dealer_ids: [NORTH], filters: { dealer_id: NORTH } } });
          expect(await columnOf(made.body.url, "dealer_id")).toContain(NORTH);
          expect(await (await fetched(made.body.url)).text()).not.toContain(SOUTH_MARK);
          const changed = await fixture.api<Feed>("PUT", `/api/feeds/${made.body.id}`, {
            key: maker.api_key,
            body: { dealer_ids: [SOUTH], filters: {} },
          });
          expect(changed.body.dealer_ids).toEqual([NORTH]);
          expect(await (await fetched(made.body.url)).text()).not.toContain(SOUTH_MARK);
        }
      });

      test("a feed of several dealers does not exist for a bound key", async () => {
        const maker = await keyOf({
          dealer_id: NORTH,
          permissions: pairs("feeds:write", "feeds:read", "feeds:delete", "vehicles:read"),
        });
        const { id } = await feedOf(NORTH, { dealer_ids: [NORTH, SOUTH] });
        for (const [method, path] of [
          ["GET", ""],
          ["POST", "/rotate"],
          ["POST", "/release"],
          ["DELETE", ""],
        ] as const)
          expect((await fixture.api(method, `/api/feeds/${id}${path}`, { key: maker.api_key })).status).toBe(404);
      });

      const LOSSES: readonly (readonly [name: string, lose: (key: number) => Promise<unknown>])[] = [
        ["is revoked", (key) => fixture.api("POST", `/api/keys/${key}/revoke`)],
        ["loses vehicles:read", (key) => fixture.api("DELETE", `/api/keys/${key}/permissions/vehicles/read`)],
        ["is bound to another dealer", (key) => fixture.api("PUT", `/api/keys/${key}`, { body: { dealer_id: SOUTH } })],
        ["is deleted", (key) => fixture.api("DELETE", `/api/keys/${key}`)],
      ];
      for (const [name, lose] of LOSSES)
        test(`a feed stops when the key that created it ${name}, until another key takes it over`, async () => {
          const maker = await keyOf({
            dealer_id: NORTH,
            permissions: pairs("feeds:write", "vehicles:read", "feeds:read"),
          });
          const { url, id } = (
            await fixture.api<Feed>("POST", "/api/feeds", { key: maker.api_key, body: feedBody(NORTH) })
          ).body;
          expect((await fetched(url)).status).toBe(200);
          const sent = await eventually(
            () => fixture.api<Feed>("GET", `/api/feeds/${id}`),
            ({ body }) => body.fetches.length === 1,
          );
          expect(sent.body.stopped).toBeNull();
          await lose(maker.id);
          // The feed says so, also to a client that has read it before.
          const known = { "if-none-match": sent.headers.get("etag") ?? "" };
          const stopped = await fixture.api<Feed>("GET", `/api/feeds/${id}`, { headers: known });
          expect(stopped).toMatchObject({ status: 200, body: { stopped: "not_readable", active: true, held: null } });
          expect((await fixture.api("GET", `/api/feeds/${id}`, { headers: known })).status).toBe(200);
          for (const method of ["GET", "HEAD"]) expect((await fetched(url, {}, method)).status).toBe(503);
          await fixture.api("PUT", `/api/feeds/${id}`, { body: { name: "Renamed" } });
          expect((await fetched(url)).status).toBe(503);
          const taken = await fixture.api("PUT", `/api/feeds/${id}`, {
            body: { dealer_ids: [NORTH] },
            headers: { "if-match": (await fixture.api("GET", `/api/feeds/${id}`)).headers.get("etag") ?? "" },
          });
          expect(taken).toMatchObject({ status: 200, body: { stopped: null } });
          expect((await fetched(url)).status).toBe(200);
        });
    });
  });
