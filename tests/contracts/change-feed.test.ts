import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { changePositions } from "../../adapters/sql/change-feed/positions.ts";
import { makeChangeFeedRepository } from "../../adapters/sql/change-feed/repository.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";
import { storedImages } from "../support/stored-images.ts";

setDefaultTimeout(300_000);

const DAY_MS = 86_400_000;

for (const engine of ENGINES)
  describe(`the feed of changes on ${engine.name}`, () => {
    let db: SqlDatabase;
    let feed: ReturnType<typeof makeChangeFeedRepository>;
    let [north, closed, south] = [0, 0, 0];
    const vehicles: number[] = [];
    const images: number[] = [];

    beforeAll(async () => {
      db = await engine.open();
      feed = makeChangeFeedRepository(db);
      const newDealer = async (fields: Parameters<typeof dealerFields>[0] = {}) =>
        (await makeDealerRepository(db).insert(dealerFields(fields), OPERATOR)).id;
      [north, closed, south] = [await newDealer(), await newDealer({ active: 0 }), await newDealer()];
      for (const [place, dealer] of [north, north, south].entries()) {
        const fields = vehicleFields(dealer, { created_at: momentAfter(place) });
        const { id } = made(await makeVehicleRepository(db).insert(fields, OPERATOR));
        vehicles.push(id);
        for (const name of ["front", "back"]) {
          const draft = { image_url: `https://images.example.com/${id}-${name}.jpg` };
          const added = { vehicleId: id, scope: null, draft, now: MOMENT, by: OPERATOR };
          images.push(made(await storedImages(db).add(added)).image.id);
        }
      }
    });
    afterAll(() => db.close());

    const ids = async (found: unknown): Promise<readonly number[]> =>
      ((await found) as readonly { readonly id: number }[]).map(({ id }) => id);

    test("has the active dealers in scope, after one of them or by their ids", async () => {
      expect(await ids(feed.dealersAfter(null, 0, 9))).toEqual([north, south]);
      expect(await ids(feed.dealersAfter(null, north, 9))).toEqual([south]);
      expect(await ids(feed.dealersAfter(south, 0, 9))).toEqual([south]);
      const asked = [north, closed];
      expect([await ids(feed.dealers(null, asked)), await ids(feed.dealers(south, asked))]).toEqual([[north], []]);
    });

    test("has the vehicles in scope and their images, newest first or by their ids", async () => {
      const [first = 0, second = 0, third = 0] = vehicles;
      expect(await ids(feed.vehiclesAfter(null, null, 2))).toEqual([third, second]);
      const after = { id: second, created_at: momentAfter(1) };
      expect(await ids(feed.vehiclesAfter(null, after, 9))).toEqual([first]);
      expect(await ids(feed.vehiclesAfter(north, null, 9))).toEqual([second, first]);
      const asked = [first, third];
      expect([await ids(feed.vehicles(null, asked)), await ids(feed.vehicles(north, asked))]).toEqual([asked, [first]]);
      const [front = 0, back = 0, , , theirFront = 0, theirBack = 0] = images;
      expect(await ids(feed.imagesOf(null, asked))).toEqual([front, back, theirFront, theirBack]);
      expect(await ids(feed.imagesOf(north, asked))).toEqual([front, back]);
      const named = [back, theirFront];
      expect([await ids(feed.images(null, named)), await ids(feed.images(north, named))]).toEqual([named, [back]]);
    });

    const named = async (scope: number | null): Promise<readonly string[]> => {
      const { position } = await feed.head();
      const all = { after: { tx: 0, number: 0 }, until: position, limit: 99 };
      return (await feed.changed(scope, all)).map(({ kind, id }) => `${kind} ${id}`);
    };
    const lag = async (): Promise<number> => (await db.all(changePositions(db).lag, {}))[0]?.seconds ?? 0;
    const AGE_SECONDS = 1e8;

    // On PostgreSQL, transactions of other databases may be open.
    if (engine.name === "SQLite")
      test("has a head behind all that is there, in scope", async () => {
        expect([await named(null), await named(south)].map(({ length }) => length)).toEqual([12, 4]);
      });

    // On SQLite, one transaction writes at a time.
    if (engine.name === "PostgreSQL")
      test("names no change that waits for an older transaction, and tells how long that takes", async () => {
        const [, second = 0] = vehicles;
        await db.write(async (tx) => {
          await tx.updateTable("dealers").set({ name: "Older" }).where("id", "=", south).execute();
          await db.write((other) =>
            other.updateTable("vehicles").set({ make: "Kia" }).where("id", "=", second).execute(),
          );
          await db.migrate(
            async (run) =>
              void (await run(`UPDATE changed_records SET at = '2001-01-01T00:00:00.000Z' WHERE id = ${second}`)),
          );
          expect(await named(north)).not.toContain(`vehicle ${second}`);
          expect(await lag()).toBeGreaterThan(AGE_SECONDS);
        });
        await eventually(
          () => named(north),
          (all) => all.includes(`vehicle ${second}`),
        );
        // What was read long ago waits for nothing, whatever else is open now.
        await eventually(lag, (seconds) => seconds < AGE_SECONDS);
      });

    test("forgets what is gone a day after nobody can ask for it, and nothing that is there", async () => {
      const at = (ms: number) => momentAfter(-DAY_MS + ms);
      const rows = [
        [9001, 1, at(0)],
        [9002, 2, at(-5)],
        [9003, 1, at(1)],
        [9004, 0, at(-5)],
      ] as const;
      await db.migrate(async (run) => {
        await run("DELETE FROM changed_records");
        for (const [id, state, when] of rows)
          await run(
            `INSERT INTO changed_records (kind, id, dealer_id, state, at) VALUES (2, ${id}, ${north}, ${state}, '${when}')`,
          );
      });
      expect([await feed.purgeSome(MOMENT), await feed.purgeSome(MOMENT)]).toEqual([2, 0]);
      const kept: number[] = [];
      await db.write(async (tx) => {
        const left = { text: "SELECT id FROM changed_records ORDER BY id", bind: () => [] };
        kept.push(...(await tx.all<{ id: number }>(left, {})).map(({ id }) => id));
      });
      expect(kept).toEqual([9003, 9004]);
    });
  });
