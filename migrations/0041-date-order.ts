import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };

/**
 * The order of day and month in files in which nothing decides it: the month first, as all versions before read such
 * dates. Instances of the version before leave it as it is.
 */
export const dateOrder: Migration = {
  name: "0041-date-order",
  statements: (engine) => [
    `ALTER TABLE settings ADD COLUMN date_order ${TEXT[engine]} NOT NULL DEFAULT 'mdy' CHECK (date_order IN ('dmy', 'mdy'))`,
  ],
};
