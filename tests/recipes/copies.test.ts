import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { feedHasReachedNow } from "../support/horizon.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { postgres } from "../support/postgres.ts";
import { printedBy, startRecipe } from "../support/recipes.ts";
import { create, NORTH, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { startSearchIndex } from "./search-index.ts";

interface Shown {
  readonly id: number;
  readonly make: string;
  readonly price: number;
  readonly status: string;
}

const DAY = 24 * 60 * 60;

for (const engine of ANSWERING)
  describe(`recipes that follow the changes on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const folder = mkdtempSync(join(tmpdir(), "recipes-"));
    afterAll(() => rmSync(folder, { recursive: true }));

    const settled = () => feedHasReachedNow(engine, fixture.service.databaseUrl);
    const start = (recipe: string, { args = [], env = {} }: { args?: string[]; env?: Record<string, string> }) => {
      const { url, superAdminKey } = fixture.service;
      return startRecipe(recipe, { folder, args, env: { SERVICE: url, API_KEY: superAdminKey, ...env } });
    };
    const add = async (fields: object = {}): Promise<number> =>
      (await create(fixture.api, "/api/vehicles", vehicleBody(NORTH, fields))).id;

    test("poll: each run tells what changed since the one before, and one that failed is told again", async () => {
      const run = async () => {
        await settled();
        const lines = (await printedBy(start("polling.ts", { args: ["cursor.txt"] }))).split("\n").slice(0, -1);
        return lines.map((line) => JSON.parse(line));
      };
      const told = async () => (await run()).map(({ op, id, record }) => [op, id, record?.price]);
      const car = await add({ price: 7 });
      expect(await told()).toContainEqual(["upsert", car, 7]);
      expect(await told()).toEqual([]);
      await fixture.api("PUT", `/api/vehicles/${car}`, { body: { price: 8 } });
      const cursor = readFileSync(join(folder, "cursor.txt"), "utf8");
      const failed = start("polling.ts", { args: ["cursor.txt"], env: { API_KEY: "vis_web_nobody" } });
      expect(await failed.exited).not.toBe(0);
      expect(readFileSync(join(folder, "cursor.txt"), "utf8")).toBe(cursor);
      expect(await told()).toEqual([["upsert", car, 8]]);
      await fixture.api("DELETE", `/api/vehicles/${car}`);
      expect(await told()).toEqual([["remove", car, undefined]]);
    });

    testMovingClock("keep a copy in PostgreSQL, over restarts and when its cursor has expired", async () => {
      const copy = await (await postgres()).freshDatabase();
      const present = async (): Promise<unknown[]> => {
        const { vehicles } = (await fixture.api<{ vehicles: readonly Shown[] }>("GET", "/api/vehicles?limit=500")).body;
        return vehicles
          .toSorted((one, other) => one.id - other.id)
          .map(({ id, make, price, status }) => ({ id, make, price, status }));
      };
      const copied = () =>
        queryDatabase(
          copy,
          "SELECT id, make, price::float8 AS price, status FROM inventory_vehicles ORDER BY id",
        ).catch(() => []);
      const same = async (): Promise<void> => {
        const wanted = JSON.stringify(await present());
        await eventually(copied, (rows) => JSON.stringify(rows) === wanted);
      };
      const car = await add({ price: 12_345.67 });
      const follow = () => start("postgres-copy.ts", { env: { COPY: copy } });
      const stop = async (program: ReturnType<typeof follow>): Promise<void> => {
        program.kill("SIGTERM");
        await printedBy(program);
      };
      await settled();
      const first = follow();
      await same();
      // It waits now: these come at once.
      await fixture.api("PUT", `/api/vehicles/${car}`, { body: { price: 11_000, status: "pending" } });
      await fixture.api("DELETE", `/api/vehicles/${await add()}`);
      await same();
      await stop(first);
      await fixture.api("DELETE", `/api/vehicles/${car}`);
      await add();
      await settled();
      const second = follow();
      await same();
      await stop(second);
      await queryDatabase(copy, "INSERT INTO inventory_vehicles VALUES (999999, 'Gone', 1, 'sold', '{}')");
      await fixture.service.pass(31 * DAY);
      const third = follow();
      await same();
      await stop(third);
    });

    testMovingClock("keep what is for sale in Meilisearch, by the calls that it documents", async () => {
      const index = await startSearchIndex("the search's key");
      const forSale = async (): Promise<string> => {
        const path = "/api/vehicles?status=available&limit=500";
        const { vehicles } = (await fixture.api<{ vehicles: readonly Shown[] }>("GET", path)).body;
        return JSON.stringify(vehicles.map(({ id, price }) => [id, price]).toSorted());
      };
      const same = async (): Promise<void> => {
        const wanted = await forSale();
        const found = () => JSON.stringify([...index.vehicles.values()].map(({ id, price }) => [id, price]).toSorted());
        await eventually(found, (text) => text === wanted);
      };
      const follow = () => start("meilisearch-copy.ts", { env: { SEARCH: index.url, SEARCH_KEY: "the search's key" } });
      const [sold, repriced] = [await add(), await add()];
      await settled();
      const first = follow();
      await same();
      await fixture.api("PUT", `/api/vehicles/${sold}`, { body: { status: "sold" } });
      await fixture.api("PUT", `/api/vehicles/${repriced}`, { body: { price: 17 } });
      await same();
      first.kill("SIGKILL");
      await first.exited;
      await fixture.api("DELETE", `/api/vehicles/${repriced}`);
      await settled();
      const second = follow();
      await same();
      second.kill("SIGKILL");
      await second.exited;
      index.vehicles.set(999_999, { id: 999_999, price: 1 });
      await fixture.service.pass(31 * DAY);
      const third = follow();
      await same();
      third.kill("SIGKILL");
      await third.exited;
      expect(index.refused).toEqual([]);
      index.close();
    });
  });
