import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };
const INTEGER: Readonly<Record<Engine, string>> = { sqlite: "INTEGER", postgres: "BIGINT" };
const STRICT: Readonly<Record<Engine, string>> = { sqlite: "STRICT", postgres: "" };

/** Instances keep the settings in memory. They read them again when the version of access has changed. */
const NOTED: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: ["INSERT", "UPDATE"].map(
    (event) =>
      `CREATE TRIGGER settings_${event.toLowerCase()}_watched AFTER ${event} ON settings BEGIN
        UPDATE access_version SET version = version + 1; END`,
  ),
  postgres: [
    "CREATE TRIGGER settings_watched AFTER INSERT OR UPDATE ON settings FOR EACH STATEMENT EXECUTE FUNCTION note_access_change()",
  ],
};

/** The settings of the installation in one row, which is created at the first change. */
export const settings: Migration = {
  name: "0016-settings",
  statements: (engine) => [
    `CREATE TABLE settings (
      id ${INTEGER[engine]} PRIMARY KEY CHECK (id = 1),
      name ${TEXT[engine]} NOT NULL,
      currency ${TEXT[engine]} NOT NULL,
      distance_unit ${TEXT[engine]} NOT NULL,
      time_zone ${TEXT[engine]},
      logo ${TEXT[engine]},
      updated_at ${TEXT[engine]} NOT NULL
    ) ${STRICT[engine]}`,
    ...NOTED[engine],
  ],
};
