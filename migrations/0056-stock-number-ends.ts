import type { Migration } from "./migration.ts";

/**
 * Finds the vehicles whose stored words lack the end of the stock number, because an instance of an earlier version made
 * them. The service makes them anew in the background.
 */
export const stockNumberEnds: Migration = {
  name: "0056-stock-number-ends",
  statements: () => [],
  indexes: () => [
    { name: "vehicle_words_without_ends", on: "vehicle_words (vehicle_id) WHERE substr(words, 1, 2) <> ' §'" },
  ],
};
