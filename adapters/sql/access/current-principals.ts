import type { Principal } from "../../../core/access/principal.ts";
import { OPERATOR } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { credentialOf, isCurrent } from "../../../core/keys/credentials.ts";
import { principalOfUser } from "../../../core/users/user.ts";
import type { Queries } from "../query/driver.ts";
import { keyOf, selectKeys } from "./key-rows.ts";
import { findUser } from "./user-rows.ts";

/** The key or user who started background work; the command line has neither. */
interface CallerIds {
  readonly keyId: number | null;
  readonly userId: number | null;
}

/** Placeholders, as background work has no secret and no session. */
const NO_SECRET = "";
const NO_SESSION = 0;

/** Looks up the present rights of a key or user: `null` if it is revoked, expired or deleted. */
export const currentPrincipalOf = async (
  on: Queries,
  { keyId, userId }: CallerIds,
  now: Timestamp,
): Promise<Principal | null> => {
  if (keyId !== null) {
    const row = await selectKeys(on, "everything").where("api_keys.id", "=", keyId).executeTakeFirst();
    const credential = row === undefined ? null : credentialOf(keyOf(row), NO_SECRET, null);
    return credential !== null && isCurrent(credential, now) ? credential.principal : null;
  }
  if (userId === null) return OPERATOR;
  const user = await findUser(on, userId, "everything");
  return user === null ? null : principalOfUser(user, NO_SESSION);
};
