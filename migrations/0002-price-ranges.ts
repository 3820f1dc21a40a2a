import type { Migration } from "./migration.ts";

/** An index for finding and counting a model's vehicles in a price range without reading the model's other vehicles. */
export const priceRanges: Migration = {
  name: "0002-price-ranges",
  statements: (engine) => [
    // Every index of SQLite ends with the row's number anyway.
    `CREATE INDEX vehicles_by_model_price ON vehicles (make_folded, model_folded, price_cents, created_at${engine === "sqlite" ? "" : ", id"})`,
  ],
};
