import type { Migration } from "./migration.ts";

/**
 * Makes and models are compared without signs and blanks: the service folds those of existing vehicles anew, a few at a
 * time, up to the id `unspelled`.
 */
export const nameForms: Migration = {
  name: "0043-name-forms",
  statements: () => ["UPDATE search_state SET unspelled = (SELECT COALESCE(MAX(id), 0) FROM vehicles)"],
};
