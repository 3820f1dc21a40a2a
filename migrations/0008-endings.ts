import type { Engine, Migration } from "./migration.ts";

const TEXT: Readonly<Record<Engine, string>> = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' };
const INTEGER: Readonly<Record<Engine, string>> = { sqlite: "INTEGER", postgres: "BIGINT" };
const BY_KEY: Readonly<Record<Engine, string>> = { sqlite: "STRICT, WITHOUT ROWID", postgres: "" };

/** A time in the past, whatever the clock shows. */
const LONG_AGO = "'1970-01-01T00:00:00.000Z'";

const END_GRACE = (keys: string): string =>
  `UPDATE key_secrets SET ends_at = ${LONG_AGO} WHERE key_id IN (${keys}) AND ends_at IS NOT NULL;`;
const DEACTIVATED = "new.active = 0 AND old.active = 1";

/** Each table whose rows can end, and the keys whose old secrets end with them. */
const ENDED = {
  api_keys: "SELECT new.id",
  users: "SELECT id FROM api_keys WHERE user_id = new.id",
} as const;

// On PostgreSQL the version of access is locked first, as in the rotation of a key, so that the two cannot deadlock.
const TRIGGERS: Readonly<Record<Engine, (table: keyof typeof ENDED) => string[]>> = {
  sqlite: (table) => [
    `CREATE TRIGGER ${table}_ended AFTER UPDATE ON ${table} WHEN ${DEACTIVATED} BEGIN ${END_GRACE(ENDED[table])} END`,
  ],
  postgres: (table) => [
    `CREATE FUNCTION end_grace_of_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM 1 FROM access_version FOR UPDATE; ${END_GRACE(ENDED[table])} RETURN NULL; END $$`,
    `CREATE TRIGGER ${table}_ended AFTER UPDATE ON ${table} FOR EACH ROW WHEN (${DEACTIVATED}) EXECUTE FUNCTION end_grace_of_${table}()`,
  ],
};

/**
 * The rank that ended each key and user: `super_admin`, `dealer_admin` or `user`. Earlier endings have no rank, so that
 * only super-admins can revert them. When a key or its user ends, the key's secrets in a grace period end for good.
 */
export const endings: Migration = {
  name: "0008-endings",
  statements: (engine) => [
    ...(["api_keys", "users"] as const).flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN ended_by ${TEXT[engine]}`,
      ...TRIGGERS[engine](table),
    ]),
    END_GRACE(`SELECT api_keys.id FROM api_keys LEFT JOIN users ON users.id = api_keys.user_id
      WHERE api_keys.active = 0 OR users.active = 0`),

    // Activities of callers that have an hourly limit, such as inviting.
    `CREATE TABLE hourly_counts (
      subject ${TEXT[engine]} PRIMARY KEY,
      begins_at ${TEXT[engine]} NOT NULL,
      count ${INTEGER[engine]} NOT NULL
    ) ${BY_KEY[engine]}`,
  ],
};
