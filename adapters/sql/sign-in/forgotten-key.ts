import type { Actor } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase } from "../query/database.ts";

/**
 * Removes everything that could only be opened with the lost key: every second factor, with an audit entry for each,
 * and the row by which the database recognises the key. Returns the number of users who lost their second factor.
 */
export const forgetSecretKey = (db: SqlDatabase, now: Timestamp, by: Actor): Promise<number> => {
  const audit = auditTrail(db);
  return db.write(async (tx) => {
    const users = await tx
      .selectFrom("users")
      .innerJoin("second_factors", "second_factors.user_id", "users.id")
      .select(["users.id", "users.dealer_id", "users.name"])
      .orderBy("users.id")
      .execute();
    await tx.deleteFrom("second_factors").execute();
    await tx
      .deleteFrom("service_secrets")
      .where((secret) => secret.or([secret("name", "=", "key-check"), secret("name", "like", "portal%")]))
      .execute();
    for (const { id: resourceId, dealer_id: dealerId, name: recordName } of users)
      await audit(tx, {
        at: now,
        by,
        action: "user.second-factor-reset",
        resourceId,
        dealerId,
        before: null,
        after: null,
        recordName,
      });
    return users.length;
  });
};
