import type { Clock } from "../../../core/clock.ts";
import type { SecurityEvents } from "../../../core/sign-in/security-events.ts";
import type { SqlDatabase } from "../query/database.ts";
import { auditTrail } from "./trail.ts";

/** Records security events, some of them in the background. */
export interface SecurityEventLog extends SecurityEvents {
  /** Starts background recording. `report` receives its failures. */
  start(report: (error: unknown) => void): void;
  /** Resolves once all events so far are in the log. */
  flush(): Promise<void>;
}

/** Records security events of accounts in the audit log. It records that they happened, but never what was chosen. */
export const securityEventLog = (db: SqlDatabase, clock: Clock): SecurityEventLog => {
  const audit = auditTrail(db);
  const pendingWrites = new Set<Promise<void>>();
  let report: (error: unknown) => void = () => {};

  const record: SecurityEvents["record"] = ({ event, concerned, by, details }) =>
    db.write((tx) =>
      audit(tx, {
        at: clock.now(),
        by,
        action: event,
        resourceId: concerned.id,
        dealerId: concerned.dealerId,
        before: null,
        after: details ?? null,
        recordName: concerned.name,
      }),
    );

  return {
    record,
    recordInBackground(securityEvent) {
      const writing = record(securityEvent)
        .catch((error) => report(error))
        .finally(() => pendingWrites.delete(writing));
      pendingWrites.add(writing);
    },
    start(onFailure) {
      report = onFailure;
    },
    flush: async () => void (await Promise.all(pendingWrites)),
  };
};
