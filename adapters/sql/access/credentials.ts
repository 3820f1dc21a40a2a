import { type Credential, credentialOf, refusalOf, type WhenRefused } from "../../../core/keys/credentials.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, statement } from "../query/statement.ts";
import { keyOf, selectKeys } from "./key-rows.ts";

/** Finds the caller of a hashed secret in the database. */
export interface StoredCredentials {
  find(secretHash: string, refused?: WhenRefused): Promise<Credential | null>;
  /** The counter that every change of keys, links, secrets and users increments. */
  version(): Promise<number>;
}

/** Returns a function that finds the caller of a hashed secret. It can be used within a transaction, too. */
export const credentialLookUp = (db: SqlDatabase) => {
  const found = statement(() =>
    selectKeys(db, "everything")
      .innerJoin("key_secrets", "key_secrets.key_id", "api_keys.id")
      .select("key_secrets.ends_at")
      .where("key_secrets.hash", "=", param("hash")),
  );
  return async (source: Sql, hash: string, refused?: WhenRefused): Promise<Credential | null> => {
    const [row] = await source.all(found, { hash });
    if (row === undefined) return null;
    const key = keyOf(row);
    const refusal = refusalOf(key);
    if (refusal === null) return credentialOf(key, hash, row.ends_at);
    refused?.(key.id, refusal);
    return null;
  };
};

/** Credentials in SQL. */
export const storedCredentials = (db: SqlDatabase): StoredCredentials => {
  const lookUp = credentialLookUp(db);
  const version = statement(() => db.build.selectFrom("access_version").select("version"));

  return {
    find: (hash, refused) => lookUp(db, hash, refused),
    async version() {
      const [row] = await db.all(version, {});
      if (row === undefined) throw new Error("the version of access is missing");
      return row.version;
    },
  };
};
