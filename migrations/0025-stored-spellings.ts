import { SALE_OF_NEW } from "./0017-vehicle-history.ts";
import type { Engine, Migration } from "./migration.ts";

const INTEGER: Readonly<Record<Engine, string>> = { sqlite: "INTEGER", postgres: "BIGINT" };

/** A vehicle that is sold without a date was sold before sales were kept, and has no sale. */
const SALE_OF_DATED = "AFTER INSERT ON vehicles";
const IS_DATED = "new.status = 'sold' AND new.sold_at IS NOT NULL";
const SALE_MADE: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [
    "DROP TRIGGER vehicle_sale_made",
    `CREATE TRIGGER vehicle_sale_made ${SALE_OF_DATED} WHEN ${IS_DATED} BEGIN ${SALE_OF_NEW} END`,
  ],
  postgres: [
    "DROP TRIGGER vehicle_sale_made ON vehicles",
    `CREATE TRIGGER vehicle_sale_made ${SALE_OF_DATED} FOR EACH ROW WHEN (${IS_DATED}) EXECUTE FUNCTION vehicle_sale_made()`,
  ],
};

/** SQLite keeps the moment of listing as the number that days are counted with. */
const LISTED_MS =
  "(unixepoch(COALESCE(listed_at, created_at)) * 1000 + CAST(substr(COALESCE(listed_at, created_at), 21, 3) AS INTEGER))";

/**
 * Spellings are stored by the service, a few vehicles at a time, up to `unspelled` of those from before; and the ages of
 * a dealer's vehicles on the lot have one index on SQLite. What builds between two releases had instead goes.
 */
export const storedSpellings: Migration = {
  name: "0025-stored-spellings",
  statements: (engine) => [
    ...SALE_MADE[engine],
    "DROP INDEX IF EXISTS spellings_unfolded",
    "DELETE FROM vehicle_spellings WHERE folded IS NULL",
    `ALTER TABLE search_state ADD COLUMN unspelled ${INTEGER[engine]} NOT NULL DEFAULT 0`,
    "UPDATE search_state SET unspelled = (SELECT COALESCE(MAX(id), 0) FROM vehicles)",
    ...(engine === "sqlite"
      ? ["DROP INDEX IF EXISTS vehicles_by_dealer_listed", "DROP INDEX IF EXISTS vehicles_on_lot"]
      : []),
  ],
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
