import type { Failure } from "../../../core/failure.ts";
import type { SignInChange } from "../../../core/sign-in/account-repository.ts";
import type { UserRecord } from "../../../core/users/user.ts";
import { accessChange } from "../access/access-change.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { lockedUsers } from "../users/locked.ts";

/**
 * Changes how another user signs in, who stays locked. What is done behind the refusal need not restrict its WHERE to
 * visible users: the restriction of the locked read still applies.
 */
export const signInChange = (db: SqlDatabase) => {
  const changeAccess = accessChange(db);
  const locked = lockedUsers(db);
  return <Result>(
    { id, visibility, now, by, refusal }: SignInChange,
    work: (tx: Tx, user: UserRecord) => Promise<Result>,
  ): Promise<Result | null | Failure> =>
    changeAccess(by, now, async (tx) => {
      const user = await locked.find(tx, id, visibility);
      return user === null ? null : (refusal(user) ?? work(tx, user));
    });
};
