import { boundDealerOf } from "../../../core/access/authority.ts";
import type { Actor } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { presentKey } from "../../../core/keys/key.ts";
import type { KeyRotation } from "../../../core/keys/secrets.ts";
import type { UserRecord } from "../../../core/users/user.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { searchWords } from "../search/words.ts";
import { replaceSecret } from "./secrets.ts";

/**
 * Gives all keys of a user new secrets within a transaction. The previous secrets end at once. `holder` is the user
 * now.
 */
export const keyRotations = (db: SqlDatabase) => {
  const audit = auditTrail(db);
  const words = searchWords(db);
  return async (
    tx: Tx,
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
      await tx
        .updateTable("api_keys")
        .set({ key_start: secret.start, updated_at: db.nextTimestamp("updated_at", now) })
        .where("id", "=", key.id)
        .execute();
      await words.keep(tx, "api_keys", key.id);
      await replaceSecret(tx, { seen: key, secret, previousEndsAt: now });
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
