import { sql } from "kysely";
import { type Credential, credentialOf, refusalOf, type WhenRefused } from "../../../core/keys/credentials.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { type Param, statement } from "../query/statement.ts";
import { keyOf, selectKeys } from "./key-rows.ts";

/** Finds the caller of a hashed secret in the database. */
export interface StoredCredentials {
  find(secretHash: string, refused?: WhenRefused): Promise<Credential | null>;
  /** The counter that every change of keys, links, secrets and users increments. */
  version(): Promise<number>;
}

/** The limit that all keys of the key's dealer share. */
const DEALER_RATE_LIMIT = sql<number | null>`(SELECT dealers.rate_limit FROM dealers WHERE dealers.id =
  CASE api_keys.association WHEN 'dealer' THEN dealer_keys.dealer_id WHEN 'user' THEN users.dealer_id END)`;

const withDealerLimit = (credential: Credential, dealerRateLimit: number): Credential => ({
  ...credential,
  principal: { ...credential.principal, dealerRateLimit },
});

/** Returns a function that finds the caller of a hashed secret. It can be used within a transaction, too. */
export const credentialLookUp = (db: SqlDatabase) => {
  const found = statement((param: Param<{ hash: string }>) =>
    selectKeys(db, "everything")
      .innerJoin("key_secrets", "key_secrets.key_id", "api_keys.id")
      .select(["key_secrets.ends_at", DEALER_RATE_LIMIT.as("dealer_rate_limit")])
      .where("key_secrets.hash", "=", param("hash")),
  );
  return async (source: Sql, hash: string, refused?: WhenRefused): Promise<Credential | null> => {
    const [row] = await source.all(found, { hash });
    if (row === undefined) return null;
    const key = keyOf(row);
    const refusal = refusalOf(key);
    if (refusal === null) {
      const credential = credentialOf(key, hash, row.ends_at);
      const limit = row.dealer_rate_limit;
      return credential === null || limit === null ? credential : withDealerLimit(credential, limit);
    }
    refused?.(key.id, refusal);
    return null;
  };
};

/** Credentials in SQL. */
export const storedCredentials = (db: SqlDatabase): StoredCredentials => {
  const lookUp = credentialLookUp(db);
  const version = statement<Record<never, never>, { version: number }>(() =>
    db.selectFrom("access_version").select("version"),
  );

  return {
    find: (hash, refused) => lookUp(db, hash, refused),
    async version() {
      const [row] = await db.all(version, {});
      if (row === undefined) throw new Error("the version of access is missing");
      return row.version;
    },
  };
};
