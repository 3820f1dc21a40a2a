import { expect, setDefaultTimeout, test } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { verifySpellings } from "../../adapters/sql/search/verification.ts";
import { storedSpellings } from "../../migrations/0025-stored-spellings.ts";
import { MIGRATIONS } from "../../migrations/index.ts";
import { migrateBefore } from "../support/earlier-schema.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { MOMENT } from "../support/records.ts";

setDefaultTimeout(300_000);

const DEALER = `INSERT INTO dealers (id, name, address, city, state, zip, phone, email, active, city_folded, state_folded,
  created_at, updated_at) VALUES (1, 'Harbor Motors', 'x', 'x', 'x', 'x', 'x', 'x', 1, 'x', 'x', '${MOMENT}', '${MOMENT}')`;
const vehicle = (
  id: number,
  status: string,
) => `INSERT INTO vehicles (id, dealer_id, make, model, trim, year, price_cents,
  status, featured, make_folded, model_folded, created_at, updated_at)
  VALUES (${id}, 1, 'Škoda', 'Felicia', 'Été', 1998, 100, '${status}', 0, 'skoda', 'felicia', '${MOMENT}', '${MOMENT}')`;

type Statements = Readonly<Record<SqlDatabase["engine"], readonly string[]>>;
const ofBoth = (...statements: readonly string[]): Statements => ({ sqlite: statements, postgres: statements });

/** Changes of the schema that two builds between releases made, besides the migrations. */
const BUILDS: Readonly<Record<string, readonly Statements[]>> = {
  "an early build": [
    {
      sqlite: [
        "CREATE INDEX vehicles_by_dealer_listed ON vehicles (dealer_id, status, unixepoch(COALESCE(listed_at, created_at)))",
        "CREATE INDEX vehicles_on_lot ON vehicles (dealer_id, listed_at, created_at, price_cents, status) WHERE status <> 'sold'",
      ],
      postgres: [
        "CREATE INDEX vehicles_on_lot ON vehicles (dealer_id, listed_at, created_at, price_cents, id) WHERE status <> 'sold'",
      ],
    },
    ofBoth(
      "CREATE INDEX spellings_unfolded ON vehicle_spellings (field, value) WHERE folded IS NULL",
      "INSERT INTO vehicle_spellings (field, value) VALUES ('trim', 'Été'), ('trim', 'Of no vehicle')",
    ),
  ],
  "a late build": [
    {
      sqlite: [
        "DROP TABLE search_state",
        `CREATE TABLE search_state (id INTEGER PRIMARY KEY, kept INTEGER NOT NULL, reached INTEGER NOT NULL,
          last INTEGER NOT NULL, unspelled INTEGER NOT NULL)`,
        "DROP TABLE vehicle_spellings",
        `CREATE TABLE vehicle_spellings (field TEXT NOT NULL, value TEXT NOT NULL, folded TEXT NOT NULL,
          PRIMARY KEY (field, value)) STRICT, WITHOUT ROWID`,
        "CREATE INDEX vehicles_on_lot ON vehicles (dealer_id, unixepoch(COALESCE(listed_at, created_at)), price_cents)",
      ],
      postgres: [
        "DROP TABLE search_state",
        `CREATE TABLE search_state (id BIGINT PRIMARY KEY CHECK (id = 1), kept BIGINT NOT NULL, reached BIGINT NOT NULL,
          last BIGINT NOT NULL, unspelled BIGINT NOT NULL)`,
        "ALTER TABLE vehicle_spellings ALTER COLUMN folded SET NOT NULL",
        "CREATE INDEX vehicles_on_lot ON vehicles (dealer_id, listed_at, created_at, price_cents, id) WHERE status <> 'sold'",
      ],
    },
    ofBoth(
      "INSERT INTO search_state (id, kept, reached, last, unspelled) VALUES (1, 1, 0, 0, 0)",
      "INSERT INTO vehicle_spellings (field, value, folded) VALUES ('trim', 'Été', 'ete')",
    ),
  ],
};
const IN_BOTH = ofBoth(
  "CREATE INDEX vehicles_by_vin ON vehicles (lower(vin), dealer_id)",
  "CREATE INDEX vehicles_by_stock_number ON vehicles (lower(stock_number), dealer_id)",
  DEALER,
  vehicle(1, "available"),
);

/** The columns, indexes and triggers of a database. */
const SCHEMA: Readonly<Record<SqlDatabase["engine"], string>> = {
  sqlite: "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name",
  postgres: `SELECT 'column' AS type, table_name || '.' || column_name AS name,
      data_type || ' ' || is_nullable || ' ' || COALESCE(column_default, '') AS sql
    FROM information_schema.columns WHERE table_schema = current_schema()
    UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()
    UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(pg_trigger.oid) FROM pg_trigger
      JOIN pg_class ON pg_class.oid = tgrelid WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal
    ORDER BY 1, 2, 3`,
};

const rowsOf = (db: SqlDatabase, text: string) => db.all<Record<string, unknown>>({ text, bind: () => [] }, {});

const CASES = Object.entries(BUILDS).flatMap(([build, made]) => ENGINES.map((engine) => ({ build, made, engine })));

for (const { build, made, engine } of CASES)
  test(`a database of ${build} between releases gets the schema and the spellings of a new one on ${engine.name}`, async () => {
    const db = connect(await engine.url());
    await migrateBefore(db, storedSpellings);
    await db.migrate(async (run) => {
      for (const text of [...made, IN_BOTH].flatMap((one) => one[db.engine])) await run(text);
    });
    expect(await migrateToLatest(db)).toEqual(
      MIGRATIONS.slice(MIGRATIONS.indexOf(storedSpellings)).map(({ name }) => name),
    );
    const fresh = await engine.open();
    expect(await rowsOf(db, SCHEMA[db.engine])).toEqual(await rowsOf(fresh, SCHEMA[db.engine]));
    expect(await verifySpellings(db)).toEqual([]);
    expect(await rowsOf(db, "SELECT value, folded FROM vehicle_spellings WHERE field = 'trim'")).toEqual([
      { value: "Été", folded: "ete" },
    ]);

    await db.migrate((run) => run(vehicle(2, "sold")).then(() => {}));
    expect(await rowsOf(db, "SELECT vehicle_id FROM vehicle_sales")).toEqual([]);
    await db.close();
    await fresh.close();
  });
