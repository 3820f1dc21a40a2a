import type { Timestamp } from "../../core/clock.ts";
import { type Credential, credentialOf } from "../../core/keys/credentials.ts";
import type { SqlDatabase } from "./database.ts";
import { type KeyRow, keyOf, selectKeys } from "./key-rows.ts";
import { param, params, statement } from "./statement.ts";

/** Who a hashed secret stands for, read from the database; and when keys were last used. */
export interface StoredCredentials {
  find(secretHash: string): Promise<Credential | null>;
  /** The counter that every change to keys, links, secrets and users moves. */
  version(): Promise<number>;
  saveUses(uses: ReadonlyMap<number, Timestamp>): Promise<void>;
}

/** Credentials in SQL. */
export const storedCredentials = (db: SqlDatabase): StoredCredentials => {
  const found = statement(
    selectKeys(db)
      .innerJoin("key_secrets", "key_secrets.key_id", "api_keys.id")
      .select("key_secrets.ends_at")
      .where("key_secrets.hash", "=", param("hash"))
      .$castTo<KeyRow & { readonly ends_at: string | null }>(),
  );
  const version = statement(db.build.selectFrom("access_version").select("version"));
  // A key removed since its use leaves nothing to write: the SELECT is empty.
  const used = statement(
    db.build
      .insertInto("key_usage")
      .columns(["key_id", "last_used_at"])
      .expression(
        db.build
          .selectFrom("api_keys")
          .select(["api_keys.id", param<string>("last_used_at").as("last_used_at")])
          .where("api_keys.id", "=", param("key_id")),
      )
      .onConflict((conflict) => conflict.column("key_id").doUpdateSet(params(["last_used_at"]))),
  );

  return {
    async find(hash) {
      const [row] = await db.all(found, { hash });
      return row === undefined ? null : credentialOf(keyOf(row), row.ends_at);
    },
    async version() {
      const [row] = await db.all(version, {});
      if (row === undefined) throw new Error("the version of access is missing");
      return row.version;
    },
    async saveUses(uses) {
      await db.write(async (tx) => {
        // In one order everywhere: two instances that save the same keys' uses would otherwise wait for each other.
        const inOrder = [...uses].sort(([one], [other]) => one - other);
        for (const [keyId, moment] of inOrder) await tx.all(used, { key_id: keyId, last_used_at: moment });
      });
    },
  };
};
