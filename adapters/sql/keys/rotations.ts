import { boundDealerOf } from "../../../core/access/authority.ts";
import type { Actor } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { presentKey } from "../../../core/keys/key.ts";
import type { KeyRotation } from "../../../core/keys/secrets.ts";
import type { UserRecord } from "../../../core/users/user.ts";
import { auditTrail } from "../audit/trail.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, statement } from "../query/statement.ts";
import { searchWords } from "../search/words.ts";
import { keyStatements } from "./statements.ts";

/**
 * Thrown to roll back the transaction if a user's keys are not those that were read before, or if one of them has
 * changed.
 */
export class KeysChanged extends Error {
  override readonly name = "KeysNotAsSeen";
}

/**
 * Gives all keys of a user new secrets within a transaction. The previous secrets end at once. `holder` is the user
 * now.
 */
export const keyRotations = (db: SqlDatabase) => {
  const statements = keyStatements(db);
  const audit = auditTrail(db);
  const words = searchWords(db);
  const held = statement(() =>
    db.build.selectFrom("api_keys").select(["id", "updated_at"]).where("user_id", "=", param("user_id")),
  );

  return async (
    tx: Sql,
    {
      holder,
      rotations,
      now,
      by,
    }: {
      readonly holder: UserRecord;
      readonly rotations: readonly KeyRotation[];
      readonly now: Timestamp;
      readonly by: Actor;
    },
  ): Promise<void> => {
    const present = new Map((await tx.all(held, { user_id: holder.id })).map(({ id, updated_at }) => [id, updated_at]));
    const isSame = rotations.every(({ key }) => present.get(key.id) === key.updatedAt);
    if (!isSame || present.size !== rotations.length) throw new KeysChanged();
    for (const { key, secret } of rotations) {
      await tx.all(statements.updateStart.everything, { id: key.id, key_start: secret.start, now });
      await words.keep(tx, "api_keys", key.id);
      await tx.all(statements.endOlder, { key_id: key.id });
      await tx.all(statements.endPrevious, { key_id: key.id, ends_at: now, start: key.keyStart });
      await tx.all(statements.addSecret, { hash: secret.hash, key_id: key.id, ends_at: null });
      // The entry belongs to the user's new dealer, so the dealer that the user leaves does not see it.
      const held = { ...key, holder };
      await audit(tx, {
        at: now,
        by,
        action: "key.rotated",
        resourceId: key.id,
        dealerId: boundDealerOf(held),
        before: presentKey(held, now),
        after: presentKey({ ...held, keyStart: secret.start, oldSecret: null, updatedAt: now }, now),
      });
    }
  };
};
