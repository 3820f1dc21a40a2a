import type { Migration } from "./migration.ts";

/** What a dealer's vehicles are sorted by, and what facets count. */
const READ = [
  ...["price_cents", "status", "mileage", "year", "stage", "make", "model"],
  ...["body_style", "fuel_type", "transmission", "drivetrain", "condition", "exterior_color"],
].join(", ");

/**
 * On SQLite the index of a dealer's vehicles has what they are sorted and counted by, too, so that neither reads their
 * rows, which lie far apart among those of others. It costs no further entry for each new vehicle, as an index of its
 * own would. `id` is in front of that, as lists end with it. PostgreSQL has no such need: its rows would all be written
 * to every index anew when a mileage changes.
 */
export const dealerSorts: Migration = {
  name: "0031-dealer-sorts",
  statements: (engine) => (engine === "sqlite" ? ["DROP INDEX vehicles_by_dealer"] : []),
  indexes: (engine) =>
    engine === "sqlite" ? [{ name: "vehicles_by_dealer", on: `vehicles (dealer_id, created_at, id, ${READ})` }] : [],
};
