import Type from "typebox";
import { admit } from "../access/decide.ts";
import { isSuperAdmin, type Principal } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { Outcome } from "../failure.ts";
import { type Listing, type Page, PageQuery, pageOf } from "../page.ts";
import { type Input, id, oneOf } from "../schema.ts";

/** Changes that are recorded: those to keys and users, which decide who may do what. */
export const AUDITED = [
  "key.created",
  "key.changed",
  "key.rotated",
  "key.removed",
  "user.created",
  "user.changed",
] as const;
export type Audited = (typeof AUDITED)[number];

/** One recorded change. `record` is what the key or user became, or was when it was removed; never a secret. */
export interface AuditEntry {
  readonly id: number;
  readonly at: Timestamp;
  /** The key that made the change; `null` for the command line and the service itself. */
  readonly by_key_id: number | null;
  readonly action: Audited;
  readonly subject_id: number;
  readonly dealer_id: number | null;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Query of GET /api/audit. */
export const AuditQuery = Type.Object({
  action: Type.Optional(oneOf(AUDITED)),
  subject_id: Type.Optional(id()),
  ...PageQuery,
});
export type AuditQuery = Input<typeof AuditQuery>;

/** Which entries a caller sees. Goes into the WHERE. */
export type AuditSight = "everything" | { readonly dealerId: number } | { readonly byKeyId: number };

/** The audit log in the database; written by the repositories of keys and users, in the transaction of each change. */
export interface AuditLog {
  /** Newest first. */
  list(
    sight: AuditSight,
    filter: { readonly action?: Audited; readonly subjectId?: number },
    page: Page,
  ): Promise<Listing<AuditEntry>>;
}

/** Super-admins see every entry, bound callers those of their dealer, others what their own key did. */
export const sightOfAudit = (principal: Principal): AuditSight => {
  if (isSuperAdmin(principal)) return "everything";
  return principal.dealerId === null ? { byKeyId: principal.keyId ?? 0 } : { dealerId: principal.dealerId };
};

/** The use case of reading the audit log. */
export const makeAudit = ({ log }: { log: AuditLog }) => ({
  async list(principal: Principal, query: AuditQuery): Promise<Outcome<Listing<AuditEntry>>> {
    const refused = admit(principal, "audit.list");
    if (refused !== null) return refused;
    return log.list(
      sightOfAudit(principal),
      {
        ...(query.action !== undefined && { action: query.action }),
        ...(query.subject_id !== undefined && { subjectId: query.subject_id }),
      },
      pageOf(query),
    );
  },
});

export type Audit = ReturnType<typeof makeAudit>;
