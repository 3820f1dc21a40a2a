import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };

/**
 * The networks from which a key may be used, as a JSON array. Instances of the version before do not know them, and let
 * the key be used from anywhere.
 */
export const keyNetworks: Migration = {
  name: "0047-key-networks",
  statements: (engine) => [`ALTER TABLE api_keys ADD COLUMN allowed_networks ${TEXT[engine]}`],
};
