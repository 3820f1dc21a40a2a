import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };
const INTEGER: Readonly<Record<Engine, string>> = { sqlite: "INTEGER", postgres: "BIGINT" };
const BY_KEY: Readonly<Record<Engine, string>> = { sqlite: "STRICT, WITHOUT ROWID", postgres: "" };

/**
 * When a key was last bound to another dealer, or to none. Its new dealer does not see earlier usage. It is unset if
 * the binding never changed, or if an instance of the previous version changed it.
 */
export const rebinding: Migration = {
  name: "0012-rebinding",
  statements: (engine) => [
    `ALTER TABLE api_keys ADD COLUMN bound_since ${TEXT[engine]}`,

    // Usage that stays in the totals of a dealer after a key has left it: the hours that began after `since` and before
    // `until`.
    `CREATE TABLE past_bindings (
      key_id ${INTEGER[engine]} NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
      dealer_id ${INTEGER[engine]} NOT NULL REFERENCES dealers (id) ON DELETE CASCADE,
      since ${TEXT[engine]} NOT NULL,
      until ${TEXT[engine]} NOT NULL,
      PRIMARY KEY (key_id, until)
    ) ${BY_KEY[engine]}`,
    "CREATE INDEX past_bindings_of_dealer ON past_bindings (dealer_id)",
  ],
};
