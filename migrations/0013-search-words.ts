import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };
const INTEGER: Readonly<Record<Engine, string>> = { sqlite: "INTEGER", postgres: "BIGINT" };
const BY_KEY: Readonly<Record<Engine, string>> = { sqlite: "STRICT, WITHOUT ROWID", postgres: "" };

interface Trigger {
  readonly name: string;
  /** For example `AFTER INSERT ON dealers`. */
  readonly event: string;
  readonly when?: string;
  readonly work: string;
}

const TRIGGER: Readonly<Record<Engine, (trigger: Trigger) => string[]>> = {
  sqlite: ({ name, event, when, work }) => [
    `CREATE TRIGGER ${name} ${event} ${when === undefined ? "" : `WHEN ${when}`} BEGIN ${work} END`,
  ],
  postgres: ({ name, event, when, work }) => [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${work} RETURN NULL; END $$`,
    `CREATE TRIGGER ${name} ${event} FOR EACH ROW ${when === undefined ? "" : `WHEN (${when})`} EXECUTE FUNCTION ${name}()`,
  ],
};

const changes = (columns: readonly string[]): string =>
  columns.map((column) => `old.${column} IS DISTINCT FROM new.${column}`).join(" OR ");

/** The tables whose records have words, and the columns that the words come from. */
const RECORDS = [
  { records: "dealers", words: "dealer_words", id: "dealer_id", columns: ["name", "city", "state", "email", "phone"] },
  { records: "users", words: "user_words", id: "user_id", columns: ["name", "email"] },
  { records: "api_keys", words: "key_words", id: "key_id", columns: ["name", "description", "app_id", "key_start"] },
] as const;

/** On PostgreSQL, waits for a change of this name that is in progress, because that change does not see the new key. */
const awaited = (engine: Engine, holder: "dealer" | "user"): string =>
  engine === "postgres" ? `PERFORM 1 FROM ${holder}_words WHERE ${holder}_id = new.${holder}_id FOR SHARE;` : "";

const begun = (engine: Engine, words: string, id: string): string =>
  words === "key_words"
    ? `${awaited(engine, "user")} INSERT INTO key_words (key_id, user_words)
      VALUES (new.id, (SELECT name_words FROM user_words WHERE user_id = new.user_id));`
    : `INSERT INTO ${words} (${id}) VALUES (new.id);`;

const wordsTable = (engine: Engine, { records, words, id, columns }: (typeof RECORDS)[number]): string[] => [
  `CREATE TABLE ${words} (
    ${id} ${INTEGER[engine]} PRIMARY KEY REFERENCES ${records} (id) ON DELETE CASCADE,
    name ${TEXT[engine]},
    name_words ${TEXT[engine]},
    words ${TEXT[engine]}
    ${words === "key_words" ? `, dealer_words ${TEXT[engine]}, user_words ${TEXT[engine]}` : ""}
  ) ${BY_KEY[engine]}`,
  `CREATE INDEX ${words}_missing ON ${words} (${id}) WHERE words IS NULL`,
  `INSERT INTO ${words} (${id}) SELECT id FROM ${records}`,
  ...TRIGGER[engine]({ name: `${words}_begun`, event: `AFTER INSERT ON ${records}`, work: begun(engine, words, id) }),
  ...TRIGGER[engine]({
    name: `${words}_outdated`,
    event: `AFTER UPDATE OF ${columns.join(", ")} ON ${records}`,
    when: changes(columns),
    work: `UPDATE ${words} SET words = NULL WHERE ${id} = new.id;`,
  }),
];

/**
 * Each key has a copy of the words of its dealer's and its user's name, so that a search reads only one small table.
 */
const keptForKeys = (engine: Engine): string[] => {
  const taken = (holder: "dealer" | "user", key: string): string =>
    `${awaited(engine, holder)} UPDATE key_words
      SET ${holder}_words = (SELECT name_words FROM ${holder}_words WHERE ${holder}_id = new.${holder}_id)
      WHERE key_id = new.${key};`;
  const passedOn = (holder: "dealer" | "user", keys: string): Trigger => ({
    name: `${holder}_name_words_changed`,
    event: `AFTER UPDATE OF name_words ON ${holder}_words`,
    when: changes(["name_words"]),
    work: `UPDATE key_words SET ${holder}_words = new.name_words WHERE key_id IN (${keys});`,
  });
  return [
    { name: "key_words_linked", event: "AFTER INSERT ON dealer_keys", work: taken("dealer", "key_id") },
    {
      name: "key_words_unlinked",
      event: "AFTER DELETE ON dealer_keys",
      work: "UPDATE key_words SET dealer_words = NULL WHERE key_id = old.key_id;",
    },
    {
      name: "key_words_moved",
      event: "AFTER UPDATE OF user_id ON api_keys",
      when: changes(["user_id"]),
      work: taken("user", "id"),
    },
    passedOn("dealer", "SELECT key_id FROM dealer_keys WHERE dealer_id = new.dealer_id"),
    passedOn("user", "SELECT id FROM api_keys WHERE user_id = new.user_id"),
  ].flatMap(TRIGGER[engine]);
};

/**
 * The words by which dealers, users and keys are found, and their names in the form by which they are sorted. The
 * service writes the words in the transaction of each change. `words` is `NULL` until then. So the service notices
 * missing words: those of older records, and of records that an instance of the previous version changed.
 */
export const searchWords: Migration = {
  name: "0013-search-words",
  statements: (engine) => [...RECORDS.flatMap((record) => wordsTable(engine, record)), ...keptForKeys(engine)],
};
