import type { Engine, Migration } from "./migration.ts";

const WORDS = {
  sqlite: { integer: "INTEGER", text: "TEXT", byKey: "STRICT, WITHOUT ROWID" },
  postgres: { integer: "BIGINT", text: 'TEXT COLLATE "C"', byKey: "" },
} as const satisfies Record<Engine, Record<string, string>>;

/** True for a change with which a vehicle comes back from a sale that stands. Earlier versions make none. */
const RETURNS = "(new.returned_at IS NOT NULL AND new.returned_at = new.updated_at)";

/** The first price of the present stay: that at the last move to another dealer, or at the last return. */
const FIRST_CENTS = `CASE WHEN old.dealer_id <> new.dealer_id THEN new.price_cents ELSE COALESCE(
  (SELECT CAST(old_value AS BIGINT) FROM vehicle_history
    WHERE vehicle_id = new.id AND dealer_id = new.dealer_id AND field = 'price' AND at > COALESCE(new.returned_at, '')
      AND at > COALESCE((SELECT MAX(at) FROM vehicle_history WHERE vehicle_id = new.id AND field = 'dealer_id'), '')
    ORDER BY at LIMIT 1),
  old.price_cents) END`;

const SALE =
  "vehicle_sales (vehicle_id, made_at, dealer_id, sold_at, sold_cents, first_cents, listed_at, note, present)";
const LISTED = "COALESCE(new.listed_at, new.created_at)";
const PRESENT = "vehicle_id = new.id AND present = 1";

/** As in `0036-sold-prices`, but that the sale of a vehicle that comes back may stand. */
const SALE_OF_CHANGE = `
  UPDATE vehicle_sales SET present = 0
    WHERE ${PRESENT} AND (dealer_id <> new.dealer_id OR (new.status <> 'sold' AND ${RETURNS}));
  DELETE FROM vehicle_sales WHERE ${PRESENT} AND new.status <> 'sold';
  UPDATE vehicle_sales SET sold_at = new.sold_at, listed_at = ${LISTED} WHERE ${PRESENT};
  INSERT INTO ${SALE} SELECT new.id, new.updated_at, new.dealer_id, new.sold_at, NULL,
    CASE WHEN old.status = 'sold' THEN NULL ELSE ${FIRST_CENTS} END, ${LISTED}, NULL, 1
    WHERE new.status = 'sold' AND NOT EXISTS (SELECT 1 FROM vehicle_sales WHERE ${PRESENT});`;

const WATCHED = ["dealer_id", "status", "sold_at", "listed_at"];

const listedDay = (row: string): string => `substr(COALESCE(${row}.listed_at, ${row}.created_at), 1, 10)`;

const addVehicle = (day: string, one: 1 | -1): string =>
  `INSERT INTO daily_figures (dealer_id, day, added) VALUES (new.dealer_id, ${day}, ${one})
    ON CONFLICT (dealer_id, day) DO UPDATE SET added = daily_figures.added + excluded.added;`;
/** The first stay ends as at a move. The second one begins on its day, the first one keeps its own. */
const STAY_ENDED = `INSERT INTO vehicle_stays (vehicle_id, dealer_id, day, removed)
  VALUES (old.id, old.dealer_id, ${listedDay("old")}, 0);`;
const RELISTED = `old.dealer_id = new.dealer_id AND ${listedDay("old")} <> ${listedDay("new")}`;

/** The name of a source in `import_bases`, and the table whose rows are such sources. */
const SOURCES = [
  ["source", "import_sources"],
  ["mapping", "import_mappings"],
] as const;
const forgetSource = (name: string): string =>
  `DELETE FROM import_bases WHERE source = '${name}:' || old.id
    AND vehicle_id IN (SELECT id FROM vehicles WHERE dealer_id = old.dealer_id);`;

/** The triggers keep their names, so that they run in the same order as before. */
const TRIGGERS: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [
    "DROP TRIGGER vehicle_sale_kept",
    `CREATE TRIGGER vehicle_sale_kept AFTER UPDATE OF ${WATCHED.join(", ")} ON vehicles
      WHEN (old.status = 'sold' OR new.status = 'sold')
        AND (${WATCHED.map((column) => `old.${column} IS DISTINCT FROM new.${column}`).join(" OR ")})
      BEGIN ${SALE_OF_CHANGE} END`,
    "DROP TRIGGER vehicle_figures_relisted",
    `CREATE TRIGGER vehicle_figures_relisted AFTER UPDATE OF listed_at ON vehicles WHEN ${RELISTED} AND NOT ${RETURNS}
      BEGIN ${addVehicle(listedDay("old"), -1)} ${addVehicle(listedDay("new"), 1)} END`,
    `CREATE TRIGGER vehicle_figures_returned AFTER UPDATE OF listed_at ON vehicles WHEN ${RELISTED} AND ${RETURNS}
      BEGIN ${STAY_ENDED} ${addVehicle(listedDay("new"), 1)} END`,
    `CREATE TRIGGER vehicle_bases_left AFTER UPDATE OF dealer_id ON vehicles WHEN old.dealer_id <> new.dealer_id
      BEGIN DELETE FROM import_bases WHERE vehicle_id = new.id; END`,
    ...SOURCES.map(
      ([name, table]) =>
        `CREATE TRIGGER bases_of_${name}_left AFTER DELETE ON ${table} BEGIN ${forgetSource(name)} END`,
    ),
  ],
  postgres: [
    `CREATE OR REPLACE FUNCTION vehicle_sale_kept() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN ${SALE_OF_CHANGE} RETURN NULL; END $$`,
    `CREATE OR REPLACE FUNCTION vehicle_figures_relisted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM 1 FROM dealer_inventory WHERE dealer_id = new.dealer_id FOR UPDATE;
      IF ${RETURNS} THEN ${STAY_ENDED} ELSE ${addVehicle(listedDay("old"), -1)} END IF;
      ${addVehicle(listedDay("new"), 1)} RETURN NULL; END $$`,
    `CREATE FUNCTION vehicle_bases_left() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN DELETE FROM import_bases WHERE vehicle_id = new.id; RETURN NULL; END $$`,
    `CREATE TRIGGER vehicle_bases_left AFTER UPDATE OF dealer_id ON vehicles FOR EACH ROW
      WHEN (old.dealer_id <> new.dealer_id) EXECUTE FUNCTION vehicle_bases_left()`,
    ...SOURCES.flatMap(([name, table]) => [
      `CREATE FUNCTION bases_of_${name}_left() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN ${forgetSource(name)} RETURN NULL; END $$`,
      `CREATE TRIGGER bases_of_${name}_left AFTER DELETE ON ${table} FOR EACH ROW
        EXECUTE FUNCTION bases_of_${name}_left()`,
    ]),
  ],
};

/**
 * What the last file of each source said of each vehicle, who decides about which field, and sales that stand when
 * their vehicles come back. Instances of an earlier version neither keep nor compare what files say.
 */
export const importBases: Migration = {
  name: "0042-import-bases",
  statements: (engine) => {
    const { integer, text, byKey } = WORDS[engine];
    return [
      `ALTER TABLE vehicles ADD COLUMN returned_at ${text}`,
      `ALTER TABLE settings ADD COLUMN resale_days ${integer} NOT NULL DEFAULT 14`,
      `ALTER TABLE settings ADD COLUMN field_owners ${text} NOT NULL DEFAULT '{}'`,
      `ALTER TABLE import_sources ADD COLUMN field_owners ${text} NOT NULL DEFAULT '{}'`,
      `ALTER TABLE import_rows ADD COLUMN kept ${integer}`,
      `CREATE TABLE import_bases (
        vehicle_id ${integer} NOT NULL REFERENCES vehicles (id) ON DELETE CASCADE,
        source ${text} NOT NULL,
        dealer_id ${integer} NOT NULL,
        updated_at ${text} NOT NULL,
        status ${text},
        base ${text} NOT NULL,
        PRIMARY KEY (vehicle_id, source)
      ) ${byKey}`,
      ...TRIGGERS[engine],
    ];
  },
  indexes: () => [{ name: "import_rows_kept", on: "import_rows (import_id, place) WHERE kept = 1" }],
};
