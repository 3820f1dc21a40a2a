import { makeDenialLog } from "../../adapters/sql/audit/denials.ts";
import { securityEventLog } from "../../adapters/sql/audit/security-events.ts";
import { type Feature, reportingFailures } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** Who callers are, and the record of what they were denied and of how they signed in. */
export const wireAccess = ({ db, clock, cache, users, keys, dealers }: Shared) => {
  const denials = makeDenialLog(db, clock);
  const events = securityEventLog(db, clock);
  return {
    uses: { cache, denials, events, firstKeys: keys, repositories: { users, keys, dealers } },
    works: [
      reportingFailures(cache),
      reportingFailures({ start: events.start, stop: events.flush }),
      reportingFailures(denials),
    ],
  } satisfies Feature;
};
