import type { Migration } from "./migration.ts";

/** Finds the few keys that people were told nobody uses. */
export const unusedKeys: Migration = {
  name: "0052-unused-keys",
  statements: () => [],
  indexes: () => [{ name: "api_keys_unused", on: "api_keys (id) WHERE idle_noticed_at IS NOT NULL" }],
};
