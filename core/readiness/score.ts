import type { ReadinessIssue, Severity } from "./issue.ts";

/** What an error and a warning take from the 100 of a vehicle. */
const POINTS: Readonly<Record<Severity, number>> = { error: 25, warning: 10 };

/** How good the listing of a vehicle is: from 0 to 100, of which each error takes 25 and each warning 10. */
export const scoreOf = (issues: readonly Pick<ReadinessIssue, "severity">[]): number =>
  Math.max(
    0,
    issues.reduce((left, { severity }) => left - POINTS[severity], 100),
  );
