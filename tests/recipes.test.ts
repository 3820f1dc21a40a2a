import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ANSWERING } from "./support/engines.ts";
import { create, keyBody, NORTH, vehicleBody } from "./support/sample-records.ts";
import { serviceFixture } from "./support/service-fixture.ts";

const RECIPES = join(import.meta.dir, "..", "docs", "recipes");
const PYTHON = Bun.which("python3");
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

    /** Runs a recipe as its first lines say, and returns what it prints. */
    const run = async (recipe: string, ...args: readonly string[]): Promise<string> => {
      const interpreter = recipe.endsWith(".py") ? (PYTHON ?? "python3") : process.execPath;
      const running = Bun.spawn([interpreter, join(RECIPES, recipe), ...args], {
        cwd: folder,
        env: { PATH: process.env.PATH ?? "", SERVICE: fixture.service.url, API_KEY: key },
        stderr: "pipe",
      });
      const [printed, complaint] = await Promise.all([
        new Response(running.stdout).text(),
        new Response(running.stderr).text(),
      ]);
      expect([recipe, complaint, await running.exited]).toEqual([recipe, "", 0]);
      return printed;
    };
    const totalOf = async (): Promise<number> =>
      (await fixture.api<{ meta: { total: number } }>("GET", `/api/vehicles?dealer_id=${NORTH}`)).body.meta.total;

    beforeAll(async () => {
      key = (
        await create<{ id: number; api_key: string }>(fixture.api, "/api/keys", {
          ...keyBody({ dealer_id: NORTH, app_type: "mobile", rate_limit: 10_000 }),
          permissions: ["read", "write"].map((action) => ({ resource: "vehicles", action })),
        })
      ).api_key;
      const items = Array.from({ length: MORE_THAN_A_PAGE }, (_, n) => vehicleBody(NORTH, { price: 1000 + n }));
      for (let at = 0; at < items.length; at += 100)
        expect(
          (await fixture.api("POST", "/api/vehicles/batch", { body: { items: items.slice(at, at + 100) } })).status,
        ).toBe(200);
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

    test("keep a device's copy current, and learn once a day what was deleted", async () => {
      const copied = async (): Promise<Record<string, Shown>> => {
        await run("mobile-sync.ts", "copy.json");
        return JSON.parse(readFileSync(join(folder, "copy.json"), "utf8")).vehicles;
      };
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
      expect(Object.keys(await copied())).toHaveLength(await totalOf());
      const { id: added } = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH));
      await fixture.api("PUT", `/api/vehicles/${id}`, { body: { price: 4321 } });
      const current = await copied();
      expect([current[id]?.price, current[added]?.id]).toEqual([4321, added]);
      await fixture.api("DELETE", `/api/vehicles/${id}`);
      await fixture.service.pass(25 * 60 * 60);
      expect(Object.keys(await copied())).not.toContain(String(id));
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
