import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };
const INTEGER: Readonly<Record<Engine, string>> = { sqlite: "INTEGER", postgres: "BIGINT" };

/** Instances remember the limit with the dealer's keys. They read it again when the version of access has changed. */
const NOTED: Readonly<Record<Engine, string>> = {
  sqlite: `CREATE TRIGGER dealer_limit_watched AFTER UPDATE OF rate_limit ON dealers
    WHEN old.rate_limit IS NOT new.rate_limit
    BEGIN UPDATE access_version SET version = version + 1; END`,
  postgres: `CREATE TRIGGER dealer_limit_watched AFTER UPDATE OF rate_limit ON dealers FOR EACH ROW
    WHEN (old.rate_limit IS DISTINCT FROM new.rate_limit) EXECUTE FUNCTION note_access_change()`,
};

/**
 * The requests a minute of all keys of a dealer together, what people were told of the end of a key, and why a key was
 * switched off. Instances of the version before know none of it: they go on with the limit that is the same for all
 * dealers, and leave the reason at a key that they activate again.
 */
export const keyLife: Migration = {
  name: "0050-key-life",
  statements: (engine) => [
    `ALTER TABLE dealers ADD COLUMN rate_limit ${INTEGER[engine]}`,
    NOTED[engine],
    `ALTER TABLE api_keys ADD COLUMN notified_days ${INTEGER[engine]}`,
    `ALTER TABLE api_keys ADD COLUMN notified_expiry ${TEXT[engine]}`,
    `ALTER TABLE api_keys ADD COLUMN idle_noticed_at ${TEXT[engine]}`,
    `ALTER TABLE api_keys ADD COLUMN disabled_reason ${TEXT[engine]}`,
  ],
};
