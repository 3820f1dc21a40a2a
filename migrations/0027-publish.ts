import type { Engine, Migration } from "./migration.ts";
import { vehicleDocumentsOf } from "./vehicle-documents.ts";

const INTEGER: Readonly<Record<Engine, string>> = { sqlite: "INTEGER", postgres: "BIGINT" };

/** The fields of a vehicle in the order of its document, as of this migration. */
const FIELDS = (
  "id,dealer_id,make,model,year,price,title,trim,mileage,exterior_color,interior_color,vin,stock_number,description," +
  "features,status,featured,fuel_type,transmission,engine,drivetrain,body_style,condition,seats,stage,listed_at,sold_at," +
  "publish,previous_price,price_changed_at,created_at,updated_at"
).split(",");

/**
 * Whether feeds may contain a vehicle. There is no CHECK, because adding one would read every row while the table is
 * locked.
 */
export const publish: Migration = {
  name: "0027-publish",
  statements: (engine) => [
    `ALTER TABLE vehicles ADD COLUMN publish ${INTEGER[engine]} NOT NULL DEFAULT 1`,
    ...vehicleDocumentsOf(engine, FIELDS),
  ],
};
