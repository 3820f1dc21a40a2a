import { AuthorizationLapsed, hasSamePowers } from "../../../core/access/authorization.ts";
import type { Actor, PresentedCredential, Principal } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import { isCurrent } from "../../../core/keys/credentials.ts";
import { principalOfUser } from "../../../core/users/user.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { credentialLookUp } from "./credentials.ts";
import { USER_COLUMNS, userOf, WAS_INVITED } from "./user-rows.ts";

/**
 * Runs a change of access (of keys, users, sessions or accounts) in its own transaction, while no other such change
 * runs. Throws AuthorizationLapsed, with nothing changed, unless the actor still has the rights on which the decision
 * was based.
 */
export type AccessChange = <Result>(by: Actor, now: Timestamp, work: (tx: Tx) => Promise<Result>) => Promise<Result>;

/**
 * Serializes changes of access: of two administrators who deactivate each other at once, the second finds itself
 * deactivated. They take the lock before they touch anything, so that they cannot deadlock. `changed` runs after each of
 * them, unless it returned `null` or a failure, which mean that nothing was changed.
 */
export const accessChange = (db: SqlDatabase, changed: () => void = () => {}): AccessChange => {
  const credentialOf = credentialLookUp(db);

  const currentPrincipal = async (
    tx: Tx,
    presented: PresentedCredential,
    now: Timestamp,
  ): Promise<Principal | null> => {
    if ("secretHash" in presented) {
      const credential = await credentialOf(tx, presented.secretHash);
      return credential !== null && isCurrent(credential, now) ? credential.principal : null;
    }
    const user = await tx
      .selectFrom("users")
      .select([...USER_COLUMNS, WAS_INVITED])
      .where("id", "in", (nested) =>
        nested
          .selectFrom("sessions")
          .select("user_id")
          .where("sessions.id", "=", presented.sessionId)
          .where("expires_at", ">", now),
      )
      .executeTakeFirst();
    return user === undefined ? null : principalOfUser(userOf(user), presented.sessionId);
  };

  return async (by, now, work) => {
    let isRefused = false;
    try {
      const result = await db.write(async (tx) => {
        // An advisory lock, not a row: an instance of an earlier version could hold the row and wait for one that is
        // locked here.
        await db.accessLock.execute(tx);
        if (by.authorization !== null) {
          const caller = await currentPrincipal(tx, by.authorization.presented, now);
          if (caller === null || !hasSamePowers(by.authorization, caller))
            throw new AuthorizationLapsed("whoever makes the change has lost the right to, or got another");
        }
        return work(tx);
      });
      isRefused = result === null || result instanceof Failure;
      return result;
    } finally {
      if (!isRefused) changed();
    }
  };
};
