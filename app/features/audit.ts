import { auditRoutes } from "../../adapters/http/api/audit.ts";
import type { DenialLog } from "../../adapters/sql/audit/denials.ts";
import { makeAuditLog } from "../../adapters/sql/audit/log.ts";
import type { SecurityEventLog } from "../../adapters/sql/audit/security-events.ts";
import { makeAudit } from "../../core/audit/audit.ts";
import type { Names } from "../../core/names/names.ts";
import type { Feature, Http } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** Whose entries are waiting to be written. */
interface Writers {
  readonly denials: DenialLog;
  readonly events: SecurityEventLog;
}

/** The audit log. What is not yet written of it is written before it is read. */
export const wireAudit = ({ db, clock, shown }: Shared, names: Names, { denials, events }: Writers) => {
  const flush = async (): Promise<void> => void (await Promise.all([denials.flush(), events.flush()]));
  const audit = makeAudit({ log: makeAuditLog(db, shown), denials: { flush }, clock });
  return { uses: { audit }, routes: ({ cursors }: Http) => auditRoutes(audit, names, cursors) } satisfies Feature;
};
