import { expect, setDefaultTimeout } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { storedFigures } from "../../adapters/sql/report/stored-figures.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { soldPrices } from "../../migrations/0036-sold-prices.ts";
import { deepTest } from "../support/deep-test.ts";
import { migrateBefore } from "../support/earlier-schema.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { MOMENT, momentAfter } from "../support/records.ts";

setDefaultTimeout(300_000);

const DEALER = `INSERT INTO dealers (id, name, address, city, state, zip, phone, email, active, city_folded, state_folded,
  created_at, updated_at) VALUES (1, 'Harbor Motors', 'x', 'x', 'x', 'x', 'x', 'x', 1, 'x', 'x', '${MOMENT}', '${MOMENT}')`;
const vehicle = (id: number) => `INSERT INTO vehicles (id, dealer_id, make, model, year, price_cents, status, featured,
  make_folded, model_folded, listed_at, created_at, updated_at)
  VALUES (${id}, 1, 'Tatra', 'T87', 1948, 100, 'available', 0, 'tatra', 't87', '${MOMENT}', '${MOMENT}', '${MOMENT}')`;
/** As an instance of the version before sells a vehicle, too. */
const sold = (id: number) => `UPDATE vehicles SET status = 'sold', price_cents = 90, sold_at = '${momentAfter(1000)}',
  updated_at = '${momentAfter(1000)}' WHERE id = ${id}`;

const rowsOf = <Row>(db: SqlDatabase, text: string) => db.all<Row>({ text, bind: () => [] }, {});
const salesOf = async (db: SqlDatabase) =>
  (
    await rowsOf<{ vehicle_id: number; sold_cents: number | null; first_cents: number }>(
      db,
      "SELECT vehicle_id, sold_cents, first_cents FROM vehicle_sales ORDER BY vehicle_id",
    )
  ).map(({ vehicle_id, sold_cents, first_cents }) => [vehicle_id, sold_cents, first_cents]);
const figuresOf = async (db: SqlDatabase) =>
  (
    await rowsOf<object>(db, "SELECT sold, sold_cents, discounts, discount_cents FROM daily_figures WHERE sold > 0")
  ).map((row) => ({ ...row }));

// Long published, with everything it calls of its own: the deep run alone takes it again.
for (const engine of ENGINES)
  deepTest(
    `sales from before keep their prices and figures, and later ones have none until it is entered, on ${engine.name}`,
    async () => {
      const db = connect(await engine.url());
      await migrateBefore(db, soldPrices);
      const run = (...texts: readonly string[]) =>
        db.migrate(async (one) => {
          for (const text of texts) await one(text);
        });
      await run(DEALER, vehicle(1), vehicle(2), sold(1));
      const before = [{ sold: 1, sold_cents: 90, discounts: 1, discount_cents: 10 }];
      expect(await figuresOf(db)).toEqual(before);
      await migrateToLatest(db);
      expect([await salesOf(db), await figuresOf(db)]).toEqual([[[1, 90, 100]], before]);
      await run(sold(2));
      expect(await salesOf(db)).toEqual([
        [1, 90, 100],
        [2, null, 100],
      ]);
      expect(await figuresOf(db)).toEqual([{ sold: 2, sold_cents: 90, discounts: 1, discount_cents: 10 }]);
      expect(await storedFigures(db).verify()).toEqual([]);
      await db.close();
    },
  );
