/** The columns of a vehicle whose values come from a request body. */
export const FILLED = [
  "dealer_id",
  "make",
  "model",
  "year",
  "title",
  '"trim"',
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
] as const;

/** The 26 columns of a vehicle as answered. */
export const COLUMNS = ["id", ...FILLED, "price_cents", "created_at", "updated_at"] as const;

/** The columns with whole numbers. */
export const WHOLE: ReadonlySet<string> = new Set<(typeof COLUMNS)[number]>([
  "id",
  "dealer_id",
  "year",
  "mileage",
  "featured",
  "seats",
  "price_cents",
]);

export type Value = string | number | null;

/** A row with all COLUMNS. */
export type VehicleRow = Readonly<Record<string, Value>> & { readonly price_cents: number };

/** A row in the form of the answer. */
export const vehicleOf = (row: VehicleRow) => ({
  id: row.id,
  dealer_id: row.dealer_id,
  make: row.make,
  model: row.model,
  year: row.year,
  price: row.price_cents / 100,
  title: row.title,
  trim: row.trim,
  mileage: row.mileage,
  exterior_color: row.exterior_color,
  interior_color: row.interior_color,
  vin: row.vin,
  stock_number: row.stock_number,
  description: row.description,
  features: row.features,
  status: row.status,
  featured: row.featured,
  fuel_type: row.fuel_type,
  transmission: row.transmission,
  engine: row.engine,
  drivetrain: row.drivetrain,
  body_style: row.body_style,
  condition: row.condition,
  seats: row.seats,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** A vehicle as clients send it. */
export type SentVehicle = Readonly<Record<string, Value>> & {
  readonly make: string;
  readonly model: string;
  readonly price: number;
};

/** The columns of a new vehicle, in the same order as `valuesOf`. */
export const INSERTED = [...FILLED, "price_cents", "make_folded", "model_folded", "created_at", "updated_at"];

/** The stored form of a make or model that is written in ASCII. */
export const foldedName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The values for INSERTED. */
export const valuesOf = (sent: SentVehicle, now: string): Value[] => [
  ...FILLED.map((column) => sent[column === '"trim"' ? "trim" : column] ?? null),
  Math.round(sent.price * 100),
  foldedName(sent.make),
  foldedName(sent.model),
  now,
  now,
];
