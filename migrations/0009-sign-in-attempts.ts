import type { Engine, Migration } from "./migration.ts";

const TEXT = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' } as const satisfies Record<Engine, string>;

/**
 * Sign-in attempts are counted by account and place. `account` groups the rows to forget when an account is unlocked;
 * `succeeded_at` marks known places. Rows of an older version have neither.
 */
export const signInAttempts: Migration = {
  name: "0009-sign-in-attempts",
  statements: (engine) => [
    `ALTER TABLE sign_in_attempts ADD COLUMN account ${TEXT[engine]}`,
    `ALTER TABLE sign_in_attempts ADD COLUMN succeeded_at ${TEXT[engine]}`,
    "CREATE INDEX attempts_of_account ON sign_in_attempts (account)",
  ],
};
