import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { fetchWriter } from "../../adapters/sql/feeds/fetches.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT } from "../support/records.ts";

const KEPT = 20;

for (const engine of ENGINES)
  describe(`recorded fetches of feeds on ${engine.name}`, () => {
    const clock = fakeClock();
    let db: SqlDatabase;
    let dealer: number;
    beforeAll(async () => {
      db = await engine.open();
      dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
    });
    afterAll(() => db.close());

    const rows = <Row>(text: string) => db.all<Row>({ text, bind: () => [] }, {});
    const newFeed = async (deletedAt: string | null = null): Promise<number> => {
      await db.migrate(async (run) => {
        await run(`INSERT INTO feeds (created_at, updated_at, deleted_at, name, channel, dealer_id, settings, active, actor_name, via)
          VALUES ('${MOMENT}', '${MOMENT}', ${deletedAt === null ? "NULL" : `'${deletedAt}'`}, 'Feed', 'csv', ${dealer}, '{}', 1, 'Front desk', 'api')`);
      });
      const [feed] = await rows<{ id: number }>("SELECT MAX(id) AS id FROM feeds");
      return feed?.id ?? 0;
    };
    const addressesOf = async (id: number): Promise<string[]> =>
      (await rows<{ address: string }>(`SELECT address FROM feed_fetches WHERE feed_id = ${id} ORDER BY id`)).map(
        ({ address }) => address,
      );
    const hoursOf = async (ids: readonly number[]): Promise<number[]> => {
      const text = `SELECT hour_count FROM feeds WHERE id IN (${ids.join(", ")}) ORDER BY id`;
      return (await rows<{ hour_count: number }>(text)).map(({ hour_count }) => hour_count);
    };

    test("are limited to each feed's own latest twenty, and none of a removed feed is kept", async () => {
      const writer = fetchWriter(db, clock);
      const [quiet, removed, busy, later] = [await newFeed(), await newFeed(MOMENT), await newFeed(), await newFeed()];
      const fetch = (id: number, address: string): void =>
        writer.record(id, { at: MOMENT, address, agent: null, status: 200, rows: 1, left_out: 0 });
      for (const id of [quiet, removed, later]) fetch(id, `of ${id}`);
      await writer.flush();
      for (let round = 0; round < 2; round++) {
        for (let count = 0; count < 15; count++) fetch(busy, `fetch ${round * 15 + count}`);
        await writer.flush();
      }
      fetch(quiet, "again");
      await writer.flush();
      expect(await addressesOf(busy)).toEqual(Array.from({ length: KEPT }, (_, index) => `fetch ${index + 10}`));
      expect(await addressesOf(quiet)).toEqual([`of ${quiet}`, "again"]);
      expect(await addressesOf(later)).toEqual([`of ${later}`]);
      expect(await addressesOf(removed)).toEqual([]);
    });

    test("count for their own feed only", async () => {
      const writer = fetchWriter(db, clock);
      const [one, other] = [await newFeed(), await newFeed()];
      for (let count = 0; count < 3; count++) expect(writer.take({ id: one, hour: null }, 9)).toBe(0);
      await writer.flush();
      expect(await hoursOf([one, other])).toEqual([3, 0]);
    });
  });
