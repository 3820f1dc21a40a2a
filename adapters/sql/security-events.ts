import type { Clock } from "../../core/clock.ts";
import type { SecurityEvents } from "../../core/sign-in/security-events.ts";
import { auditTrail } from "./audit-trail.ts";
import type { SqlDatabase } from "./database.ts";

/** Records what happens to the safety of accounts in the audit log: that it happened, and nothing of what was chosen. */
export const recordedEvents = (db: SqlDatabase, clock: Clock): SecurityEvents => {
  const audit = auditTrail(db);
  return {
    record: (action, { id: resourceId, dealerId }, by) =>
      db.write((tx) => audit(tx, clock.now(), by, { action, resourceId, dealerId, before: null, after: null })),
  };
};
