import { SALE_OF_NEW } from "./0017-vehicle-history.ts";
import type { Engine, Migration } from "./migration.ts";

/** A vehicle that is sold but has no date of sale was sold before sales were recorded, and has no sale. */
const SALE_OF_DATED = "AFTER INSERT ON vehicles";
const IS_DATED = "new.status = 'sold' AND new.sold_at IS NOT NULL";

/** On SQLite, the index contains the time of listing as a number of milliseconds, from which days are counted. */
const LISTED_MS =
  "(unixepoch(COALESCE(listed_at, created_at)) * 1000 + CAST(substr(COALESCE(listed_at, created_at), 21, 3) AS INTEGER))";

/**
 * Builds between two releases already had parts of this migration. SQLite cannot add or change only what is missing, so
 * those parts are made again. The service stores all spellings again when it starts.
 */
const STATEMENTS: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [
    "DROP TRIGGER vehicle_sale_made",
    `CREATE TRIGGER vehicle_sale_made ${SALE_OF_DATED} WHEN ${IS_DATED} BEGIN ${SALE_OF_NEW} END`,
    "DROP TABLE vehicle_spellings",
    `CREATE TABLE vehicle_spellings (
      field TEXT NOT NULL,
      value TEXT NOT NULL,
      folded TEXT NOT NULL,
      PRIMARY KEY (field, value)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX spellings_by_folded ON vehicle_spellings (field, folded, value)",
    "CREATE TABLE former_search_state AS SELECT id, kept, reached, last FROM search_state",
    "DROP TABLE search_state",
    `CREATE TABLE search_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      kept INTEGER NOT NULL CHECK (kept IN (0, 1)),
      reached INTEGER NOT NULL,
      last INTEGER NOT NULL,
      unspelled INTEGER NOT NULL
    )`,
    `INSERT INTO search_state SELECT id, kept, reached, last, (SELECT COALESCE(MAX(id), 0) FROM vehicles)
      FROM former_search_state`,
    "DROP TABLE former_search_state",
    "DROP INDEX IF EXISTS vehicles_by_dealer_listed",
    "DROP INDEX IF EXISTS vehicles_on_lot",
  ],
  postgres: [
    "DROP TRIGGER vehicle_sale_made ON vehicles",
    `CREATE TRIGGER vehicle_sale_made ${SALE_OF_DATED} FOR EACH ROW WHEN (${IS_DATED})
      EXECUTE FUNCTION vehicle_sale_made()`,
    "DROP INDEX IF EXISTS spellings_unfolded",
    "DELETE FROM vehicle_spellings WHERE folded IS NULL",
    "ALTER TABLE vehicle_spellings ALTER COLUMN folded SET NOT NULL",
    "ALTER TABLE search_state ADD COLUMN IF NOT EXISTS unspelled BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE search_state ALTER COLUMN unspelled DROP DEFAULT",
    "UPDATE search_state SET unspelled = (SELECT COALESCE(MAX(id), 0) FROM vehicles)",
  ],
};

/**
 * The service stores the spellings of existing vehicles, a few at a time, up to the id `unspelled`. On SQLite, the ages
 * of a dealer's vehicles on the lot get an index of their own.
 */
export const storedSpellings: Migration = {
  name: "0025-stored-spellings",
  statements: (engine) => STATEMENTS[engine],
  indexes: (engine) =>
    engine === "sqlite"
      ? [
          {
            name: "vehicles_on_lot_by_age",
            on: `vehicles (dealer_id, ${LISTED_MS}, price_cents, status) WHERE status <> 'sold'`,
          },
        ]
      : [],
};
