import type { Actor } from "../../core/access/principal.ts";
import type { Timestamp } from "../../core/clock.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import { params, statement } from "./statement.ts";

const COLUMNS = ["at", "by_key_id", "action", "subject_id", "dealer_id", "details"] as const;

/** What is recorded of a change to keys and users; `record` is what the subject was, or became, without secrets. */
export interface AuditEntry {
  readonly action: "key.created" | "key.changed" | "key.rotated" | "key.removed" | "user.created" | "user.changed";
  readonly subjectId: number;
  readonly dealerId: number | null;
  readonly record: object;
}

/** Writes an audit entry within the transaction of the change it is about. */
export const auditTrail = (db: SqlDatabase) => {
  const inserted = statement(db.build.insertInto("audit_log").values(params(COLUMNS)));
  return async (tx: Sql, at: Timestamp, by: Actor, entry: AuditEntry): Promise<void> => {
    await tx.all(inserted, {
      at,
      by_key_id: by.keyId,
      action: entry.action,
      subject_id: entry.subjectId,
      dealer_id: entry.dealerId,
      details: JSON.stringify(entry.record),
    });
  };
};
