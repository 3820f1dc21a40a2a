import type { Visibility } from "../../../core/access/visibility.ts";
import type { KeyRecord } from "../../../core/keys/key.ts";
import type { UserRecord } from "../../../core/users/user.ts";
import { keyOf, selectKeys } from "../access/key-rows.ts";
import { userFinding } from "../access/user-rows.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, statement } from "../query/statement.ts";

/**
 * Reads a user and their keys within a change of access, and locks them. Such changes run one after another, but an
 * instance of an earlier version may hold the records.
 */
export const lockedUsers = (db: SqlDatabase) => {
  const findUser = userFinding(db);
  const locked = statement(() =>
    db.selectFrom("users").select("id").where("id", "=", param("id")).modifyEnd(db.forUpdate),
  );
  const lockedKeys = statement(() =>
    db.selectFrom("api_keys").select("id").where("user_id", "=", param("id")).modifyEnd(db.forUpdate),
  );
  const keysOf = statement(() =>
    selectKeys(db, "everything")
      .where("api_keys.user_id", "=", param("id"))
      .orderBy("api_keys.created_at", "desc")
      .orderBy("api_keys.id", "desc"),
  );
  return {
    async find(tx: Sql, id: number, visibility: Visibility): Promise<UserRecord | null> {
      await tx.all(locked, { id });
      return findUser(tx, id, visibility);
    },

    /** Every key of a user, newest first, including ended ones, whether or not the caller can see them. */
    async keysOf(tx: Sql, id: number): Promise<KeyRecord[]> {
      await tx.all(lockedKeys, { id });
      return (await tx.all(keysOf, { id })).map(keyOf);
    },
  };
};
