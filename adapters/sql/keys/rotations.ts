import { boundDealerOf } from "../../../core/access/authority.ts";
import type { Actor } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { presentKey } from "../../../core/keys/key.ts";
import type { KeyRotation } from "../../../core/keys/secrets.ts";
import type { UserRecord } from "../../../core/users/user.ts";
import { auditTrail } from "../audit/trail.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { searchWords } from "../search/words.ts";
import { keyStatements } from "./statements.ts";

/**
 * Gives all keys of a user new secrets within a transaction. The previous secrets end at once. `holder` is the user
 * now.
 */
export const keyRotations = (db: SqlDatabase) => {
  const statements = keyStatements(db);
  const audit = auditTrail(db);
  const words = searchWords(db);
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
