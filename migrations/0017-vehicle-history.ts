import type { Engine, Migration } from "./migration.ts";
import { vehicleDocumentsOf } from "./vehicle-documents.ts";

/** The differences between the engines' SQL, as in the first schema. */
const WORDS = {
  sqlite: {
    integer: "INTEGER",
    text: "TEXT",
    end: "STRICT",
    byKey: "STRICT, WITHOUT ROWID",
    now: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  },
  postgres: {
    integer: "BIGINT",
    text: 'TEXT COLLATE "C"',
    end: "",
    byKey: "",
    now: `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  },
} as const satisfies Record<Engine, Record<string, string>>;

/** The fields of a vehicle in the order of its document, as of this migration. */
const FIELDS = (
  "id,dealer_id,make,model,year,price,title,trim,mileage,exterior_color,interior_color,vin,stock_number,description," +
  "features,status,featured,fuel_type,transmission,engine,drivetrain,body_style,condition,seats,stage,listed_at,sold_at," +
  "previous_price,price_changed_at,created_at,updated_at"
).split(",");

const tables = ({ integer, text, end, byKey, now }: (typeof WORDS)[Engine]): string[] => [
  ...[
    `listed_at ${text}`,
    `stage ${text}`,
    `sold_at ${text}`,
    `previous_price_cents ${integer}`,
    `price_changed_at ${text}`,
    // When somebody last changed a recorded field, and who. If `changed_at` differs from `updated_at`, both are
    // outdated: an instance of the previous version has changed the vehicle since.
    `changed_at ${text}`,
    `changed_by ${text}`,
  ].map((column) => `ALTER TABLE vehicles ADD COLUMN ${column}`),

  // There is no foreign key, because the history of a removed vehicle is needed again if the vehicle is restored.
  `CREATE TABLE vehicle_history (
    vehicle_id ${integer} NOT NULL,
    at ${text} NOT NULL,
    field ${text} NOT NULL,
    dealer_id ${integer},
    old_value ${text},
    new_value ${text},
    actor ${text},
    PRIMARY KEY (vehicle_id, at, field)
  ) ${byKey}`,

  `CREATE TABLE history_begin (
    id ${integer} PRIMARY KEY CHECK (id = 1),
    at ${text} NOT NULL
  ) ${end}`,
  // If the database has no vehicles yet, the history of all later vehicles is complete, and there is no row.
  `INSERT INTO history_begin (id, at) SELECT 1, ${now} WHERE EXISTS (SELECT 1 FROM vehicles)`,

  `CREATE TABLE vehicle_sales (
    vehicle_id ${integer} NOT NULL,
    made_at ${text} NOT NULL,
    dealer_id ${integer} NOT NULL,
    sold_at ${text},
    sold_cents ${integer},
    first_cents ${integer},
    listed_at ${text} NOT NULL,
    note ${text},
    present ${integer} NOT NULL CHECK (present IN (0, 1)),
    PRIMARY KEY (vehicle_id, made_at, dealer_id)
  ) ${byKey}`,
];

const DIFFERS = (value: string): string => `old.${value} IS DISTINCT FROM new.${value}`;

/** The recorded fields, each with its column. The history contains the column's value as text. */
const KEPT = [
  { field: "dealer_id", column: "dealer_id", isNumber: true },
  { field: "mileage", column: "mileage", isNumber: true },
  { field: "price", column: "price_cents", isNumber: true },
  { field: "stage", column: "stage", isNumber: false },
  { field: "status", column: "status", isNumber: false },
] as const;
const KEPT_COLUMNS = KEPT.map(({ column }) => column);

const CHANGE = "vehicle_history (vehicle_id, dealer_id, at, field, old_value, new_value, actor)";
/** Two changes of a field at the same time are combined. The service does not make such changes. */
const AT_ONCE =
  "ON CONFLICT (vehicle_id, at, field) DO UPDATE SET new_value = excluded.new_value, actor = excluded.actor";

/** Records the change of one field. */
const keepChange = ({ field, column, isNumber }: (typeof KEPT)[number]): string => {
  const value = (row: string) => (isNumber ? `CAST(${row}.${column} AS TEXT)` : `${row}.${column}`);
  return `INSERT INTO ${CHANGE} VALUES (new.id, CASE WHEN old.dealer_id = new.dealer_id THEN new.dealer_id END,
    new.updated_at, '${field}', ${value("old")}, ${value("new")},
    CASE WHEN new.changed_at = new.updated_at THEN new.changed_by END) ${AT_ONCE};`;
};

/** The first price that a vehicle had at its dealer. Its prices at earlier dealers do not count. */
const FIRST_CENTS = `CASE WHEN old.dealer_id <> new.dealer_id THEN new.price_cents ELSE COALESCE(
  (SELECT CAST(old_value AS BIGINT) FROM vehicle_history
    WHERE vehicle_id = new.id AND dealer_id = new.dealer_id AND field = 'price' AND at > COALESCE(
      (SELECT MAX(at) FROM vehicle_history WHERE vehicle_id = new.id AND field = 'dealer_id'), '') ORDER BY at LIMIT 1),
  old.price_cents) END`;

const SALE =
  "vehicle_sales (vehicle_id, made_at, dealer_id, sold_at, sold_cents, first_cents, listed_at, note, present)";
const LISTED = "COALESCE(new.listed_at, new.created_at)";
const PRESENT = "vehicle_id = new.id AND present = 1";
const NO_PRESENT = `NOT EXISTS (SELECT 1 FROM vehicle_sales WHERE ${PRESENT})`;

/**
 * True if the vehicle was already sold at an earlier dealer, or before sales were recorded. Then the sale has no
 * figures, because they are unknown or are those of the earlier dealer.
 */
const WAS_SOLD = "old.status = 'sold'";

const SALE_OF_CHANGE = `
  UPDATE vehicle_sales SET present = 0 WHERE ${PRESENT} AND dealer_id <> new.dealer_id;
  DELETE FROM vehicle_sales WHERE ${PRESENT} AND new.status <> 'sold';
  UPDATE vehicle_sales SET sold_at = new.sold_at, listed_at = ${LISTED} WHERE ${PRESENT};
  INSERT INTO ${SALE} SELECT new.id, new.updated_at, new.dealer_id, new.sold_at, CASE WHEN ${WAS_SOLD} THEN NULL ELSE new.price_cents END,
    CASE WHEN ${WAS_SOLD} THEN NULL ELSE ${FIRST_CENTS} END, ${LISTED}, NULL, 1
    WHERE new.status = 'sold' AND ${NO_PRESENT};`;

/** If a removed vehicle is restored, or a vehicle is copied, its sale exists already. */
export const SALE_OF_NEW = `INSERT INTO ${SALE} SELECT new.id, new.updated_at, new.dealer_id, new.sold_at, new.price_cents, new.price_cents,
  ${LISTED}, NULL, 1 WHERE ${NO_PRESENT};`;

interface Trigger {
  readonly name: string;
  readonly event: string;
  readonly when: string;
  readonly work: string;
}

const TRIGGER: Readonly<Record<Engine, (trigger: Trigger) => string[]>> = {
  sqlite: ({ name, event, when, work }) => [`CREATE TRIGGER ${name} ${event} WHEN ${when} BEGIN ${work} END`],
  postgres: ({ name, event, when, work }) => [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${work} RETURN NULL; END $$`,
    `CREATE TRIGGER ${name} ${event} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`,
  ],
};

/** One trigger for each field costs the least on SQLite, and one trigger for all fields on PostgreSQL. */
const HISTORY: Readonly<Record<Engine, readonly Trigger[]>> = {
  sqlite: KEPT.map((kept) => ({
    name: `vehicle_${kept.field}_kept`,
    event: `AFTER UPDATE OF ${kept.column} ON vehicles`,
    when: DIFFERS(kept.column),
    work: keepChange(kept),
  })),
  postgres: [
    {
      name: "vehicle_history_kept",
      event: `AFTER UPDATE OF ${KEPT_COLUMNS} ON vehicles`,
      when: KEPT_COLUMNS.map(DIFFERS).join(" OR "),
      work: KEPT.map((kept) => `IF ${DIFFERS(kept.column)} THEN ${keepChange(kept)} END IF;`).join(" "),
    },
  ],
};

const triggers = (engine: Engine): readonly Trigger[] => [
  ...HISTORY[engine],
  {
    name: "vehicle_sale_kept",
    event: "AFTER UPDATE OF dealer_id, status, sold_at, listed_at ON vehicles",
    when: `(old.status = 'sold' OR new.status = 'sold')
      AND (${["dealer_id", "status", "sold_at", "listed_at"].map(DIFFERS).join(" OR ")})`,
    work: SALE_OF_CHANGE,
  },
  {
    name: "vehicle_sale_made",
    event: "AFTER INSERT ON vehicles",
    when: "new.status = 'sold'",
    work: SALE_OF_NEW,
  },
];

/**
 * The values that an instance of the previous version does not set when it changes a vehicle. It does not set
 * `changed_at` either.
 */
const FOLLOWS: Readonly<Record<string, string>> = {
  previous_price_cents: `CASE WHEN old.dealer_id <> new.dealer_id THEN NULL
    WHEN old.price_cents <> new.price_cents THEN old.price_cents ELSE new.previous_price_cents END`,
  price_changed_at: `CASE WHEN old.dealer_id <> new.dealer_id THEN NULL
    WHEN old.price_cents <> new.price_cents THEN new.updated_at ELSE new.price_changed_at END`,
  listed_at: "CASE WHEN old.dealer_id <> new.dealer_id THEN new.updated_at ELSE new.listed_at END",
  stage: "CASE WHEN old.status = new.status THEN new.stage END",
  sold_at: `CASE WHEN new.status <> 'sold' THEN NULL
    WHEN old.status <> 'sold' OR old.dealer_id <> new.dealer_id THEN new.updated_at ELSE new.sold_at END`,
};

/**
 * Completes the changes of the previous version while instances of both versions run. That happens only on PostgreSQL,
 * because a SQLite database belongs to one process. Triggers run in the order of their names, so this one runs before
 * the trigger that writes the document.
 */
const COMPLETED = [
  `CREATE FUNCTION vehicle_change_completed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    ${Object.entries(FOLLOWS)
      .map(([column, value]) => `new.${column} := ${value};`)
      .join(" ")} RETURN new; END $$`,
  `CREATE TRIGGER vehicle_change_completed BEFORE UPDATE OF dealer_id, status, price_cents ON vehicles FOR EACH ROW
    WHEN (new.changed_at IS DISTINCT FROM new.updated_at
      AND (${["dealer_id", "status", "price_cents"].map(DIFFERS).join(" OR ")}))
    EXECUTE FUNCTION vehicle_change_completed()`,
];

/**
 * When a vehicle was listed and sold, its stage, its previous price, the history of its changes, and its sales. The
 * database records them in the transaction of every change, whichever version of the service makes it. Vehicles that
 * were sold before this migration have neither a sale nor a date of sale.
 */
export const vehicleHistory: Migration = {
  name: "0017-vehicle-history",
  statements: (engine) => [
    ...tables(WORDS[engine]),
    ...vehicleDocumentsOf(engine, FIELDS),
    ...triggers(engine).flatMap(TRIGGER[engine]),
    ...(engine === "postgres" ? COMPLETED : []),
  ],
};
