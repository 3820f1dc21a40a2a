import type { Engine, Migration } from "./migration.ts";

/** Hours since 1970. */
const THIS_HOUR: Readonly<Record<Engine, string>> = {
  sqlite: "unixepoch() / 3600",
  postgres: "CAST(EXTRACT(EPOCH FROM now()) AS BIGINT) / 3600",
};

/**
 * Each spelling gets the hour in which it was last known to be in use, so that unused ones can be removed. An instance
 * of an earlier version does not set the hour; PostgreSQL sets it then.
 */
export const spellingUse: Migration = {
  name: "0035-spelling-use",
  statements: (engine) => [
    engine === "sqlite"
      ? "ALTER TABLE vehicle_spellings ADD COLUMN seen INTEGER NOT NULL DEFAULT 0"
      : `ALTER TABLE vehicle_spellings ADD COLUMN seen BIGINT NOT NULL DEFAULT (${THIS_HOUR.postgres})`,
    ...(engine === "sqlite" ? [`UPDATE vehicle_spellings SET seen = ${THIS_HOUR.sqlite}`] : []),
  ],
  indexes: () => [{ name: "spellings_by_use", on: "vehicle_spellings (seen)" }],
};
