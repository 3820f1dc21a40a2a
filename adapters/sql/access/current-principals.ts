import type { Principal } from "../../../core/access/principal.ts";
import { OPERATOR } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { credentialOf, isCurrent } from "../../../core/keys/credentials.ts";
import { principalOfUser } from "../../../core/users/user.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, statement } from "../query/statement.ts";
import { keyOf, selectKeys } from "./key-rows.ts";
import { USER_COLUMNS, userOf, WAS_INVITED } from "./user-rows.ts";

/** The key or user who started background work; the command line has neither. */
interface CallerIds {
  readonly keyId: number | null;
  readonly userId: number | null;
}

/** Placeholders, as background work has no secret and no session. */
const NO_SECRET = "";
const NO_SESSION = 0;

/** Looks up the present rights of a key or user: `null` if it is revoked, expired or deleted. */
export const currentPrincipals = (db: SqlDatabase) => {
  const key = statement(() => selectKeys(db, "everything").where("api_keys.id", "=", param("id")));
  const user = statement(() =>
    db
      .selectFrom("users")
      .select([...USER_COLUMNS, WAS_INVITED])
      .where("id", "=", param("id")),
  );
  return async (tx: Sql, { keyId, userId }: CallerIds, now: Timestamp): Promise<Principal | null> => {
    if (keyId !== null) {
      const [row] = await tx.all(key, { id: keyId });
      const credential = row === undefined ? null : credentialOf(keyOf(row), NO_SECRET, null);
      return credential !== null && isCurrent(credential, now) ? credential.principal : null;
    }
    if (userId === null) return OPERATOR;
    const [row] = await tx.all(user, { id: userId });
    return row === undefined ? null : principalOfUser(userOf(row), NO_SESSION);
  };
};
