import type { Engine, Migration } from "./migration.ts";

/** The first price that a vehicle had at its dealer, as in `0017-vehicle-history`. */
const FIRST_CENTS = `CASE WHEN old.dealer_id <> new.dealer_id THEN new.price_cents ELSE COALESCE(
  (SELECT CAST(old_value AS BIGINT) FROM vehicle_history
    WHERE vehicle_id = new.id AND dealer_id = new.dealer_id AND field = 'price' AND at > COALESCE(
      (SELECT MAX(at) FROM vehicle_history WHERE vehicle_id = new.id AND field = 'dealer_id'), '') ORDER BY at LIMIT 1),
  old.price_cents) END`;

const SALE =
  "vehicle_sales (vehicle_id, made_at, dealer_id, sold_at, sold_cents, first_cents, listed_at, note, present)";
const LISTED = "COALESCE(new.listed_at, new.created_at)";
const PRESENT = "vehicle_id = new.id AND present = 1";
const NO_PRESENT = `NOT EXISTS (SELECT 1 FROM vehicle_sales WHERE ${PRESENT})`;

/** A sale of a vehicle that an earlier dealer had sold already has no first price. */
const SALE_OF_CHANGE = `
  UPDATE vehicle_sales SET present = 0 WHERE ${PRESENT} AND dealer_id <> new.dealer_id;
  DELETE FROM vehicle_sales WHERE ${PRESENT} AND new.status <> 'sold';
  UPDATE vehicle_sales SET sold_at = new.sold_at, listed_at = ${LISTED} WHERE ${PRESENT};
  INSERT INTO ${SALE} SELECT new.id, new.updated_at, new.dealer_id, new.sold_at, NULL,
    CASE WHEN old.status = 'sold' THEN NULL ELSE ${FIRST_CENTS} END, ${LISTED}, NULL, 1
    WHERE new.status = 'sold' AND ${NO_PRESENT};`;

const SALE_OF_NEW = `INSERT INTO ${SALE} SELECT new.id, new.updated_at, new.dealer_id, new.sold_at, NULL, new.price_cents,
  ${LISTED}, NULL, 1 WHERE ${NO_PRESENT};`;

const WATCHED = ["dealer_id", "status", "sold_at", "listed_at"];

/** The triggers keep their names, so that they run in the same order as before. */
const STATEMENTS: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [
    "DROP TRIGGER vehicle_sale_kept",
    `CREATE TRIGGER vehicle_sale_kept AFTER UPDATE OF ${WATCHED.join(", ")} ON vehicles
      WHEN (old.status = 'sold' OR new.status = 'sold')
        AND (${WATCHED.map((column) => `old.${column} IS DISTINCT FROM new.${column}`).join(" OR ")})
      BEGIN ${SALE_OF_CHANGE} END`,
    "DROP TRIGGER vehicle_sale_made",
    `CREATE TRIGGER vehicle_sale_made AFTER INSERT ON vehicles
      WHEN new.status = 'sold' AND new.sold_at IS NOT NULL BEGIN ${SALE_OF_NEW} END`,
  ],
  postgres: [["vehicle_sale_kept", SALE_OF_CHANGE] as const, ["vehicle_sale_made", SALE_OF_NEW] as const].map(
    ([name, work]) =>
      `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${work} RETURN NULL; END $$`,
  ),
};

/**
 * A sale has no sold price until somebody enters one. Sales that are there keep theirs: which of them were entered is
 * not known, and reports of past months stay as they were read.
 */
export const soldPrices: Migration = {
  name: "0036-sold-prices",
  statements: (engine) => STATEMENTS[engine],
};
