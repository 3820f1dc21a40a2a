import { beforeAll, describe, expect, test } from "bun:test";
import { inGate } from "../../support/depth.ts";
import { ENGINES } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { readOn, unread } from "../../support/paused-reader.ts";
import {
  type CreatedKey,
  create,
  createVehicles,
  dealerBody,
  feedBody,
  imageBody,
  keyBody,
  NORTH,
  SOUTH,
  vehicleBody,
} from "../../support/sample-records.ts";
import { pairs } from "../../support/service.ts";
import { heldSnapshots } from "../../support/snapshots.ts";
import { type Feed, feedsOn } from "./feeds.ts";

for (const engine of ENGINES)
  describe(`feeds on ${engine.name}`, () => {
    const { fixture, feedOf, fetched, columnOf, remove } = feedsOn(engine);

    test("state for each vehicle which dealer has it", async () => {
      const dealers: number[] = [];
      for (const [name, vin] of [
        ["Harbor Motors", "1HGBH41JXMN109186"],
        ["Quay Cars", "1M8GDM9AXKP042788"],
      ] as const) {
        const { id } = await create(fixture.api, "/api/dealers", dealerBody({ name }));
        const fields = { vin, mileage: 45_000, condition: "used", exterior_color: "red", description: `At ${name}` };
        const vehicle = await create(fixture.api, "/api/vehicles", vehicleBody(id, fields));
        await create(fixture.api, `/api/vehicles/${vehicle.id}/images`, imageBody());
        dealers.push(id);
      }
      const [first = 0, second = 0] = dealers;
      const { url } = await feedOf(first, {
        channel: "google_vehicle_ads",
        dealer_ids: dealers,
        link_template: "https://harbor.example.com/{id}?store={store_code}",
        store_codes: { [first]: "Harbor", [second]: "Quay" },
      });
      const text = await (await fetched(url)).text();
      const [heading = "", ...lines] = text.trim().split("\n");
      expect(heading).toContain("store_code");
      expect(lines.map((line) => [/Harbor\b(?! Motors)/.test(line), /Quay\b(?! Cars)/.test(line)])).toEqual([
        [false, true],
        [true, false],
      ]);
    });

    test("begin with the primary image, as an export does, and have no vehicle that has not arrived unless asked", async () => {
      const { id: dealer } = await create(fixture.api, "/api/dealers", dealerBody());
      const images = ["a", "b", "c"].map((name) => `https://images.example.com/${name}.jpg`);
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { images }));
      const path = `/api/vehicles/${id}/images`;
      const listed = (await fixture.api<{ id: number; image_url: string }[]>("GET", path)).body;
      await fixture.api("PUT", `${path}/${listed[2]?.id}`, { body: { is_primary: true } });
      const { url } = await feedOf(dealer);
      expect(await columnOf(url, "images")).toEqual([[images[2], images[0], images[1]]]);
      const exported = await fixture.api("GET", `/api/vehicles/export?dealer_id=${dealer}`);
      expect(exported.text).toContain([images[2], images[0], images[1]].join(" "));
      const again = (await fixture.api<{ id: number }[]>("GET", path)).body;
      expect(again.map((image) => image.id)).toEqual(listed.map((image) => image.id));
      await fixture.api("PUT", `/api/vehicles/${id}`, { body: { stage: "in_transit" } });
      expect(await columnOf(url, "id")).toEqual([]);
      const asked = await feedOf(dealer, { filters: { stage: ["in_transit", "due_in"] } });
      expect(await columnOf(asked.url, "id")).toEqual([id]);
      const { body } = await fixture.api<{ feeds: { feed_id: number; issues: { rule: string }[] }[] }>(
        "GET",
        `/api/vehicles/${id}/readiness`,
      );
      const rulesOf = new Map(body.feeds.map(({ feed_id, issues }) => [feed_id, issues.map(({ rule }) => rule)]));
      expect([rulesOf.size, rulesOf.get(asked.id)]).toEqual([2, []]);
      expect([...rulesOf.values()]).toContainEqual(["not_arrived"]);
    });

    describe("send files, each of which", () => {
      const AT_ONCE = inGate(80, 1000);
      // More than fits into the buffers of a client that does not read.
      const MANY = 120;
      const TEXT = "\u0001".repeat(20_000);
      let dealer: number;
      beforeAll(async () => {
        ({ id: dealer } = await create(fixture.api, "/api/dealers", dealerBody()));
        await createVehicles(
          fixture.api,
          Array.from({ length: MANY }, (_, made) =>
            vehicleBody(dealer, { description: TEXT, stock_number: `L${made}` }),
          ),
        );
      });

      test("has the state of one moment, even if vehicles change meanwhile", async () => {
        const { url } = await feedOf(dealer);
        const reply = await fetched(url.replace(/csv$/, "ndjson"));
        const added = await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { stock_number: "LATE" }));
        const text = await reply.text();
        expect(text.split("\n")).toHaveLength(MANY + 1);
        expect(text).not.toContain("LATE");
        await remove([added.id]);
      });

      test(`is sent 60 times an hour, even if ${AT_ONCE} requests arrive at once`, async () => {
        const { url } = await feedOf(SOUTH);
        const statuses = await Promise.all(
          Array.from({ length: AT_ONCE }, async () => {
            const reply = await fetched(url);
            await reply.text();
            return reply.status;
          }),
        );
        expect(statuses.filter((status) => status === 429)).toHaveLength(AT_ONCE - 60);
        // Requests that waited for their turn in vain get a 503.
        expect(new Set(statuses)).toEqual(new Set([200, 429, ...(statuses.includes(503) ? [503] : [])]));
      });

      test("blocks only its own feed while its reader reads nothing", async () => {
        // As JSON the text is six times as long.
        const { url } = await feedOf(dealer, { channel: "ndjson" });
        const reading = await unread(fixture.service.url, new URL(url).pathname, "");
        const again = await fetched(url);
        expect([again.status, again.headers.get("retry-after")]).toEqual([503, "5"]);
        const other = await feedOf(NORTH);
        expect((await fetched(other.url)).status).toBe(200);
        reading.socket.destroy();
        const next = await eventually(
          () => fetched(url),
          ({ status }) => status === 200,
        );
        await next.text();
      });

      test("is a 503 if the feed changes before its first line, and no fault of the service", async () => {
        const { url, id } = await feedOf(dealer, { channel: "ndjson" });
        const { pathname } = new URL(url);
        const reading = await unread(fixture.service.url, pathname, "");
        // The next fetch waits for the first, has its rows counted, and then finds a changed feed.
        const added = await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { stock_number: "COUNTED" }));
        const waiting = fetched(url);
        await fixture.api("PUT", `/api/feeds/${id}`, { body: { name: "Another name" } });
        reading.socket.destroy();
        // On a slow machine the fetch may come after the change.
        const late = await waiting;
        await remove([added.id]);
        await late.text();
        expect([200, 503]).toContain(late.status);
        const next = await fetched(url);
        await next.text();
        expect(next.status).toBe(200);
      });

      test("breaks off when the feed's creator may no longer read its vehicles", async () => {
        const permissions = pairs("feeds:write", "vehicles:read");
        const maker = await create<CreatedKey>(fixture.api, "/api/keys", keyBody({ dealer_id: dealer, permissions }));
        const made = await fixture.api<Feed>("POST", "/api/feeds", {
          key: maker.api_key,
          body: feedBody(dealer, { channel: "ndjson" }),
        });
        const reading = await unread(fixture.service.url, new URL(made.body.url).pathname, "");
        await fixture.api("PUT", `/api/keys/${maker.id}`, { body: { permissions: pairs("feeds:write") } });
        const text = await readOn(reading);
        expect(text.split('"stock_number":"L').length - 1).toBeLessThan(MANY);
        expect(text).not.toEndWith("0\r\n\r\n");
      });

      test("breaks off when the feed is deleted, and releases its snapshot when its reader leaves", async () => {
        const { url, id } = await feedOf(dealer, { channel: "ndjson" });
        const reading = await unread(fixture.service.url, new URL(url).pathname, "");
        await fixture.api("DELETE", `/api/feeds/${id}`);
        const text = await readOn(reading);
        expect(text.split('"stock_number":"L').length - 1).toBeLessThan(MANY);
        // A complete answer ends with an empty chunk.
        expect(text).not.toEndWith("0\r\n\r\n");
        const other = await feedOf(dealer);
        const gone = new AbortController();
        await fetch(other.url, { signal: gone.signal });
        gone.abort();
        const snapshots = heldSnapshots({
          engine: engine.name === "SQLite" ? "sqlite" : "postgres",
          url: fixture.service.databaseUrl,
        });
        await snapshots.become(0);
        await snapshots.close();
        expect((await fetched(other.url, {}, "HEAD")).status).toBe(200);
      });
    });
  });
