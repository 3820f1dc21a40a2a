import type { Engine, Migration } from "./migration.ts";

const TYPES = {
  sqlite: { integer: "INTEGER", text: "TEXT", end: "STRICT" },
  postgres: { integer: "BIGINT", text: 'TEXT COLLATE "C"', end: "" },
} as const satisfies Record<Engine, Record<string, string>>;

/** How each user left the last time, and what became of the keys, so that it can be undone. */
export const offboardings: Migration = {
  name: "0060-offboardings",
  statements(engine) {
    const { integer, text, end } = TYPES[engine];
    return [
      `CREATE TABLE offboardings (
        user_id ${integer} NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        at ${text} NOT NULL,
        was_active ${integer} NOT NULL,
        new_owner_id ${integer},
        key_ids ${text} NOT NULL
      ) ${end}`,
    ];
  },
};
