import type { Migration } from "./migration.ts";

/**
 * When a signed-in user last gave their password or a code again. `null` means that the sign-in is the proof. Instances
 * of the previous version leave the column empty.
 */
export const proofs: Migration = {
  name: "0010-proofs",
  statements: (engine) => [
    `ALTER TABLE sessions ADD COLUMN proved_at ${engine === "sqlite" ? "TEXT" : 'TEXT COLLATE "C"'}`,
  ],
};
