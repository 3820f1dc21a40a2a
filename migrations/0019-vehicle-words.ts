import type { Engine, Migration } from "./migration.ts";

/** The columns that words are made of. Written out, because the service's own list may change later. */
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
 * One row: whether words are kept, and how far those of the vehicles are made that were there before: up to `reached` of
 * the ids up to `last`.
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
 * One dealer's words lie together and are read one after the other. For searches over all dealers FTS5 has them, too:
 * in groups, as a group costs a tenth of its vehicles one by one. A vehicle of `vehicle_words_fresh` has changed since,
 * or is gone; its words there count, and what the index has of it does not.
 *
 * The tokenizer only splits at blanks: words have letters and digits alone, and are folded already.
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
  // Merges of the index are made between changes, not within one that somebody waits for.
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

/** The service makes the words in the statement that inserts the vehicle. What is left here is from another version. */
const BEGUN = `INSERT INTO vehicle_words (vehicle_id, dealer_id) SELECT new.id, new.dealer_id ${IF_KEPT}
  ON CONFLICT (vehicle_id)`;

/**
 * The index takes new entries as a list first, which is merged into it from time to time: one by one they would cost a
 * create three times what all else of it costs.
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
 * The words by which vehicles are found. The service makes them in the transaction of each change. Words that nobody
 * made, of vehicles from before or changed by an instance of the version before, it makes in the background.
 */
export const vehicleWords: Migration = {
  name: "0019-vehicle-words",
  statements: (engine) => STATEMENTS[engine],
};
