import type { AsSeen } from "../../core/sign-in/account-repository.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import { param, type Statement, statement } from "./statement.ts";

/** Tells whether a user is still the one that somebody saw and decided about. */
export interface SeenUsers {
  is(source: Sql, user: AsSeen): Promise<boolean>;
  /** And stays it until the transaction ends. */
  stays(tx: Sql, user: AsSeen): Promise<boolean>;
}

/**
 * Asks for users as they were seen. A change that is made while the user `stays` so needs no sight in its own WHERE:
 * the one of the statement that saw the user still holds.
 */
export const seenUsers = (db: SqlDatabase): SeenUsers => {
  const seen = db.build
    .selectFrom("users")
    .select("id")
    .where("id", "=", param("id"))
    .where("updated_at", "=", param("seen"));
  const found = statement(() => seen);
  const locked = statement(() => seen.modifyEnd(db.lockRows));
  const ask = async (source: Sql, wanted: Statement<object>, { id, updatedAt }: AsSeen): Promise<boolean> =>
    (await source.all(wanted, { id, seen: updatedAt })).length > 0;
  return { is: (source, user) => ask(source, found, user), stays: (tx, user) => ask(tx, locked, user) };
};
