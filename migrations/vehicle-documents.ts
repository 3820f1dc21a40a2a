import type { Engine } from "./migration.ts";

/** How an engine writes numbers that may have a fraction. */
interface Numbers {
  readonly units: (cents: string) => string;
  readonly decimal: (column: string) => string;
}

/** The fields that are stored with their fraction. */
const DECIMALS = ["msrp", "battery_capacity", "fuel_consumption", "energy_consumption"];

/** Each field with the expression for its value, for a row of `vehicles`. */
const valuesOf = (
  fields: readonly string[],
  row: string,
  { units, decimal }: Numbers,
): [field: string, value: string][] => {
  const computed: Readonly<Record<string, string>> = {
    price: units(`${row}.price_cents`),
    previous_price: units(`${row}.previous_price_cents`),
    listed_at: `COALESCE(${row}.listed_at, ${row}.created_at)`,
    ...Object.fromEntries(DECIMALS.map((field) => [field, decimal(`${row}."${field}"`)])),
  };
  return fields.map((field) => [field, computed[field] ?? `${row}."${field}"`]);
};

const sqliteDocument = (fields: readonly string[], row: string): string => {
  // Otherwise a double without a fraction would become `12000.0`.
  const units = (cents: string) => `CASE WHEN ${cents} % 100 = 0 THEN ${cents} / 100 ELSE ${cents} / 100.0 END`;
  const decimal = (column: string) =>
    `iif(CAST(${column} AS INTEGER) = ${column}, CAST(${column} AS INTEGER), ${column})`;
  return `json_object(${valuesOf(fields, row, { units, decimal }).map(([field, value]) => `'${field}', ${value}`)})`;
};

const postgresDocument = (fields: readonly string[], row: string): string => {
  const values = valuesOf(fields, row, {
    units: (cents) => `CAST(${cents} AS DOUBLE PRECISION) / 100`,
    decimal: (column) => column,
  });
  return `(SELECT row_to_json(fields)::text FROM (SELECT ${values.map(([field, value]) => `${value} AS "${field}"`)}) AS fields)`;
};

const sqlite = (fields: readonly string[]): string[] => {
  const keptOf = (row: string): string => `${row}.dealer_id, ${row}.updated_at, ${sqliteDocument(fields, row)}`;
  return [
    "DROP TRIGGER vehicle_document_made",
    "DROP TRIGGER vehicle_document_changed",
    `CREATE TRIGGER vehicle_document_made AFTER INSERT ON vehicles BEGIN
      INSERT INTO vehicle_documents VALUES (new.id, ${keptOf("new")}); END`,
    `CREATE TRIGGER vehicle_document_changed AFTER UPDATE ON vehicles BEGIN
      UPDATE vehicle_documents SET (dealer_id, updated_at, document) = (${keptOf("new")}) WHERE id = new.id; END`,
    `UPDATE vehicle_documents SET document = ${sqliteDocument(fields, "vehicles")}
      FROM vehicles WHERE vehicles.id = vehicle_documents.id`,
  ];
};

const postgres = (fields: readonly string[]): string[] => [
  "DROP VIEW vehicle_documents",
  // A new column is empty in all rows at once. An UPDATE of all rows would lock the table for minutes.
  "ALTER TABLE vehicles DROP COLUMN document",
  "ALTER TABLE vehicles ADD COLUMN document TEXT",
  `CREATE OR REPLACE FUNCTION write_vehicle_document() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    new.document := ${postgresDocument(fields, "new")}; RETURN new; END $$`,
  `CREATE VIEW vehicle_documents AS SELECT id, dealer_id, updated_at,
    COALESCE(document, ${postgresDocument(fields, "vehicles")}) AS document FROM vehicles`,
];

const STATEMENTS: Readonly<Record<Engine, (fields: readonly string[]) => string[]>> = { sqlite, postgres };

/**
 * Statements for a migration that adds or removes vehicle fields. Afterwards, documents have these fields in this
 * order. Run them when the columns exist. The migration must write out its list, because the service's own list may
 * change later. SQLite rewrites all documents. PostgreSQL writes each document at the vehicle's next change.
 */
export const vehicleDocumentsOf = (engine: Engine, fields: readonly string[]): readonly string[] =>
  STATEMENTS[engine](fields);
