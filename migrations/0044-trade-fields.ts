import type { Engine, Migration } from "./migration.ts";
import { vehicleDocumentsOf } from "./vehicle-documents.ts";

const TYPES = {
  sqlite: { integer: "INTEGER", text: "TEXT", decimal: "REAL", byKey: "STRICT, WITHOUT ROWID" },
  postgres: { integer: "BIGINT", text: 'TEXT COLLATE "C"', decimal: "DOUBLE PRECISION", byKey: "" },
} as const satisfies Record<Engine, Record<string, string>>;

/** The new fields of a vehicle, each with its type. They are empty in all rows at once, without a change of any row. */
const VEHICLE_COLUMNS = {
  doors: "integer",
  owners: "integer",
  date_first_registered: "text",
  warranty: "text",
  msrp: "decimal",
  electric_range: "integer",
  battery_capacity: "decimal",
  charge_port: "text",
  fuel_consumption: "decimal",
  energy_consumption: "decimal",
  co2_emissions: "integer",
  emissions_standard: "text",
} as const;

/** The fields of a vehicle in the order of its document, as of this migration. */
const FIELDS = (
  "id,dealer_id,make,model,year,price,title,trim,mileage,exterior_color,interior_color,vin,stock_number,description," +
  "features,status,featured,fuel_type,transmission,engine,drivetrain,body_style,condition,seats," +
  `${Object.keys(VEHICLE_COLUMNS)},stage,listed_at,sold_at,publish,previous_price,price_changed_at,created_at,updated_at`
).split(",");

const vehicles = (engine: Engine): readonly string[] => [
  ...Object.entries(VEHICLE_COLUMNS).map(
    ([name, type]) => `ALTER TABLE vehicles ADD COLUMN ${name} ${TYPES[engine][type]}`,
  ),
  ...vehicleDocumentsOf(engine, FIELDS),
];

const dealerCodes = (engine: Engine): readonly string[] => {
  const { integer, text, byKey } = TYPES[engine];
  return [
    "ALTER TABLE dealers ADD COLUMN codes TEXT NOT NULL DEFAULT '[]'",
    `CREATE TABLE dealer_codes (
      folded ${text} NOT NULL PRIMARY KEY,
      dealer_id ${integer} NOT NULL REFERENCES dealers (id) ON DELETE CASCADE
    ) ${byKey}`,
    "CREATE INDEX dealer_codes_of_dealer ON dealer_codes (dealer_id)",
  ];
};

/**
 * What electric vehicles and European listing sites need to be told, and what other systems call dealers. An instance of
 * an earlier version does not set the codes of a dealer, and keeps those that are there.
 */
export const tradeFields: Migration = {
  name: "0044-trade-fields",
  statements: (engine) => [...vehicles(engine), ...dealerCodes(engine)],
};
