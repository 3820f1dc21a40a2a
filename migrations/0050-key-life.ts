import type { Engine, Migration } from "./migration.ts";

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
 * The requests a minute of all keys of a dealer together. Instances of the version before do not know them, and go on
 * with the limit that is the same for all dealers.
 */
export const keyLife: Migration = {
  name: "0050-key-life",
  statements: (engine) => [`ALTER TABLE dealers ADD COLUMN rate_limit ${INTEGER[engine]}`, NOTED[engine]],
};
