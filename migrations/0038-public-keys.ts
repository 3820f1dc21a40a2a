import type { Engine, Migration } from "./migration.ts";

const INTEGER: Readonly<Record<Engine, string>> = { sqlite: "INTEGER", postgres: "BIGINT" };
const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };

/**
 * Keys that a page may show to everybody, and the origins whose pages may use a key, as a JSON array. Instances of the
 * version before make keys that are not public, for any origin.
 */
export const publicKeys: Migration = {
  name: "0038-public-keys",
  statements: (engine) => [
    `ALTER TABLE api_keys ADD COLUMN public ${INTEGER[engine]} NOT NULL DEFAULT 0 CHECK (public IN (0, 1))`,
    `ALTER TABLE api_keys ADD COLUMN allowed_origins ${TEXT[engine]}`,
  ],
};
