import type { Engine, Migration } from "./migration.ts";

const WORDS = {
  sqlite: { integer: "INTEGER", text: "TEXT", end: "STRICT" },
  postgres: { integer: "BIGINT", text: 'TEXT COLLATE "C"', end: "" },
} as const satisfies Record<Engine, Record<string, string>>;

/**
 * What operators of many dealers look at: the hours in which a key was refused among all of its hours, and the quality of
 * each dealer's vehicles as it was judged last.
 */
export const operators: Migration = {
  name: "0055-operators",
  statements: (engine) => {
    const { integer, text, end } = WORDS[engine];
    return [
      `CREATE TABLE dealer_scores (
        dealer_id ${integer} PRIMARY KEY REFERENCES dealers (id) ON DELETE CASCADE,
        score ${integer},
        mark ${integer} NOT NULL,
        judged_at ${text} NOT NULL
      ) ${end}`,
    ];
  },
  indexes: () => [
    {
      // With all columns that are read, or SQLite would rather visit every hour of a key.
      name: "key_usage_refused",
      on: "key_usage_hours (key_id, hour, denied, limited, unauthorized) WHERE denied + limited + unauthorized > 0",
    },
  ],
};
