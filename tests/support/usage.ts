import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { OUTCOMES, type UsageCounts, type VisibleKey } from "../../core/keys/usage-repository.ts";
import { changeStoredKey } from "./key-changes.ts";
import { keyFields, MOMENT, made, newSecret, OPERATOR } from "./records.ts";

/** Counts that are 0 by default. */
export const counts = (some: Partial<UsageCounts> = {}): UsageCounts => ({
  ...(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<keyof UsageCounts, number>),
  ...some,
});

/** A refused request. */
export const denial = (fields: { address?: string; code?: string } = {}) => ({
  status: 403,
  code: "permission_missing",
  method: "GET",
  route: "/api/vehicles/:id",
  address: "198.51.100.1",
  ...fields,
});

/** A key with its whole history visible. */
export const wholeHistoryOf = (id: number): VisibleKey => ({ id, after: "" });

/** Stores a key and returns its id. */
export const newKey = async (db: SqlDatabase): Promise<number> => {
  const keys = makeKeyRepository(db, () => {});
  return made(await keys.insert({ key: keyFields(), secret: newSecret(), now: MOMENT, by: OPERATOR })).id;
};

/** Removes a key as its deletion does. */
export const removeKey = async (db: SqlDatabase, id: number): Promise<void> => {
  const keys = makeKeyRepository(db, () => {});
  const seen = made(await keys.find(id, "everything"));
  await changeStoredKey(keys, seen, { does: "remove" });
};
