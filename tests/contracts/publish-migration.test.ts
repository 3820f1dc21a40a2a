import { expect, setDefaultTimeout } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { publish } from "../../migrations/0027-publish.ts";
import { deepTest } from "../support/deep-test.ts";
import { migrateBefore } from "../support/earlier-schema.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { MOMENT } from "../support/records.ts";

setDefaultTimeout(300_000);

const DEALER = `INSERT INTO dealers (id, name, address, city, state, zip, phone, email, active, city_folded, state_folded,
  created_at, updated_at) VALUES (1, 'Harbor Motors', 'x', 'x', 'x', 'x', 'x', 'x', 1, 'x', 'x', '${MOMENT}', '${MOMENT}')`;

/** A vehicle as the previous version inserts it, without the column. */
const vehicle = (id: number) => `INSERT INTO vehicles (id, dealer_id, make, model, year, price_cents, status, featured,
  make_folded, model_folded, created_at, updated_at)
  VALUES (${id}, 1, 'Tatra', 'T87', 1948, 100, 'available', 0, 'tatra', 't87', '${MOMENT}', '${MOMENT}')`;

const documentsOf = (db: SqlDatabase) =>
  db.all<{ document: string }>({ text: "SELECT document FROM vehicle_documents ORDER BY id", bind: () => [] }, {});

// Long published, with everything it calls of its own: the deep run alone takes it again.
for (const engine of ENGINES)
  deepTest(
    `existing vehicles, and those that an older instance still adds, are published on ${engine.name}`,
    async () => {
      const db = connect(await engine.url());
      await migrateBefore(db, publish);
      const run = (...texts: readonly string[]) =>
        db.migrate(async (one) => {
          for (const text of texts) await one(text);
        });
      await run(DEALER, vehicle(1));
      await migrateToLatest(db);
      await run(vehicle(2));
      const documents = (await documentsOf(db)).map(({ document }) => JSON.parse(document));
      expect(documents).toEqual([1, 2].map((id) => expect.objectContaining({ id, publish: 1 })));
      await db.close();
    },
  );
