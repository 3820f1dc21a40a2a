import { expect, setDefaultTimeout } from "bun:test";
import { SQL } from "bun";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { storedFigures } from "../../adapters/sql/report/stored-figures.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { dailyFigures } from "../../migrations/0022-daily-figures.ts";
import { deepTest } from "../support/deep-test.ts";
import { migrateBefore } from "../support/earlier-schema.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { postgres } from "../support/postgres.ts";

setDefaultTimeout(300_000);

const DEALERS = 4;
const VEHICLES = 400;
const WRITERS = 6;

const AT = "2026-03-14T09:26:00.000Z";
const LATER = "2026-03-20T10:00:00.000Z";

const dealer = (id: number): string =>
  `INSERT INTO dealers (id, name, address, city, state, zip, phone, email, active, city_folded, state_folded, created_at,
    updated_at) VALUES (${id}, 'Harbor Motors', 'a', 'c', 's', '97201', '5', 'e@example.com', 1, 'c', 's', '${AT}', '${AT}')`;

/** A vehicle as the previous version adds it, without `listed_at`. */
const vehicle = (dealerId: number): string =>
  `INSERT INTO vehicles (dealer_id, make, model, year, price_cents, status, featured, make_folded, model_folded,
    created_at, updated_at) VALUES (${dealerId}, 'Toyota', 'Camry', 2024, 1000, 'available', 0, 'toyota', 'camry', '${AT}', '${AT}')`;
/** A new price of a vehicle; each change has its own moment. */
const repriced = (id: number, cents: number, at = LATER): string =>
  `UPDATE vehicles SET price_cents = ${cents}, updated_at = '${at}' WHERE id = ${id}`;
const sold = (id: number): string => `UPDATE vehicles SET status = 'sold', updated_at = '${LATER}' WHERE id = ${id}`;

const rowsOf = <Row>(db: SqlDatabase, text: string) => db.all<Row>({ text, bind: () => [] }, {});
const totals = async (db: SqlDatabase) =>
  (
    await rowsOf<{ added: number; sold: number; price_drops: number }>(
      db,
      `SELECT CAST(SUM(added) AS BIGINT) AS added, CAST(SUM(sold) AS BIGINT) AS sold,
        CAST(SUM(price_drops) AS BIGINT) AS price_drops FROM daily_figures`,
    )
  ).map((row) => ({ ...row }))[0];

// Long published, with everything it calls of its own: the deep run alone takes it again.
for (const engine of ENGINES)
  deepTest(
    `the migration computes daily figures of existing vehicles on ${engine.name}, also after an interruption`,
    async () => {
      const db = connect(await engine.url());
      await migrateBefore(db, dailyFigures);
      await db.migrate(async (run) => {
        for (let id = 1; id <= DEALERS; id++) await run(dealer(id));
        for (let count = 0; count < VEHICLES; count++) await run(vehicle(1 + (count % (DEALERS - 1))));
        await run(repriced(1, 900, "2026-03-15T10:00:00.000Z"));
        await run(repriced(1, 950, "2026-03-15T10:00:00.001Z"));
        await run(repriced(1, 800));
      });
      expect(await migrateToLatest(db)).toContain(dailyFigures.name);
      expect(await totals(db)).toEqual({ added: VEHICLES, sold: 0, price_drops: 2 });
      expect(await storedFigures(db).verify()).toEqual([]);
      // As if the migration had been interrupted after some dealers.
      await db.migrate(async (run) => {
        await run("DELETE FROM daily_figures WHERE dealer_id = 2");
        await run("INSERT INTO figures_missing VALUES (2)");
        await run(vehicle(2));
      });
      await migrateToLatest(db);
      expect(await totals(db)).toEqual({ added: VEHICLES + 1, sold: 0, price_drops: 2 });
      expect(await rowsOf(db, "SELECT * FROM figures_missing")).toEqual([]);
      await db.close();
    },
  );

deepTest(
  "daily figures stay exact on PostgreSQL while an older version writes and two instances update the schema",
  async () => {
    const url = await (await postgres()).freshDatabase();
    const [db, other] = [connect(url), connect(url)];
    await migrateBefore(db, dailyFigures);
    await db.migrate(async (run) => {
      for (let id = 1; id <= DEALERS; id++) await run(dealer(id));
      for (let count = 0; count < VEHICLES; count++) await run(vehicle(1 + (count % DEALERS)));
    });
    const done = { added: VEHICLES, sold: 0, price_drops: 0 };
    let isOver = false;
    const write = async (writer: number): Promise<void> => {
      const before = new SQL(url, { max: 1 });
      for (let round = 0; !isOver || round < 10; round++) {
        const [{ id }] = await before.unsafe(`${vehicle(1 + ((writer + round) % DEALERS))} RETURNING id::int`);
        await before.unsafe("BEGIN");
        await before.unsafe(repriced(id, 1000 - (round % 3)));
        if (round % 2 === 0) await before.unsafe(sold(id));
        await before.unsafe("COMMIT");
        done.added += 1;
        done.sold += round % 2 === 0 ? 1 : 0;
        done.price_drops += round % 3 === 0 ? 0 : 1;
      }
      await before.close();
    };
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    await Promise.all([migrateToLatest(db), migrateToLatest(other)]);
    // Again while they write: no change is lost between reading and counting.
    await storedFigures(other).rebuild();
    isOver = true;
    await Promise.all(writers);
    expect(await totals(db)).toEqual(done);
    expect(await storedFigures(db).verify()).toEqual([]);
    await Promise.all([db.close(), other.close()]);
  },
);
