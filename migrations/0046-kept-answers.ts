import type { Engine, Migration } from "./migration.ts";

const TYPES = {
  sqlite: { integer: "INTEGER", text: "TEXT", byKey: "STRICT, WITHOUT ROWID" },
  postgres: { integer: "BIGINT", text: 'TEXT COLLATE "C"', byKey: "" },
} as const satisfies Record<Engine, Record<string, string>>;

/**
 * The answers that requests with an Idempotency-Key got, so that a repeated one gets the same answer. They refer to no
 * other table: a key that deletes itself keeps the answer to that.
 */
export const keptAnswers: Migration = {
  name: "0046-kept-answers",
  statements(engine) {
    const { integer, text, byKey } = TYPES[engine];
    return [
      `CREATE TABLE kept_answers (
        key_id ${integer} NOT NULL,
        binding ${text} NOT NULL,
        method ${text} NOT NULL,
        path ${text} NOT NULL,
        name ${text} NOT NULL,
        fingerprint ${text} NOT NULL,
        status ${integer} NOT NULL,
        headers ${text} NOT NULL,
        version ${text},
        body ${text},
        expires_at ${text} NOT NULL,
        PRIMARY KEY (key_id, binding, method, path, name)
      ) ${byKey}`,
      "CREATE INDEX kept_answers_by_end ON kept_answers (expires_at)",
    ];
  },
};
