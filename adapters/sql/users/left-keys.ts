import { boundDealerOf } from "../../../core/access/authority.ts";
import type { Actor } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { type KeyRecord, presentKey } from "../../../core/keys/key.ts";
import { auditTrail } from "../audit/trail.ts";
import { recordMoveOfKey } from "../keys/rebindings.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";

/** A key that changes with its user, who leaves or returns. */
interface LeftKey {
  readonly before: KeyRecord;
  readonly after: KeyRecord;
}

/** A key's id, and when it was changed. */
export type StoredKey = readonly [id: number, updatedAt: Timestamp];

/** Stores, within the change of a user who leaves or returns, what becomes of their keys. They are locked. */
export const leftKeys = (db: SqlDatabase) => {
  const audit = auditTrail(db);
  return async (
    tx: Tx,
    keys: readonly LeftKey[],
    { now, by }: { readonly now: Timestamp; readonly by: Actor },
  ): Promise<readonly StoredKey[]> => {
    const stored: StoredKey[] = [];
    for (const { before, after } of keys) {
      const { id, active, endedBy, userId } = after;
      const row = await tx
        .updateTable("api_keys")
        .set({
          active: active ? 1 : 0,
          ended_by: endedBy,
          user_id: userId,
          updated_at: db.nextTimestamp("updated_at", now),
        })
        .where("id", "=", id)
        .returning("updated_at")
        .executeTakeFirstOrThrow();
      stored.push([id, row.updated_at]);
      const from = boundDealerOf(before);
      if (boundDealerOf(after) !== from) await recordMoveOfKey(tx, { id, from, now });
      await audit(tx, {
        at: now,
        by,
        action: "key.changed",
        resourceId: id,
        dealerId: from,
        before: presentKey(before, now),
        after: presentKey(after, now),
      });
    }
    return stored;
  };
};
