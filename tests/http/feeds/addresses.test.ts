import { describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { freshAddress } from "../../support/client.ts";
import { ENGINES } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { testMovingClock } from "../../support/moving-clock.ts";
import { create, imageBody, NORTH, SOUTH, vehicleBody } from "../../support/sample-records.ts";
import { type Feed, feedsOn } from "./feeds.ts";

const HOUR_SECONDS = 3600;

const hasGrace = (feed: Feed): boolean => Reflect.get(feed, "grace_until") !== null;

const codeOf = async (reply: Response): Promise<string> => ((await reply.json()) as { code: string }).code;

for (const engine of ENGINES)
  describe(`feeds on ${engine.name}`, () => {
    const { fixture, feedOf, fetched, columnOf, lot, remove, read } = feedsOn(engine);

    describe("an address of a feed", () => {
      test("serves only the dealer's vehicles for sale, in each format, plain and compressed", async () => {
        const { dealer, vehicles } = await lot(3);
        await fixture.api("PUT", `/api/vehicles/${vehicles[0]}`, { body: { status: "sold" } });
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

      test("serves several dealers' vehicles, newest first, and no other dealer's", async () => {
        const [one, other] = [await lot(2), await lot(2)];
        const late = await create(fixture.api, "/api/vehicles", vehicleBody(one.dealer));
        const { url } = await feedOf(one.dealer, { dealer_ids: [one.dealer, other.dealer] });
        expect(await columnOf(url, "id")).toEqual([late.id, ...[...one.vehicles, ...other.vehicles].reverse()]);
        const all = await feedOf(NORTH, { dealer_ids: null });
        const { text } = await fixture.api("GET", "/api/vehicles?status=available&status=pending&limit=1000");
        expect(await columnOf(all.url, "id")).toEqual(
          (JSON.parse(text) as { vehicles: { id: number }[] }).vehicles.map(({ id }) => id),
        );
      });

      testMovingClock("answers 304, by tag and by time, until the feed's content changes", async () => {
        const { dealer, vehicles } = await lot(1);
        const { url, id } = await feedOf(dealer);
        const path = `/api/vehicles/${vehicles[0]}`;
        const changes: readonly (() => Promise<unknown>)[] = [
          () => fixture.api("PUT", path, { body: { price: 999 } }),
          () => fixture.api("PUT", path, { body: { description: "Another one" } }),
          () => create(fixture.api, `${path}/images`, imageBody()),
          () => fixture.api("PUT", `/api/dealers/${dealer}`, { body: { phone: "503-555-0177" } }),
          () => fixture.api("PUT", `/api/feeds/${id}`, { body: { country: "CA" } }),
          () => create(fixture.api, "/api/vehicles", vehicleBody(dealer)),
          () => fixture.api("DELETE", path),
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
          await fixture.service.pass(HOUR_SECONDS);
        }
        const before = await fetched(url);
        await create(fixture.api, "/api/vehicles", vehicleBody(SOUTH));
        expect((await fetched(url, { "if-none-match": before.headers.get("etag") ?? "" })).status).toBe(304);
      });

      test("answers 404 to each wrong token, whether or not the feed exists, and counts it as a failed authentication", async () => {
        const { url, id } = await feedOf(NORTH);
        const token = url.split("/").at(-2) ?? "";
        const { origin } = new URL(url);
        const address = freshAddress();
        const guesses = [
          `${origin}/feeds/${id}/${"A".repeat(43)}/vehicles.csv`,
          `${origin}/feeds/999999/${token}/vehicles.csv`,
          `${origin}/feeds/${id}/${token.slice(0, -1)}/vehicles.csv`,
          `${origin}/feeds/x/${token}/vehicles.csv`,
          ...[`0${id}`, `${id}.0`, `${id}e0`, `%20${id}`].map(
            (other) => `${origin}/feeds/${other}/${token}/vehicles.csv`,
          ),
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

      testMovingClock(
        "is served 60 times an hour, 304 and HEAD included, then answers 429, however many requests arrive at once",
        async () => {
          const { url } = await feedOf(NORTH);
          const replies = await Promise.all(Array.from({ length: 200 }, () => fetched(url, {}, "HEAD")));
          const statuses = replies.map(({ status }) => status);
          expect(statuses.filter((status) => status === 200)).toHaveLength(60);
          expect(statuses.filter((status) => status === 429)).toHaveLength(140);
          const seconds = Number((await fetched(url)).headers.get("retry-after"));
          expect(seconds).toBeGreaterThan(3500);
          await fixture.service.pass(HOUR_SECONDS);
          expect((await fetched(url)).status).toBe(200);
        },
      );

      test("is replaced without effect on other feeds, their addresses and grace periods", async () => {
        const [meant, inGrace, plain] = [await feedOf(NORTH), await feedOf(NORTH), await feedOf(NORTH)];
        const rotate = async ({ id }: Feed, body: object) =>
          (await fixture.api<Feed>("POST", `/api/feeds/${id}/rotate`, { body })).body.url;
        const next = await rotate(inGrace, { grace_seconds: 600 });
        const others = async () =>
          Promise.all([inGrace, plain].map(async ({ id }) => ({ ...(await read(id)), fetches: null })));
        const before = await others();
        const present = await rotate(meant, { grace_seconds: 0 });
        const statuses = await Promise.all(
          [inGrace.url, next, plain.url, present, meant.url].map(async (url) => (await fetched(url)).status),
        );
        expect(statuses).toEqual([200, 200, 200, 200, 404]);
        expect(await others()).toEqual(before);
        expect((await Promise.all([meant, inGrace, plain].map(({ id }) => read(id)))).map(hasGrace)).toEqual([
          false,
          true,
          false,
        ]);
      });

      test("says that its feed is switched off or deleted", async () => {
        const { url, id } = await feedOf(NORTH);
        await fixture.api("PUT", `/api/feeds/${id}`, { body: { active: false } });
        const off = await fetched(url);
        expect([off.status, Number(off.headers.get("retry-after")) > 0]).toEqual([503, true]);
        await fixture.api("PUT", `/api/feeds/${id}`, { body: { active: true } });
        expect((await fetched(url)).status).toBe(200);
        expect((await fixture.api("DELETE", `/api/feeds/${id}`)).status).toBe(200);
        const gone = await fetched(url);
        expect([gone.status, await codeOf(gone)]).toEqual([410, "gone"]);
        expect((await fixture.api("GET", `/api/feeds/${id}`)).status).toBe(404);
        expect((await fetched(url.replace(/[\w-]{43}/, "A".repeat(43)))).status).toBe(404);
      });

      testMovingClock(
        "changes by rotation: the previous one works until its grace ends, older ones end at once",
        async () => {
          const { url, id } = await feedOf(NORTH);
          const rotate = async (body: object) =>
            (await fixture.api<Feed>("POST", `/api/feeds/${id}/rotate`, { body })).body.url;
          const second = await rotate({ grace_seconds: 600 });
          expect([(await fetched(url)).status, (await fetched(second)).status]).toEqual([200, 200]);
          const third = await rotate({ grace_seconds: 600 });
          expect([(await fetched(url)).status, (await fetched(second)).status, (await fetched(third)).status]).toEqual([
            404, 200, 200,
          ]);
          await fixture.service.pass(601);
          expect([(await fetched(second)).status, (await fetched(third)).status]).toEqual([404, 200]);
          const fourth = await rotate({});
          expect([(await fetched(third)).status, (await fetched(fourth)).status]).toEqual([404, 200]);
        },
      );

      test("never appears in the log, nor does its token", async () => {
        const { url } = await feedOf(NORTH);
        const token = url.split("/").at(-2) ?? "";
        await (await fetched(url)).text();
        await fetched(url.replace(/csv$/, "xml"));
        await fetched(url, { "user-agent": `Fetcher/1 ${token}` });
        for (const id of [token, url]) {
          const answer = await fetched(url, { "x-request-id": id });
          expect(answer.headers.get("x-request-id")).not.toContain(token);
        }
        const encoded = `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`;
        for (const path of [url, url.replace(token, encoded)])
          for (const id of [token, encoded, `${encoded}%`]) {
            const answer = await fetched(path, { "x-request-id": id });
            const shown = answer.headers.get("x-request-id");
            expect([answer.status, shown]).toEqual([200, expect.not.stringContaining(token.slice(1))]);
          }
        await fetched(url, { "x-request-id": "the-last-fetch" });
        const log = await eventually(fixture.service.log, (text) => text.includes("the-last-fetch"));
        expect(log).toContain("/feeds/:id/:token/:file");
        expect(log).not.toContain(token);
      });
    });

    describe("a hold of a feed", () => {
      test("starts when more than 3 rows and more than the feed's percentage are missing, and ends by a release", async () => {
        const { dealer, vehicles } = await lot(10);
        const { url, id } = await feedOf(dealer);
        expect(await columnOf(url, "id")).toHaveLength(10);
        await remove(vehicles.slice(0, 5));
        expect(await columnOf(url, "id")).toHaveLength(5);
        // 3 of 5 are 60 %, but no more than 3 rows.
        await remove(vehicles.slice(5, 8));
        expect(await columnOf(url, "id")).toHaveLength(2);
        for (let made = 0; made < 6; made++) await create(fixture.api, "/api/vehicles", vehicleBody(dealer));
        expect(await columnOf(url, "id")).toHaveLength(8);
        const before = await fetched(url, {}, "HEAD");
        await fixture.api("PUT", `/api/feeds/${id}`, { body: { filters: { make: "Nobody" } } });
        const held = await fetched(url);
        expect([held.status, Number(held.headers.get("retry-after")) > 0]).toEqual([503, true]);
        expect(held.headers.get("etag")).toBeNull();
        expect(await read(id)).toMatchObject({ held: { rows: 0, before: 8 } });
        // The return of the vehicles does not release the feed.
        await fixture.api("PUT", `/api/feeds/${id}`, { body: { filters: {} } });
        for (const method of ["GET", "HEAD"])
          expect((await fetched(url, { "if-none-match": before.headers.get("etag") ?? "" }, method)).status).toBe(503);
        await fixture.api("PUT", `/api/feeds/${id}`, { body: { filters: { make: "Nobody" } } });
        expect(await fixture.api<Feed>("POST", `/api/feeds/${id}/release`)).toMatchObject({
          status: 200,
          body: { held: null },
        });
        expect(await columnOf(url, "id")).toEqual([]);
        const { fetches } = await eventually(
          () => read(id),
          (one) => one.fetches.length > 8,
        );
        expect(fetches.find(({ status }) => status === 503)).toMatchObject({ rows: null });
        expect(fetches[0]).toMatchObject({ status: 200, rows: 0, left_out: 0 });
      });
    });
  });
