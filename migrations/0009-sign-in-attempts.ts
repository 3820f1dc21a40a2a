import type { Engine, Migration } from "./migration.ts";

const TEXT = { sqlite: "TEXT", postgres: 'TEXT COLLATE "C"' } as const satisfies Record<Engine, string>;

/**
 * Attempts to sign in are counted by account and place: `account` tells what is to be forgotten together when an account
 * is let in again, `succeeded_at` which places are known. Both are empty in what an older version writes.
 */
export const signInAttempts: Migration = {
  name: "0009-sign-in-attempts",
  statements: (engine) => [
    `ALTER TABLE sign_in_attempts ADD COLUMN account ${TEXT[engine]}`,
    `ALTER TABLE sign_in_attempts ADD COLUMN succeeded_at ${TEXT[engine]}`,
    "CREATE INDEX attempts_of_account ON sign_in_attempts (account)",
  ],
};
