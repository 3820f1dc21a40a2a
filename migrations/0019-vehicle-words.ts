import type { Engine, Migration } from "./migration.ts";

/** The columns that words come from. They are written out because the service's own list may change later. */
const WORDED = [
  "year",
  "make",
  "model",
  "trim",
  "title",
  "stock_number",
  "vin",
  "body_style",
  "fuel_type",
  "transmission",
  "drivetrain",
  "engine",
  "exterior_color",
  "interior_color",
  "condition",
  "features",
  "description",
].map((column) => `"${column}"`);

const CHANGED = WORDED.map((column) => `old.${column} IS DISTINCT FROM new.${column}`).join(" OR ");

/**
 * One row. `kept` tells whether words are stored. The words of vehicles that existed before have been made up to the id
 * `reached`; `last` is the highest of these ids.
 */
const state = (integer: string): string[] => [
  `CREATE TABLE search_state (
    id ${integer} PRIMARY KEY CHECK (id = 1),
    kept ${integer} NOT NULL CHECK (kept IN (0, 1)),
    reached ${integer} NOT NULL,
    last ${integer} NOT NULL
  )`,
  "INSERT INTO search_state (id, kept, reached, last) SELECT 1, 1, 0, COALESCE(MAX(id), 0) FROM vehicles",
];

const IF_KEPT = "FROM search_state WHERE id = 1 AND kept = 1";

/**
 * The words of a dealer are stored together, and a search within a dealer reads them one after another. Searches over
 * all dealers use an FTS5 index. It gets vehicles in groups, because that costs a tenth of adding them one by one. The
 * vehicles in `vehicle_words_fresh` have been changed or removed since. For these, `vehicle_words` applies, and the
 * index does not.
 *
 * The tokenizer needs only to split at blanks, because words contain only letters and digits and are already folded.
 */
const SQLITE = [
  `CREATE TABLE vehicle_words (
    dealer_id INTEGER NOT NULL,
    vehicle_id INTEGER NOT NULL,
    words TEXT,
    PRIMARY KEY (dealer_id, vehicle_id)
  ) STRICT, WITHOUT ROWID`,
  "CREATE TABLE vehicle_words_fresh (vehicle_id INTEGER PRIMARY KEY) STRICT",
  `CREATE VIRTUAL TABLE vehicle_index USING fts5(
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  )`,
  // The index is merged between changes, and never during a change that somebody waits for.
  "INSERT INTO vehicle_index (vehicle_index, rank) VALUES ('automerge', 0)",
  "CREATE VIRTUAL TABLE vehicle_index_words USING fts5vocab(vehicle_index, instance)",
  ...state("INTEGER"),
  `CREATE TRIGGER vehicle_words_begun AFTER INSERT ON vehicles BEGIN
    INSERT INTO vehicle_words_fresh SELECT new.id ${IF_KEPT} ON CONFLICT DO NOTHING; END`,
  `CREATE TRIGGER vehicle_words_outdated AFTER UPDATE OF dealer_id, ${WORDED} ON vehicles
    WHEN old.dealer_id <> new.dealer_id OR ${CHANGED} BEGIN
    UPDATE vehicle_words SET dealer_id = new.dealer_id, words = CASE WHEN ${CHANGED} THEN NULL ELSE words END
      WHERE dealer_id = old.dealer_id AND vehicle_id = new.id;
    INSERT INTO vehicle_words_fresh SELECT new.id ${IF_KEPT} ON CONFLICT DO NOTHING; END`,
  `CREATE TRIGGER vehicle_words_ended AFTER DELETE ON vehicles BEGIN
    DELETE FROM vehicle_words WHERE dealer_id = old.dealer_id AND vehicle_id = old.id;
    INSERT INTO vehicle_words_fresh SELECT old.id ${IF_KEPT} ON CONFLICT DO NOTHING; END`,
];

const trigger = (name: string, event: string, work: string): string[] => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${work} RETURN NULL; END $$`,
  `CREATE TRIGGER ${name} ${event} EXECUTE FUNCTION ${name}()`,
];

/**
 * The service writes the words in the statement that inserts the vehicle. These rows are for vehicles that another
 * version inserts.
 */
const BEGUN = `INSERT INTO vehicle_words (vehicle_id, dealer_id) SELECT new.id, new.dealer_id ${IF_KEPT}
  ON CONFLICT (vehicle_id)`;

/**
 * The index first collects new entries in a list, which is merged into it from time to time. Adding them one by one
 * would cost three times as much as the rest of creating a vehicle.
 */
const POSTGRES = [
  `CREATE TABLE vehicle_words (
    vehicle_id BIGINT PRIMARY KEY,
    dealer_id BIGINT NOT NULL,
    words TEXT COLLATE "C"
  )`,
  "CREATE INDEX vehicle_words_of_dealer ON vehicle_words (dealer_id)",
  "CREATE INDEX vehicle_words_missing ON vehicle_words (vehicle_id) WHERE words IS NULL",
  `CREATE INDEX vehicle_index ON vehicle_words USING gin (array_to_tsvector(string_to_array(substr(words, 2), ' ')))
    WITH (fastupdate = on, gin_pending_list_limit = 1024)`,
  ...state("BIGINT"),
  ...trigger("vehicle_words_begun", "AFTER INSERT ON vehicles FOR EACH ROW", `${BEGUN} DO NOTHING;`),
  ...trigger(
    "vehicle_words_outdated",
    `AFTER UPDATE OF ${WORDED} ON vehicles FOR EACH ROW WHEN (${CHANGED})`,
    `${BEGUN} DO UPDATE SET words = NULL;`,
  ),
  ...trigger(
    "vehicle_words_moved",
    "AFTER UPDATE OF dealer_id ON vehicles FOR EACH ROW WHEN (old.dealer_id <> new.dealer_id)",
    "UPDATE vehicle_words SET dealer_id = new.dealer_id WHERE vehicle_id = new.id;",
  ),
  ...trigger(
    "vehicle_words_ended",
    "AFTER DELETE ON vehicles FOR EACH ROW",
    "DELETE FROM vehicle_words WHERE vehicle_id = old.id;",
  ),
];

const STATEMENTS: Readonly<Record<Engine, readonly string[]>> = { sqlite: SQLITE, postgres: POSTGRES };

/**
 * The words by which vehicles are found. The service writes them in the transaction of each change. Words that are
 * missing, because a vehicle is older or was changed by an instance of the previous version, are made in the
 * background.
 */
export const vehicleWords: Migration = {
  name: "0019-vehicle-words",
  statements: (engine) => STATEMENTS[engine],
};
