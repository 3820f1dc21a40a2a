import type { Clock } from "../../../core/clock.ts";
import type { SecurityEvents } from "../../../core/sign-in/security-events.ts";
import type { SqlDatabase } from "../query/database.ts";
import { auditTrail } from "./trail.ts";

/** Records events, some of them in the background. */
export interface RecordedEvents extends SecurityEvents {
  /** `report` receives what could not be recorded in the background. */
  start(report: (error: unknown) => void): void;
  /** Resolves once everything noted so far is in the log. */
  flush(): Promise<void>;
}

/** Records security events of accounts in the audit log: that they happened, never what was chosen. */
export const recordedEvents = (db: SqlDatabase, clock: Clock): RecordedEvents => {
  const audit = auditTrail(db);
  const underWay = new Set<Promise<void>>();
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
    recordInBackground(happening) {
      const writing = record(happening)
        .catch((error) => report(error))
        .finally(() => underWay.delete(writing));
      underWay.add(writing);
    },
    start(hearing) {
      report = hearing;
    },
    flush: async () => void (await Promise.all(underWay)),
  };
};
