import type { Migration } from "./migration.ts";

/**
 * When somebody who is signed in last gave their password, or a code, again; without it the sign-in itself is the proof.
 * An instance of the version before starts sessions without it, and leaves it alone.
 */
export const proofs: Migration = {
  name: "0010-proofs",
  statements: (engine) => [
    `ALTER TABLE sessions ADD COLUMN proved_at ${engine === "sqlite" ? "TEXT" : 'TEXT COLLATE "C"'}`,
  ],
};
