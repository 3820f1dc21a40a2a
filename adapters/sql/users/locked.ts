import type { Visibility } from "../../../core/access/visibility.ts";
import type { KeyRecord } from "../../../core/keys/key.ts";
import type { UserRecord } from "../../../core/users/user.ts";
import { keyOf, selectKeys } from "../access/key-rows.ts";
import { findUser } from "../access/user-rows.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";

/**
 * Reads a user and their keys within a change of access, and locks them. Such changes run one after another, but an
 * instance of an earlier version may hold the records.
 */
export const lockedUsers = (db: SqlDatabase) => ({
  async find(tx: Tx, id: number, visibility: Visibility): Promise<UserRecord | null> {
    await tx.selectFrom("users").select("id").where("id", "=", id).modifyEnd(db.forUpdate).execute();
    return findUser(tx, id, visibility);
  },

  /** Those of these keys that exist, whoever has them. */
  async keys(tx: Tx, ids: readonly number[]): Promise<KeyRecord[]> {
    if (ids.length === 0) return [];
    await tx.selectFrom("api_keys").select("id").where("id", "in", ids).modifyEnd(db.forUpdate).execute();
    const rows = await selectKeys(tx, "everything").where("api_keys.id", "in", ids).orderBy("api_keys.id").execute();
    return rows.map(keyOf);
  },

  /** Every key of a user, newest first, including ended ones, whether or not the caller can see them. */
  async keysOf(tx: Tx, id: number): Promise<KeyRecord[]> {
    await tx.selectFrom("api_keys").select("id").where("user_id", "=", id).modifyEnd(db.forUpdate).execute();
    const rows = await selectKeys(tx, "everything")
      .where("api_keys.user_id", "=", id)
      .orderBy("api_keys.created_at", "desc")
      .orderBy("api_keys.id", "desc")
      .execute();
    return rows.map(keyOf);
  },
});
