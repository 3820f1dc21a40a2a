import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };

/**
 * Columns that PostgreSQL answers the ages of sold vehicles from, without reading their rows. SQLite reads the few rows
 * that were found.
 */
const AGES: Readonly<Record<Engine, string>> = { sqlite: "", postgres: ", listed_at, created_at, id" };

/** What a dealer's first page needs: why a feed leaves vehicles out, what was sold lately, and what was repriced last. */
export const today: Migration = {
  name: "0053-today",
  statements: (engine) => [`ALTER TABLE feeds ADD COLUMN counted_reason ${TEXT[engine]}`],
  indexes: (engine) => [
    { name: "vehicles_sold", on: `vehicles (dealer_id, sold_at${AGES[engine]}) WHERE status = 'sold'` },
    {
      name: "vehicles_repriced",
      on: "vehicles (dealer_id, price_changed_at, id) WHERE price_changed_at IS NOT NULL AND status <> 'sold'",
    },
  ],
};
