import type { Engine, Migration } from "./migration.ts";

/**
 * The fields of a vehicle in the order of its document. They are written out because the service's own list may change
 * later.
 */
const FIELDS = [
  "id",
  "dealer_id",
  "make",
  "model",
  "year",
  "price",
  "title",
  "trim",
  "mileage",
  "exterior_color",
  "interior_color",
  "vin",
  "stock_number",
  "description",
  "features",
  "status",
  "featured",
  "fuel_type",
  "transmission",
  "engine",
  "drivetrain",
  "body_style",
  "condition",
  "seats",
  "created_at",
  "updated_at",
] as const;

/** Each field with the expression for its value, for a row of `vehicles`. */
const valuesOf = (row: string, price: string): [field: string, value: string][] =>
  FIELDS.map((field) => [field, field === "price" ? price : `${row}."${field}"`]);

const sqliteDocument = (row: string): string => {
  const cents = `${row}.price_cents`;
  // Otherwise a double without a fraction would become `12000.0`.
  const price = `CASE WHEN ${cents} % 100 = 0 THEN ${cents} / 100 ELSE ${cents} / 100.0 END`;
  return `json_object(${valuesOf(row, price).map(([field, value]) => `'${field}', ${value}`)})`;
};

const keptOf = (row: string): string => `${row}.dealer_id, ${row}.updated_at, ${sqliteDocument(row)}`;

/**
 * The documents are in a separate table, because a SQLite trigger cannot set columns of the row that is being written.
 */
const SQLITE = [
  `CREATE TABLE vehicle_documents (
    id INTEGER PRIMARY KEY,
    dealer_id INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    document TEXT NOT NULL
  ) STRICT`,
  `INSERT INTO vehicle_documents SELECT id, ${keptOf("vehicles")} FROM vehicles ORDER BY id`,
  `CREATE TRIGGER vehicle_document_made AFTER INSERT ON vehicles BEGIN
    INSERT INTO vehicle_documents VALUES (new.id, ${keptOf("new")}); END`,
  `CREATE TRIGGER vehicle_document_changed AFTER UPDATE ON vehicles BEGIN
    UPDATE vehicle_documents SET (dealer_id, updated_at, document) = (${keptOf("new")}) WHERE id = new.id; END`,
  `CREATE TRIGGER vehicle_document_removed AFTER DELETE ON vehicles BEGIN
    DELETE FROM vehicle_documents WHERE id = old.id; END`,
];

const postgresDocument = (row: string): string => {
  const fields = valuesOf(row, `CAST(${row}.price_cents AS DOUBLE PRECISION) / 100`);
  return `(SELECT row_to_json(fields)::text FROM (SELECT ${fields.map(([field, value]) => `${value} AS "${field}"`)}) AS fields)`;
};

/**
 * The document is in the row itself, which is cheaper than a second row. Existing vehicles get theirs at their next
 * change: writing all of them here would lock the table for minutes.
 */
const POSTGRES = [
  "ALTER TABLE vehicles ADD COLUMN document TEXT",
  `CREATE FUNCTION write_vehicle_document() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    new.document := ${postgresDocument("new")}; RETURN new; END $$`,
  `CREATE TRIGGER vehicle_document_written BEFORE INSERT OR UPDATE ON vehicles
    FOR EACH ROW EXECUTE FUNCTION write_vehicle_document()`,
  `CREATE VIEW vehicle_documents AS
    SELECT id, dealer_id, updated_at, COALESCE(document, ${postgresDocument("vehicles")}) AS document FROM vehicles`,
];

const STATEMENTS: Readonly<Record<Engine, readonly string[]>> = { sqlite: SQLITE, postgres: POSTGRES };

/**
 * Each vehicle as the JSON text of its answer. Triggers write it in the transaction of every change, whichever version
 * of the service makes the change. It is written once per change instead of at every read.
 */
export const vehicleDocuments: Migration = {
  name: "0006-vehicle-documents",
  statements: (engine) => STATEMENTS[engine],
};
