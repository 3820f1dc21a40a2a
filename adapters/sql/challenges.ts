import type { Sql, SqlDatabase } from "./database.ts";
import { param, statement } from "./statement.ts";

/**
 * Ends what a user's password has earned so far where a second factor is still owed: once the password is another one,
 * whoever knew the old one must not go on with it. Within the transaction that changes the password.
 */
export const challengesEnd = (db: SqlDatabase) => {
  const ended = statement(() => db.build.deleteFrom("sign_in_challenges").where("value", "=", param("value")));
  return async (tx: Sql, userId: number): Promise<void> => {
    await tx.all(ended, { value: String(userId) });
  };
};
