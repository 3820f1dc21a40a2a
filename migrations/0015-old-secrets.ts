import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };
const INTEGER: Readonly<Record<Engine, string>> = { sqlite: "INTEGER", postgres: "BIGINT" };
const BY_KEY: Readonly<Record<Engine, string>> = { sqlite: "STRICT, WITHOUT ROWID", postgres: "" };

/**
 * The first characters of a secret that a rotation replaced, and its uses since then. The uses are in a separate table,
 * because a change of the secrets empties the caches of credentials.
 */
export const oldSecrets: Migration = {
  name: "0015-old-secrets",
  statements: (engine) => [
    `ALTER TABLE key_secrets ADD COLUMN start ${TEXT[engine]}`,
    `CREATE TABLE old_secret_uses (
      hash ${TEXT[engine]} PRIMARY KEY REFERENCES key_secrets (hash) ON DELETE CASCADE,
      day ${TEXT[engine]} NOT NULL,
      uses ${INTEGER[engine]} NOT NULL,
      last_used_at ${TEXT[engine]} NOT NULL
    ) ${BY_KEY[engine]}`,
  ],
};
