import { sql } from "kysely";
import type { Actor } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase } from "../query/database.ts";
import { sqlStatement } from "../query/statement.ts";

/**
 * Removes everything that could only be opened with the lost key: every second factor, with an audit entry for each,
 * and the row by which the database recognises the key. Returns the number of users who lost their second factor.
 */
export const forgetSecretKey = (db: SqlDatabase, now: Timestamp, by: Actor): Promise<number> => {
  const audit = auditTrail(db);
  const holders = sqlStatement(
    db,
    sql<{ id: number; dealer_id: number | null; name: string }>`SELECT users.id, users.dealer_id, users.name FROM users
      JOIN second_factors ON second_factors.user_id = users.id ORDER BY users.id`,
  );
  const removals = [
    sql<object>`DELETE FROM second_factors`,
    sql<object>`DELETE FROM service_secrets WHERE name = 'key-check' OR name LIKE 'portal%'`,
  ].map((query) => sqlStatement(db, query));
  return db.write(async (tx) => {
    const users = await tx.all(holders, {});
    for (const removal of removals) await tx.all(removal, {});
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
