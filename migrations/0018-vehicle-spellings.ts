import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };
const BY_KEY: Readonly<Record<Engine, string>> = { sqlite: "STRICT, WITHOUT ROWID", postgres: "" };

/**
 * Every spelling in use of the fields that are filtered by their whole value without regard to case and accents. The
 * service stores the spellings of existing vehicles later, a few vehicles at a time. There are also indexes for finding
 * a VIN and a stock number.
 */
export const vehicleSpellings: Migration = {
  name: "0018-vehicle-spellings",
  statements: (engine) => [
    `CREATE TABLE vehicle_spellings (
      field ${TEXT[engine]} NOT NULL,
      value ${TEXT[engine]} NOT NULL,
      folded ${TEXT[engine]},
      PRIMARY KEY (field, value)
    ) ${BY_KEY[engine]}`,
    "CREATE INDEX spellings_by_folded ON vehicle_spellings (field, folded, value)",
  ],
  indexes: () => [
    { name: "vehicles_by_vin", on: "vehicles (lower(vin), dealer_id)" },
    { name: "vehicles_by_stock_number", on: "vehicles (lower(stock_number), dealer_id)" },
  ],
};
