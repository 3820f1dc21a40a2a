import type { Engine, Migration } from "./migration.ts";

const TEXT = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' } as const satisfies Record<Engine, string>;

/**
 * Counts sign-in attempts by account and place. `account` identifies the rows to delete when an account is unlocked,
 * and `succeeded_at` marks known places. Rows of an older version have neither.
 */
export const signInAttempts: Migration = {
  name: "0009-sign-in-attempts",
  statements: (engine) => [
    `ALTER TABLE sign_in_attempts ADD COLUMN account ${TEXT[engine]}`,
    `ALTER TABLE sign_in_attempts ADD COLUMN succeeded_at ${TEXT[engine]}`,
    "CREATE INDEX attempts_of_account ON sign_in_attempts (account)",
  ],
};
