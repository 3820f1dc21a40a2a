import type { Engine, Migration } from "./migration.ts";

/** The vehicle of an image. Each change of an image has it in its JSON. */
const vehicleOfImage = (engine: Engine): string =>
  engine === "sqlite"
    ? "COALESCE(json_extract(after, '$.vehicle_id'), json_extract(before, '$.vehicle_id'))"
    : "COALESCE((after::jsonb ->> 'vehicle_id')::bigint, (before::jsonb ->> 'vehicle_id')::bigint)";

/** Every index of SQLite ends with the row's number anyway. */
const order = (engine: Engine): string => (engine === "sqlite" ? "created_at" : "created_at, id");

/**
 * The name that an entry's record had at the time, and indexes for finding entries by their action, and those of a
 * vehicle's images.
 */
export const auditTrails: Migration = {
  name: "0014-audit-trails",
  statements: (engine) => [
    // Empty for older entries, for which it is unknown.
    `ALTER TABLE audit_entries ADD COLUMN record_name ${engine === "sqlite" ? "TEXT" : 'TEXT COLLATE "C"'}`,
    `CREATE INDEX audit_of_action ON audit_entries (action, ${order(engine)})`,
    `CREATE INDEX audit_of_images ON audit_entries ((${vehicleOfImage(engine)}), ${order(engine)})
      WHERE resource = 'images'`,
  ],
};
