import type { Migration } from "./migration.ts";

/**
 * Whether a dealer refuses a vehicle whose VIN or stock number an unsold vehicle of the dealer has. An instance of an
 * earlier version does not set the column, and never refuses.
 */
export const uniqueVin: Migration = {
  name: "0037-unique-vin",
  statements: () => ["ALTER TABLE dealers ADD COLUMN unique_vin TEXT NOT NULL DEFAULT 'warn'"],
};
