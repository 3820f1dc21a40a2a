import type { Migration } from "./migration.ts";

/** Finds and counts the vehicles of a model in a price range without a look at the model's others. */
export const priceRanges: Migration = {
  name: "0002-price-ranges",
  statements: (engine) => [
    // The row's number already ends every index of SQLite.
    `CREATE INDEX vehicles_by_model_price ON vehicles (make_folded, model_folded, price_cents, created_at${engine === "sqlite" ? "" : ", id"})`,
  ],
};
