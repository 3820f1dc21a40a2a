import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };

/**
 * The rank that switched off each feed and source. Those that were switched off earlier have no rank, so that only
 * super-admins can switch them on again.
 */
export const switchedOff: Migration = {
  name: "0032-switched-off",
  statements: (engine) =>
    ["feeds", "import_sources"].map((table) => `ALTER TABLE ${table} ADD COLUMN ended_by ${TEXT[engine]}`),
};
