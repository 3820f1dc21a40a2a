import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VehicleInventory } from "../client/src/index.ts";
import { startFaultyProxy } from "./client/faulty-proxy.ts";
import { ANSWERING } from "./support/engines.ts";
import { feedHasReachedNow } from "./support/horizon.ts";
import { testMovingClock } from "./support/moving-clock.ts";
import { PYTHON, printedBy, startRecipe } from "./support/recipes.ts";
import { create, keyBody, NORTH, vehicleBody } from "./support/sample-records.ts";
import { serviceFixture } from "./support/service-fixture.ts";

const MORE_THAN_A_PAGE = 520;

interface Shown {
  readonly id: number;
  readonly price: number;
}

for (const engine of ANSWERING)
  describe(`the recipes on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const folder = mkdtempSync(join(tmpdir(), "recipes-"));
    let key: string;

    const start = (recipe: string, args: readonly string[], url = fixture.service.url) =>
      startRecipe(recipe, { folder, args, env: { SERVICE: url, API_KEY: key } });
    const run = (recipe: string, ...args: readonly string[]): Promise<string> => printedBy(start(recipe, args));
    const totalOf = async (): Promise<number> =>
      (await fixture.api<{ meta: { total: number } }>("GET", `/api/vehicles?dealer_id=${NORTH}`)).body.meta.total;

    beforeAll(async () => {
      key = (
        await create<{ id: number; api_key: string }>(fixture.api, "/api/keys", {
          ...keyBody({ dealer_id: NORTH, app_type: "mobile", rate_limit: 10_000 }),
          permissions: ["read", "write"].map((action) => ({ resource: "vehicles", action })),
        })
      ).api_key;
      const items = Array.from({ length: MORE_THAN_A_PAGE }, (_, n) =>
        vehicleBody(NORTH, { stock_number: `R-${n}`, price: 1000 + n }),
      );
      for (let at = 0; at < items.length; at += 100)
        expect(
          await fixture.api<object>("POST", "/api/vehicles/batch", { body: { items: items.slice(at, at + 100) } }),
        ).toMatchObject({ status: 200, body: { counts: { created: Math.min(100, items.length - at) } } });
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test("write a dealer's page with what is for sale, its text escaped and no key in it", async () => {
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH, { title: "<b>Fast</b>", price: 1 }));
      await fixture.api("POST", `/api/vehicles/${id}/images`, { body: { image_url: "https://img.example.com/a.jpg" } });
      await create(fixture.api, "/api/vehicles", vehicleBody(NORTH, { title: "Already gone", status: "sold" }));
      const page = await run("website.ts");
      expect(page).toContain('<li><img src="https://img.example.com/a.jpg" alt="" loading="lazy"><h2>&#60;b&#62;Fast');
      expect(page).toContain("<p>$1.00</p>");
      expect(page).not.toContain("Already gone");
      expect(page).not.toContain(key);
    });

    test("copy every vehicle at night, and leave out those that were deleted since", async () => {
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
      const copied = async (): Promise<Shown[]> => {
        await run("nightly-sync.ts", "vehicles.json");
        return JSON.parse(readFileSync(join(folder, "vehicles.json"), "utf8"));
      };
      expect((await copied()).length).toBe(await totalOf());
      await fixture.api("DELETE", `/api/vehicles/${id}`);
      const after = await copied();
      expect(after.length).toBe(await totalOf());
      expect(after.map((vehicle) => vehicle.id)).not.toContain(id);
    });

    // Without Python the recipe is the only one that is not run.
    test.skipIf(PYTHON === null)("copy every vehicle at night in Python (needs python3)", async () => {
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
      const file = join(folder, "vehicles.db");
      const copied = (): number[] =>
        new Database(file, { readonly: true })
          .query<{ id: number }, []>("SELECT id FROM vehicles")
          .all()
          .map((row) => row.id);
      expect(await run("nightly_sync.py", file)).toBe(`${await totalOf()} vehicles\n`);
      expect(copied()).toContain(id);
      await fixture.api("DELETE", `/api/vehicles/${id}`);
      expect(await run("nightly_sync.py", file)).toBe(`${await totalOf()} vehicles\n`);
      expect(copied()).not.toContain(id);
    });

    describe("keep an app's copy in SQLite, which", () => {
      const settled = () => feedHasReachedNow(engine, fixture.service.databaseUrl);
      const copied = (): ReadonlyMap<number, number> => {
        using copy = new Database(join(folder, "copy.db"));
        const rows = copy.query<{ document: string }, []>("SELECT document FROM vehicles").all();
        return new Map(rows.map(({ document }) => JSON.parse(document)).map(({ id, price }: Shown) => [id, price]));
      };
      const present = async (): Promise<ReadonlyMap<number, number>> => {
        const inventory = new VehicleInventory({ apiKey: key, baseUrl: fixture.service.url });
        return new Map((await inventory.vehicles.list({ limit: 500 }).all()).map(({ id, price }) => [id, price]));
      };
      const inCopy = (statement: string): unknown[] => {
        using copy = new Database(join(folder, "copy.db"));
        return copy.query<unknown, []>(statement).all();
      };

      test("goes on where it was when the app ended in the middle", async () => {
        await settled();
        await using proxy = await startFaultyProxy(fixture.service.url);
        const first = proxy.arrival();
        const ended = start("mobile-copy.ts", ["copy.db"], proxy.url);
        await first;
        proxy.next("silence");
        await proxy.arrival();
        ended.kill("SIGKILL");
        await ended.exited;
        const [half, all] = [copied(), await present()];
        expect([half.size > 0, half.size < all.size]).toEqual([true, true]);
        proxy.next();
        const again = await printedBy(start("mobile-copy.ts", ["copy.db"], proxy.url));
        expect([again, copied()]).toEqual([`${all.size} vehicles\n`, all]);
        expect(proxy.seen.map(({ path }) => path.includes("after="))).toEqual([true]);
      });

      test("learns what was changed and deleted, photos included", async () => {
        const [{ id: changed }, { id: deleted }] = [
          await create(fixture.api, "/api/vehicles", vehicleBody(NORTH)),
          await create(fixture.api, "/api/vehicles", vehicleBody(NORTH)),
        ];
        const photo = await create(fixture.api, `/api/vehicles/${deleted}/images`, {
          image_url: "https://images.example.com/front.jpg",
        });
        await settled();
        await run("mobile-copy.ts", "copy.db");
        expect(inCopy(`SELECT id FROM images WHERE vehicle_id = ${deleted}`)).toEqual([{ id: photo.id }]);
        await fixture.api("PUT", `/api/vehicles/${changed}`, { body: { price: 4321 } });
        await fixture.api("DELETE", `/api/vehicles/${deleted}`);
        await settled();
        await run("mobile-copy.ts", "copy.db");
        expect([copied(), copied().get(changed)]).toEqual([await present(), 4321]);
        expect(inCopy(`SELECT id FROM images WHERE vehicle_id = ${deleted}`)).toEqual([]);
      });

      testMovingClock("is made anew when its cursor has expired", async () => {
        await settled();
        await run("mobile-copy.ts", "copy.db");
        inCopy('INSERT INTO vehicles VALUES (999999, \'{"id":999999,"price":1}\')');
        inCopy("INSERT INTO images VALUES (999999, 999999, '{}')");
        await fixture.service.pass(31 * 24 * 60 * 60);
        await run("mobile-copy.ts", "copy.db");
        expect([copied(), inCopy("SELECT id FROM images WHERE id = 999999")]).toEqual([await present(), []]);
      });
    });

    test("give a vehicle its photos in order, as often as one likes", async () => {
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
      const photo = (name: string): string => `https://images.example.com/${id}/${name}.jpg`;
      const shown = async () => {
        const { body } = await fixture.api<readonly { image_url: string; is_primary: boolean }[]>(
          "GET",
          `/api/vehicles/${id}/images`,
        );
        return body.map(({ image_url, is_primary }) => [image_url, is_primary]);
      };
      for (const wanted of [["front", "side"], ["front", "side"], ["back", "front"], []]) {
        await run("photos.ts", String(id), ...wanted.map(photo));
        expect(await shown()).toEqual(wanted.map((name, place) => [photo(name), place === 0]));
      }
    });
  });
