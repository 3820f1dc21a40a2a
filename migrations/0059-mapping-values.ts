import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };

/** What words of a mapping's files mean. Mappings of a version before have none. */
export const mappingValues: Migration = {
  name: "0059-mapping-values",
  statements: (engine) => [`ALTER TABLE import_mappings ADD COLUMN word_values ${TEXT[engine]}`],
};
