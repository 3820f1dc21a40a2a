import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, statement } from "../query/statement.ts";

/**
 * Ends sign-ins that have passed the password and still need the second factor: once the password changes, whoever used
 * the old one must not continue. Runs within the transaction that changes the password.
 */
export const challengesEnd = (db: SqlDatabase) => {
  const ended = statement(() => db.build.deleteFrom("sign_in_challenges").where("value", "=", param("value")));
  return async (tx: Sql, userId: number): Promise<void> => {
    await tx.all(ended, { value: String(userId) });
  };
};
