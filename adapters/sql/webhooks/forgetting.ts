import { sql } from "kysely";
import type { WebhookWork } from "../../../core/webhooks/webhook-repository.ts";
import type { SqlDatabase } from "../query/database.ts";

const FORGOTTEN_AT_ONCE = 500;

/** Deletes old messages, and deleted webhooks with theirs; see `forget` of the port. */
export const forgetting =
  (db: SqlDatabase): WebhookWork["forget"] =>
  (before) =>
    db.write(async (tx) => {
      const some = tx.selectFrom("webhook_deliveries").select("id").limit(sql.lit(FORGOTTEN_AT_ONCE));
      const deleted = tx.selectFrom("webhooks").select("id").where("deleted_at", "is not", null);
      const ofDeleted = tx.deleteFrom("webhook_deliveries").where("id", "in", some.where("webhook_id", "in", deleted));
      if ((await ofDeleted.returning("webhook_id").execute()).length > 0) return true;
      await sql`DELETE FROM webhooks WHERE deleted_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE webhook_id = webhooks.id)`.execute(tx);
      const old = await tx
        .deleteFrom("webhook_deliveries")
        .where("id", "in", some.where("created_at", "<", before).orderBy("created_at").orderBy("id"))
        .returning("webhook_id")
        .execute();
      for (const id of new Set(old.map(({ webhook_id }) => webhook_id)))
        await sql`UPDATE webhooks SET waiting = (SELECT count(*) FROM webhook_deliveries
          WHERE webhook_id = webhooks.id AND state = 'pending') WHERE id = ${id}`.execute(tx);
      return old.length > 0;
    });
