import type { Migration } from "./migration.ts";

/** The columns by which a dealer's vehicles are sorted, and those that facets count. */
const READ = [
  ...["price_cents", "status", "mileage", "year", "stage", "make", "model"],
  ...["body_style", "fuel_type", "transmission", "drivetrain", "condition", "exterior_color"],
].join(", ");

/**
 * On SQLite, the index of a dealer's vehicles also contains the columns by which they are sorted and counted. So
 * neither of these reads the rows, which are scattered among those of other dealers. Separate indexes would cost an
 * entry for each new vehicle; this one does not. `id` precedes these columns because lists are ordered by it at the
 * end. On PostgreSQL the index would do harm: a change of the mileage would write a new entry into every index.
 */
export const dealerSorts: Migration = {
  name: "0031-dealer-sorts",
  statements: (engine) => (engine === "sqlite" ? ["DROP INDEX vehicles_by_dealer"] : []),
  indexes: (engine) =>
    engine === "sqlite" ? [{ name: "vehicles_by_dealer", on: `vehicles (dealer_id, created_at, id, ${READ})` }] : [],
};
