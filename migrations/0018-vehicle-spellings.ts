import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };
const BY_KEY: Readonly<Record<Engine, string>> = { sqlite: "STRICT, WITHOUT ROWID", postgres: "" };

/** The fields that are found by their whole value, besides make and model, which have a column for it. */
const FIELDS = [
  "trim",
  "exterior_color",
  "interior_color",
  "fuel_type",
  "transmission",
  "drivetrain",
  "body_style",
  "condition",
] as const;

/** Of stock numbers, only those with letters that databases do not fold alike. */
const STOCK_NUMBER = "CASE WHEN length(stock_number) <> octet_length(stock_number) THEN stock_number END";

const VALUES: readonly (readonly [field: string, value: string])[] = [
  ...FIELDS.map((field) => [field, `"${field}"`] as const),
  ["stock_number", STOCK_NUMBER],
];

/** Each field and value of each vehicle, in one pass over the vehicles. */
const USED: Readonly<Record<Engine, string>> = {
  sqlite: `SELECT DISTINCT used.field AS field, CASE used.field ${VALUES.map(([field, value]) => `WHEN '${field}' THEN ${value}`).join(" ")} END AS value
    FROM vehicles CROSS JOIN (${VALUES.map(([field]) => `SELECT '${field}' AS field`).join(" UNION ALL ")}) AS used`,
  postgres: `SELECT DISTINCT used.field, used.value FROM vehicles
    CROSS JOIN LATERAL (VALUES ${VALUES.map(([field, value]) => `('${field}', ${value})`).join(", ")}) AS used (field, value)`,
};

/**
 * Every spelling in use of the fields that are found by their whole value, without regard to case and accents. What it is
 * in that form only the service can tell: it is `NULL` until then. And indexes that find a VIN and a stock number.
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
    "CREATE INDEX spellings_unfolded ON vehicle_spellings (field, value) WHERE folded IS NULL",
    // They keep others from writing on PostgreSQL: what is read below is all there is.
    "CREATE INDEX vehicles_by_vin ON vehicles (lower(vin), dealer_id)",
    "CREATE INDEX vehicles_by_stock_number ON vehicles (lower(stock_number), dealer_id)",
    `INSERT INTO vehicle_spellings (field, value) SELECT field, value FROM (${USED[engine]}) AS spelled
      WHERE value IS NOT NULL`,
  ],
};
