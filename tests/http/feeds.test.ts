import { beforeAll, describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { freshAddress } from "../support/client.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { sceneOn } from "../support/scene.ts";
import { pairs, TIME_CAN_PASS } from "../support/service.ts";
import { heldSnapshots } from "../support/snapshots.ts";
import { readOn, unread } from "../support/unread.ts";
import {
  type CreatedKey,
  create,
  dealerBody,
  feedBody,
  imageBody,
  keyBody,
  NORTH,
  SOUTH,
  SOUTH_MARK,
  vehicleBody,
} from "../support/world.ts";

interface Feed {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly dealer_ids: readonly number[] | null;
  readonly held: { readonly rows: number; readonly before: number } | null;
  readonly fetches: readonly { readonly status: number; readonly rows: number | null; readonly address: string }[];
  readonly currency: string;
  readonly active: boolean;
  readonly max_drop_percent: number;
}

const WITHIN_MS = 60_000;
const HOUR_SECONDS = 3600;

const codeOf = async (reply: Response): Promise<string> => ((await reply.json()) as { code: string }).code;

for (const engine of ENGINES)
  describe(`feeds on ${engine.name}`, () => {
    const scene = sceneOn(engine);

    const feedOf = (dealer: number, fields: object = {}): Promise<Feed> =>
      create<Feed>(scene.api, "/api/feeds", feedBody(dealer, fields));
    const fetched = (url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
      fetch(url, { method, headers });
    /** The values of a column of a feed in lines of JSON. */
    const columnOf = async (url: string, column: string): Promise<unknown[]> =>
      (await (await fetched(url.replace(/\.\w+$/, ".ndjson"))).text())
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)[column]);
    /** A dealer with this many vehicles. */
    const lot = async (size: number): Promise<{ readonly dealer: number; readonly vehicles: readonly number[] }> => {
      const { id: dealer } = await create(scene.api, "/api/dealers", dealerBody());
      const vehicles: number[] = [];
      for (let made = 0; made < size; made++)
        vehicles.push((await create(scene.api, "/api/vehicles", vehicleBody(dealer, { stock_number: `S${made}` }))).id);
      return { dealer, vehicles };
    };
    const remove = async (ids: readonly number[]): Promise<void> => {
      for (const id of ids) await scene.api("DELETE", `/api/vehicles/${id}`);
    };
    const read = async (id: number): Promise<Feed> => (await scene.api<Feed>("GET", `/api/feeds/${id}`)).body;

    describe("the resource", () => {
      test("answers its address once, with the defaults filled in, and never again", async () => {
        const reply = await scene.api<Feed>("POST", "/api/feeds", { body: feedBody(NORTH) });
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
          expect((await scene.api("GET", path)).text).not.toContain(token);
      });

      const CASES: readonly (readonly [fields: object, path: string])[] = [
        [{ channel: "craigslist" }, "channel"],
        [{ dealer_ids: [] }, "dealer_ids"],
        [{ dealer_ids: [999_999] }, "dealer_ids"],
        [{ link_template: "ftp://example.com/{vin}" }, "link_template"],
        [{ link_template: "https://www.example.com/{wheels}" }, "link_template"],
        [{ filters: { min_price: -1 } }, "filters.min_price"],
        [{ filters: { created_since: "2026-99-99T00:00:00Z" } }, "filters.created_since"],
        [{ currency: "dollars" }, "currency"],
        [{ store_codes: { north: "A" } }, "store_codes"],
        [{ max_drop_percent: 101 }, "max_drop_percent"],
      ];
      for (const [fields, path] of CASES)
        test(`refuses ${JSON.stringify(fields)}`, async () => {
          const reply = await scene.api<{ details: { path: string }[] }>("POST", "/api/feeds", {
            body: feedBody(NORTH, fields),
          });
          expect(reply.status).toBe(400);
          expect(
            reply.body.details.map((issue) => issue.path.split(".").slice(0, path.split(".").length).join(".")),
          ).toEqual([path]);
        });

      test("changes what is sent and nothing else; a stale If-Match changes nothing", async () => {
        const { id, url } = await feedOf(NORTH, { max_drop_percent: 20 });
        const path = `/api/feeds/${id}`;
        const first = await scene.api("GET", path);
        const tag = first.headers.get("etag") ?? "";
        await fetched(url);
        await eventually(
          () => read(id),
          ({ fetches }) => fetches.length === 1,
          WITHIN_MS,
        );
        expect((await scene.api("GET", path)).headers.get("etag")).not.toBe(tag);
        // A fetch is shown as another version, but is no change that somebody must have seen.
        const headers = { "if-match": tag };
        const changed = await scene.api<Feed>("PUT", path, { body: { name: "One" }, headers });
        expect(changed).toMatchObject({ status: 200, body: { name: "One", max_drop_percent: 20 } });
        const stale = await scene.api("PUT", path, { body: { name: "Two" }, headers });
        expect(stale.status).toBe(412);
        expect(await read(id)).toMatchObject({ name: "One" });
      });

      test("pages by cursor", async () => {
        await feedOf(NORTH);
        await feedOf(NORTH);
        interface Page {
          readonly data: readonly Feed[];
          readonly meta: { readonly next_cursor: string | null; readonly total: number };
        }
        const first = (await scene.api<Page>("GET", "/api/feeds?limit=1")).body;
        const next = (await scene.api<Page>("GET", `/api/feeds?limit=1&cursor=${first.meta.next_cursor}`)).body;
        expect(next.data[0]?.id).toBeLessThan(first.data[0]?.id ?? 0);
        expect(next.meta.total).toBeGreaterThan(1);
      });
    });

    describe("an address", () => {
      test("has the dealer's vehicles for sale alone, in each form, and packed", async () => {
        const { dealer, vehicles } = await lot(3);
        await scene.api("PUT", `/api/vehicles/${vehicles[0]}`, { body: { status: "sold" } });
        const { url } = await feedOf(dealer);
        expect(await columnOf(url, "stock_number")).toEqual(["S2", "S1"]);
        const plain = await (await fetched(url)).text();
        expect(plain.split("\r\n").length).toBe(4);
        const packed = await fetched(`${url}.gz`);
        expect(packed.headers.get("content-type")).toBe("application/gzip");
        expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(plain);
        expect((await fetched(url.replace(/csv$/, "tsv"))).headers.get("content-type")).toContain("tab-separated");
        expect((await fetched(url.replace(/csv$/, "xml"))).status).toBe(404);
      });

      test("mixes several dealers, the newest first, and leaves others out", async () => {
        const [one, other] = [await lot(2), await lot(2)];
        const late = await create(scene.api, "/api/vehicles", vehicleBody(one.dealer));
        const { url } = await feedOf(one.dealer, { dealer_ids: [one.dealer, other.dealer] });
        expect(await columnOf(url, "id")).toEqual([late.id, ...[...one.vehicles, ...other.vehicles].reverse()]);
        const all = await feedOf(NORTH, { dealer_ids: null });
        const { text } = await scene.api("GET", "/api/vehicles?status=available&status=pending&limit=1000");
        expect(await columnOf(all.url, "id")).toEqual(
          (JSON.parse(text) as { vehicles: { id: number }[] }).vehicles.map(({ id }) => id),
        );
      });

      test.if(TIME_CAN_PASS)("answers 304 until something that it tells changes, by tag and by time", async () => {
        const { dealer, vehicles } = await lot(1);
        const { url, id } = await feedOf(dealer);
        const path = `/api/vehicles/${vehicles[0]}`;
        const changes: readonly (() => Promise<unknown>)[] = [
          () => scene.api("PUT", path, { body: { price: 999 } }),
          () => scene.api("PUT", path, { body: { description: "Another one" } }),
          () => create(scene.api, `${path}/images`, imageBody()),
          () => scene.api("PUT", `/api/dealers/${dealer}`, { body: { phone: "503-555-0177" } }),
          () => scene.api("PUT", `/api/feeds/${id}`, { body: { country: "CA" } }),
          () => create(scene.api, "/api/vehicles", vehicleBody(dealer)),
          () => scene.api("DELETE", path),
        ];
        for (const change of changes) {
          const before = await fetched(url);
          await before.text();
          const [tag, since] = [before.headers.get("etag") ?? "", before.headers.get("last-modified") ?? ""];
          for (const headers of [{ "if-none-match": tag }, { "if-modified-since": since }])
            for (const method of ["GET", "HEAD"]) expect((await fetched(url, headers, method)).status).toBe(304);
          await change();
          for (const headers of [{ "if-none-match": tag }, { "if-modified-since": since }])
            expect((await fetched(url, headers, "HEAD")).status).toBe(200);
          await scene.service.pass(HOUR_SECONDS);
        }
        const before = await fetched(url);
        await create(scene.api, "/api/vehicles", vehicleBody(SOUTH));
        expect((await fetched(url, { "if-none-match": before.headers.get("etag") ?? "" })).status).toBe(304);
      });

      test("is a 404 for each wrong token, whether there is the feed or not, which counts as failed authentications", async () => {
        const { url, id } = await feedOf(NORTH);
        const token = url.split("/").at(-2) ?? "";
        const { origin } = new URL(url);
        const address = freshAddress();
        const guesses = [
          `${origin}/feeds/${id}/${"A".repeat(43)}/vehicles.csv`,
          `${origin}/feeds/999999/${token}/vehicles.csv`,
          `${origin}/feeds/${id}/${token.slice(0, -1)}/vehicles.csv`,
          `${origin}/feeds/x/${token}/vehicles.csv`,
        ];
        const answers = new Set<string>();
        for (const guess of guesses) {
          const reply = await fetched(guess, { "x-forwarded-for": address });
          answers.add(`${reply.status} ${await codeOf(reply)}`);
        }
        expect([...answers]).toEqual(["404 not_found"]);
        for (let guess = guesses.length; guess < 30; guess++)
          expect((await fetched(guesses[0] ?? "", { "x-forwarded-for": address })).status).toBe(404);
        const late = await fetched(guesses[0] ?? "", { "x-forwarded-for": address });
        expect([late.status, Number(late.headers.get("retry-after")) > 0]).toEqual([429, true]);
        expect((await fetched(url, { "x-forwarded-for": address })).status).toBe(200);
      });

      test.if(TIME_CAN_PASS)(
        "is served 60 times an hour, 304 and HEAD included, then 429, however many ask at once",
        async () => {
          const { url } = await feedOf(NORTH);
          const replies = await Promise.all(Array.from({ length: 200 }, () => fetched(url, {}, "HEAD")));
          const statuses = replies.map(({ status }) => status);
          expect(statuses.filter((status) => status === 200)).toHaveLength(60);
          expect(statuses.filter((status) => status === 429)).toHaveLength(140);
          const seconds = Number((await fetched(url)).headers.get("retry-after"));
          expect(seconds).toBeGreaterThan(3500);
          await scene.service.pass(HOUR_SECONDS);
          expect((await fetched(url)).status).toBe(200);
        },
      );

      test("says that the feed is off, and that it is gone", async () => {
        const { url, id } = await feedOf(NORTH);
        await scene.api("PUT", `/api/feeds/${id}`, { body: { active: false } });
        const off = await fetched(url);
        expect([off.status, Number(off.headers.get("retry-after")) > 0]).toEqual([503, true]);
        await scene.api("PUT", `/api/feeds/${id}`, { body: { active: true } });
        expect((await fetched(url)).status).toBe(200);
        expect((await scene.api("DELETE", `/api/feeds/${id}`)).status).toBe(200);
        const gone = await fetched(url);
        expect([gone.status, await codeOf(gone)]).toEqual([410, "gone"]);
        expect((await scene.api("GET", `/api/feeds/${id}`)).status).toBe(404);
        expect((await fetched(url.replace(/[\w-]{43}/, "A".repeat(43)))).status).toBe(404);
      });

      test.if(TIME_CAN_PASS)(
        "changes by rotation: the one before works until its grace ends, older ones end at once",
        async () => {
          const { url, id } = await feedOf(NORTH);
          const rotate = async (body: object) =>
            (await scene.api<Feed>("POST", `/api/feeds/${id}/rotate`, { body })).body.url;
          const second = await rotate({ grace_seconds: 600 });
          expect([(await fetched(url)).status, (await fetched(second)).status]).toEqual([200, 200]);
          const third = await rotate({ grace_seconds: 600 });
          expect([(await fetched(url)).status, (await fetched(second)).status, (await fetched(third)).status]).toEqual([
            404, 200, 200,
          ]);
          await scene.service.pass(601);
          expect([(await fetched(second)).status, (await fetched(third)).status]).toEqual([404, 200]);
          const fourth = await rotate({});
          expect([(await fetched(third)).status, (await fetched(fourth)).status]).toEqual([404, 200]);
        },
      );

      test("never stands in the log, with its token", async () => {
        const { url } = await feedOf(NORTH);
        const token = url.split("/").at(-2) ?? "";
        await (await fetched(url)).text();
        await fetched(url.replace(/csv$/, "xml"));
        await fetched(url, { "user-agent": `Fetcher/1 ${token}` });
        await fetched(url, { "x-request-id": "the-last-fetch" });
        const log = await eventually(scene.service.log, (text) => text.includes("the-last-fetch"), WITHIN_MS);
        expect(log).toContain("/feeds/:id/:token/:file");
        expect(log).not.toContain(token);
      });
    });

    describe("a feed is held", () => {
      test("when more than 3 rows and more than its percent are gone, until it is released", async () => {
        const { dealer, vehicles } = await lot(10);
        const { url, id } = await feedOf(dealer);
        expect(await columnOf(url, "id")).toHaveLength(10);
        await remove(vehicles.slice(0, 5));
        expect(await columnOf(url, "id")).toHaveLength(5);
        // 3 of 5 are 60 %, and few.
        await remove(vehicles.slice(5, 8));
        expect(await columnOf(url, "id")).toHaveLength(2);
        for (let made = 0; made < 6; made++) await create(scene.api, "/api/vehicles", vehicleBody(dealer));
        expect(await columnOf(url, "id")).toHaveLength(8);
        const before = await fetched(url, {}, "HEAD");
        await scene.api("PUT", `/api/feeds/${id}`, { body: { filters: { make: "Nobody" } } });
        const held = await fetched(url);
        expect([held.status, Number(held.headers.get("retry-after")) > 0]).toEqual([503, true]);
        expect(held.headers.get("etag")).toBeNull();
        expect(await read(id)).toMatchObject({ held: { rows: 0, before: 8 } });
        // What brings the vehicles back does not release it.
        await scene.api("PUT", `/api/feeds/${id}`, { body: { filters: {} } });
        for (const method of ["GET", "HEAD"])
          expect((await fetched(url, { "if-none-match": before.headers.get("etag") ?? "" }, method)).status).toBe(503);
        await scene.api("PUT", `/api/feeds/${id}`, { body: { filters: { make: "Nobody" } } });
        expect(await scene.api<Feed>("POST", `/api/feeds/${id}/release`)).toMatchObject({
          status: 200,
          body: { held: null },
        });
        expect(await columnOf(url, "id")).toEqual([]);
        const { fetches } = await eventually(
          () => read(id),
          (one) => one.fetches.length > 8,
          WITHIN_MS,
        );
        expect(fetches.find(({ status }) => status === 503)).toMatchObject({ rows: null });
        expect(fetches[0]).toMatchObject({ status: 200, rows: 0, left_out: 0 });
      });
    });

    describe("rights", () => {
      const keyOf = (fields: object) => create<CreatedKey>(scene.api, "/api/keys", keyBody(fields));

      test("a bound key's feed has its dealer's vehicles, whatever the body says", async () => {
        const maker = await keyOf({
          dealer_id: NORTH,
          permissions: pairs("feeds:write", "feeds:read", "vehicles:read"),
        });
        for (const dealer_ids of [[SOUTH], null, [NORTH, SOUTH]]) {
          const made = await scene.api<Feed>("POST", "/api/feeds", {
            key: maker.api_key,
            body: feedBody(NORTH, { dealer_ids, filters: { dealer_id: SOUTH } }),
          });
          expect(made).toMatchObject({ status: 201, body: { dealer_ids: [NORTH] } });
          expect(await (await fetched(made.body.url)).text()).not.toContain(SOUTH_MARK);
          const changed = await scene.api<Feed>("PUT", `/api/feeds/${made.body.id}`, {
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
          permissions: pairs("feeds:write", "feeds:read", "feeds:delete"),
        });
        const { id } = await feedOf(NORTH, { dealer_ids: [NORTH, SOUTH] });
        for (const [method, path] of [
          ["GET", ""],
          ["POST", "/rotate"],
          ["POST", "/release"],
          ["DELETE", ""],
        ] as const)
          expect((await scene.api(method, `/api/feeds/${id}${path}`, { key: maker.api_key })).status).toBe(404);
      });

      const LOSSES: readonly (readonly [name: string, lose: (key: number) => Promise<unknown>])[] = [
        ["is revoked", (key) => scene.api("POST", `/api/keys/${key}/revoke`)],
        ["loses vehicles:read", (key) => scene.api("DELETE", `/api/keys/${key}/permissions/vehicles/read`)],
        ["is bound to another dealer", (key) => scene.api("PUT", `/api/keys/${key}`, { body: { dealer_id: SOUTH } })],
        ["is deleted", (key) => scene.api("DELETE", `/api/keys/${key}`)],
      ];
      for (const [name, lose] of LOSSES)
        test(`a feed stops when the key that made it ${name}, until somebody else takes it over`, async () => {
          const maker = await keyOf({
            dealer_id: NORTH,
            permissions: pairs("feeds:write", "vehicles:read", "feeds:read"),
          });
          const { url, id } = (
            await scene.api<Feed>("POST", "/api/feeds", { key: maker.api_key, body: feedBody(NORTH) })
          ).body;
          expect((await fetched(url)).status).toBe(200);
          await lose(maker.id);
          for (const method of ["GET", "HEAD"]) expect((await fetched(url, {}, method)).status).toBe(503);
          await scene.api("PUT", `/api/feeds/${id}`, { body: { name: "Renamed" } });
          expect((await fetched(url)).status).toBe(503);
          await scene.api("PUT", `/api/feeds/${id}`, { body: { dealer_ids: [NORTH] } });
          expect((await fetched(url)).status).toBe(200);
        });
    });

    describe("readiness", () => {
      interface Readiness {
        readonly ready: number;
        readonly blocked: number;
        readonly warned: number;
        readonly rules: readonly {
          readonly rule: string;
          readonly severity: string;
          readonly field: string | null;
          readonly count: number;
        }[];
      }
      interface Findings {
        readonly data: readonly {
          readonly vehicle_id: number;
          readonly ready: boolean;
          readonly issues: readonly { readonly rule: string }[];
        }[];
        readonly meta: { readonly next_cursor: string | null; readonly total: number };
      }
      const get = async <Body>(path: string): Promise<Body> => {
        const reply = await scene.api<Body>("GET", path);
        expect([path, reply.status]).toEqual([path, 200]);
        return reply.body;
      };
      let feed: Feed;
      let path: string;
      beforeAll(async () => {
        const { dealer, vehicles } = await lot(6);
        for (const id of vehicles.slice(0, 4))
          await create(
            scene.api,
            `/api/vehicles/${id}/images`,
            imageBody({ image_url: "https://images.example.com/a.jpg" }),
          );
        for (const [place, vin] of ["4T1G11AK5LU123456", "1HGCM82633A004352"].entries())
          await scene.api("PUT", `/api/vehicles/${vehicles[place]}`, {
            body: {
              vin,
              condition: "used",
              mileage: 12_000,
              description: "A car with a description that is long enough.",
            },
          });
        feed = await feedOf(dealer, {
          channel: "google_vehicle_listings",
          link_template: "https://www.example.com/cars/{stock_number}",
          store_codes: { [dealer]: "HARBOR-1" },
        });
        path = `/api/feeds/${feed.id}`;
      });

      test("counts as blocked exactly what the file leaves out", async () => {
        const readiness = await get<Readiness>(`${path}/readiness`);
        const ids = await columnOf(feed.url, "id");
        expect(readiness.ready + readiness.blocked).toBe(6);
        expect(ids).toHaveLength(readiness.ready);
        expect(readiness.blocked).toBeGreaterThan(0);
        const { fetches } = await eventually(
          () => read(feed.id),
          (one) => one.fetches.length > 0,
          WITHIN_MS,
        );
        expect(fetches[0]).toMatchObject({ status: 200, rows: readiness.ready, left_out: readiness.blocked });
      });

      test("lists the vehicles of each rule, page by page, as many as it counts", async () => {
        const { rules } = await get<Readiness>(`${path}/readiness`);
        expect(rules.length).toBeGreaterThan(0);
        for (const { rule, severity, field, count } of rules) {
          const seen: number[] = [];
          let cursor = "";
          do {
            const { data, meta } = await get<Findings>(
              `${path}/readiness/vehicles?rule=${rule}&severity=${severity}&field=${field}&limit=2${cursor}`,
            );
            for (const { vehicle_id, issues } of data) {
              expect(issues).toContainEqual(expect.objectContaining({ rule, severity, field }));
              seen.push(vehicle_id);
            }
            cursor = meta.next_cursor === null ? "" : `&cursor=${meta.next_cursor}`;
            expect(meta.total).toBe(count);
          } while (cursor !== "");
          expect(seen).toEqual([...new Set(seen)].sort((one, other) => other - one));
          expect(seen).toHaveLength(count);
        }
        const errors = await get<Findings>(`${path}/readiness/vehicles?severity=error`);
        expect(errors.data.every(({ ready }) => !ready)).toBe(true);
        expect(errors.meta.total).toBe((await get<Readiness>(`${path}/readiness`)).blocked);
      });

      test("is previewed without a fetch", async () => {
        const { id, url } = await feedOf(NORTH);
        const preview = await get<{ data: { id: number }[]; meta: object }>(`/api/feeds/${id}/preview?limit=1`);
        expect(preview).toMatchObject({ meta: { looked_at: 1, left_out: 0 } });
        const [first] = await columnOf(url, "id");
        expect(preview.data.map((row) => row.id)).toEqual([Number(first)]);
        expect(
          (
            await eventually(
              () => read(id),
              (one) => one.fetches.length > 0,
              WITHIN_MS,
            )
          ).fetches,
        ).toHaveLength(1);
      });
    });

    describe("a file that is being sent", () => {
      // More than fits the buffers to a client that does not read.
      const MANY = 120;
      const TEXT = "\u0001".repeat(20_000);
      let dealer: number;
      beforeAll(async () => {
        ({ id: dealer } = await create(scene.api, "/api/dealers", dealerBody()));
        for (let made = 0; made < MANY; made++)
          await create(
            scene.api,
            "/api/vehicles",
            vehicleBody(dealer, { description: TEXT, stock_number: `L${made}` }),
          );
      });

      test("is of one moment, whatever is changed meanwhile", async () => {
        const { url } = await feedOf(dealer);
        const reply = await fetched(url.replace(/csv$/, "ndjson"));
        const added = await create(scene.api, "/api/vehicles", vehicleBody(dealer, { stock_number: "LATE" }));
        const text = await reply.text();
        expect(text.split("\n")).toHaveLength(MANY + 1);
        expect(text).not.toContain("LATE");
        await remove([added.id]);
      });

      test("is sent 60 times an hour, and no more of 1 000 that ask at once", async () => {
        const { url } = await feedOf(SOUTH);
        const statuses = await Promise.all(
          Array.from({ length: 1000 }, async () => {
            const reply = await fetched(url);
            await reply.text();
            return reply.status;
          }),
        );
        expect(statuses.filter((status) => status === 429)).toHaveLength(940);
        // Those that waited for their turn in vain are told to come back.
        expect(new Set(statuses)).toEqual(new Set([200, 429, ...(statuses.includes(503) ? [503] : [])]));
      });

      test("keeps nobody but its own feed waiting while its reader takes nothing", async () => {
        // As JSON the text is six times as long.
        const { url } = await feedOf(dealer, { channel: "ndjson" });
        const reading = await unread(scene.service.url, new URL(url).pathname, "");
        const again = await fetched(url);
        expect([again.status, again.headers.get("retry-after")]).toEqual([503, "5"]);
        const other = await feedOf(NORTH);
        expect((await fetched(other.url)).status).toBe(200);
        reading.socket.destroy();
        const next = await eventually(
          () => fetched(url),
          ({ status }) => status === 200,
          WITHIN_MS,
        );
        await next.text();
      });

      test("is a 503 where the feed changes before its first line, and no fault of the service", async () => {
        const { url, id } = await feedOf(dealer, { channel: "ndjson" });
        const { pathname } = new URL(url);
        const reading = await unread(scene.service.url, pathname, "");
        // The next one waits for the first, has its rows counted, and then finds another feed than it was asked for.
        const added = await create(scene.api, "/api/vehicles", vehicleBody(dealer, { stock_number: "COUNTED" }));
        const waiting = fetched(url);
        await scene.api("PUT", `/api/feeds/${id}`, { body: { name: "Another name" } });
        reading.socket.destroy();
        // Or it was asked for after the change, if this machine is slow.
        const late = await waiting;
        await remove([added.id]);
        await late.text();
        expect([200, 503]).toContain(late.status);
        const next = await fetched(url);
        await next.text();
        expect(next.status).toBe(200);
      });

      test("breaks off when whoever made the feed may not read its vehicles any more", async () => {
        const permissions = pairs("feeds:write", "vehicles:read");
        const maker = await create<CreatedKey>(scene.api, "/api/keys", keyBody({ dealer_id: dealer, permissions }));
        const made = await scene.api<Feed>("POST", "/api/feeds", {
          key: maker.api_key,
          body: feedBody(dealer, { channel: "ndjson" }),
        });
        const reading = await unread(scene.service.url, new URL(made.body.url).pathname, "");
        await scene.api("PUT", `/api/keys/${maker.id}`, { body: { permissions: pairs("feeds:write") } });
        const text = await readOn(reading);
        expect(text.split('"stock_number":"L').length - 1).toBeLessThan(MANY);
        expect(text).not.toEndWith("0\r\n\r\n");
      });

      test("breaks off when the feed is deleted, and lets its snapshot go when nobody reads it", async () => {
        const { url, id } = await feedOf(dealer, { channel: "ndjson" });
        const reading = await unread(scene.service.url, new URL(url).pathname, "");
        await scene.api("DELETE", `/api/feeds/${id}`);
        const text = await readOn(reading);
        expect(text.split('"stock_number":"L').length - 1).toBeLessThan(MANY);
        // An answer that ended well says so with an empty piece.
        expect(text).not.toEndWith("0\r\n\r\n");
        const other = await feedOf(dealer);
        const gone = new AbortController();
        await fetch(other.url, { signal: gone.signal });
        gone.abort();
        const snapshots = heldSnapshots({
          engine: engine.name === "SQLite" ? "sqlite" : "postgres",
          url: scene.service.databaseUrl,
        });
        await snapshots.become(0);
        await snapshots.close();
        expect((await fetched(other.url, {}, "HEAD")).status).toBe(200);
      });
    });
  });
