import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };

/** The address to which notices of a key are mailed. Instances of the version before do not know it, and leave it. */
export const keyOwners: Migration = {
  name: "0051-key-owners",
  statements: (engine) => [`ALTER TABLE api_keys ADD COLUMN owner_email ${TEXT[engine]}`],
};
