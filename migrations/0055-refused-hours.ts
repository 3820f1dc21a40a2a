import type { Migration } from "./migration.ts";

/** Finds the hours in which a key was refused among all of its hours. */
export const refusedHours: Migration = {
  name: "0055-refused-hours",
  statements: () => [],
  indexes: () => [
    { name: "key_usage_refused", on: "key_usage_hours (key_id, hour) WHERE denied + limited + unauthorized > 0" },
  ],
};
