import type { Actor } from "../../core/access/principal.ts";
import type { AuditEntry, Audited, AuditLog } from "../../core/audit/audit.ts";
import type { Timestamp } from "../../core/clock.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import { listing } from "./listing.ts";
import { param, params, statement } from "./statement.ts";

const COLUMNS = ["created_at", "by_key_id", "action", "subject_id", "dealer_id", "details"] as const;

/** A change to be recorded; `record` is what the subject was, or became, without secrets. */
export interface AuditDraft {
  readonly action: Audited;
  readonly subjectId: number;
  readonly dealerId: number | null;
  readonly record: object;
}

/** Writes an audit entry within the transaction of the change it is about. */
export const auditTrail = (db: SqlDatabase) => {
  const inserted = statement(db.build.insertInto("audit_log").values(params(COLUMNS)));
  return async (tx: Sql, at: Timestamp, by: Actor, draft: AuditDraft): Promise<void> => {
    await tx.all(inserted, {
      created_at: at,
      by_key_id: by.keyId,
      action: draft.action,
      subject_id: draft.subjectId,
      dealer_id: draft.dealerId,
      details: JSON.stringify(draft.record),
    });
  };
};

interface AuditRow {
  readonly id: number;
  readonly created_at: string;
  readonly by_key_id: number | null;
  readonly action: Audited;
  readonly subject_id: number;
  readonly dealer_id: number | null;
  readonly details: string;
}

const entryOf = ({ created_at, details, ...row }: AuditRow): AuditEntry => ({
  id: row.id,
  at: created_at,
  by_key_id: row.by_key_id,
  action: row.action,
  subject_id: row.subject_id,
  dealer_id: row.dealer_id,
  record: JSON.parse(details),
});

/** The audit log in SQL; see the port for what it guarantees. */
export const makeAuditLog = (db: SqlDatabase): AuditLog => {
  const list = listing<AuditRow>(db, "audit_log", (has) => {
    let query = db.build
      .selectFrom("audit_log")
      .select(["id", ...COLUMNS])
      .$castTo<AuditRow>();
    if (has("sightDealer")) query = query.where("dealer_id", "=", param("sightDealer"));
    if (has("sightKey")) query = query.where("by_key_id", "=", param("sightKey"));
    if (has("action")) query = query.where("action", "=", param("action"));
    if (has("subjectId")) query = query.where("subject_id", "=", param("subjectId"));
    return query;
  });

  return {
    async list(sight, { action, subjectId }, page) {
      const { total, items } = await list(
        {
          ...(sight !== "everything" &&
            ("dealerId" in sight ? { sightDealer: sight.dealerId } : { sightKey: sight.byKeyId })),
          ...(action !== undefined && { action }),
          ...(subjectId !== undefined && { subjectId }),
        },
        page,
      );
      return { total, items: items.map(entryOf) };
    },
  };
};
