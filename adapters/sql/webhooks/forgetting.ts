import { sql } from "kysely";
import type { WebhookWork } from "../../../core/webhooks/webhook-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

const FORGOTTEN_AT_ONCE = 500;

/** Deletes old messages, and deleted webhooks with theirs; see `forget` of the port. */
export const forgetting = (db: SqlDatabase): WebhookWork["forget"] => {
  const statements = {
    old: sqlStatement(
      db,
      sql<{ webhook_id: number }>`DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries
        WHERE created_at < ${param("before")} ORDER BY created_at, id LIMIT ${sql.lit(FORGOTTEN_AT_ONCE)})
        RETURNING webhook_id`,
    ),
    ofDeleted: sqlStatement(
      db,
      sql<{ webhook_id: number }>`DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries
        WHERE webhook_id IN (SELECT id FROM webhooks WHERE deleted_at IS NOT NULL) LIMIT ${sql.lit(FORGOTTEN_AT_ONCE)})
        RETURNING webhook_id`,
    ),
    deleted: sqlStatement(
      db,
      sql<object>`DELETE FROM webhooks WHERE deleted_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE webhook_id = webhooks.id)`,
    ),
    counted: sqlStatement(
      db,
      sql<object>`UPDATE webhooks SET waiting = (SELECT count(*) FROM webhook_deliveries
        WHERE webhook_id = webhooks.id AND state = 'pending') WHERE id = ${param("id")}`,
    ),
  };
  return (before) =>
    db.write(async (tx) => {
      const gone = await tx.all(statements.ofDeleted, {});
      if (gone.length > 0) return true;
      await tx.all(statements.deleted, {});
      const old = await tx.all(statements.old, { before });
      for (const id of new Set(old.map(({ webhook_id }) => webhook_id))) await tx.all(statements.counted, { id });
      return old.length > 0;
    });
};
