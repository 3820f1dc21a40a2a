import type { ReadinessIssue, Severity } from "../channels/issue.ts";

/** The points that an error and a warning take from the score, which begins at 100. */
const POINTS: Readonly<Record<Severity, number>> = { error: 25, warning: 10 };

/** The score of a vehicle's listing, from 0 to 100: each error takes 25 points and each warning 10. */
export const scoreOf = (issues: readonly Pick<ReadinessIssue, "severity">[]): number =>
  Math.max(
    0,
    issues.reduce((left, { severity }) => left - POINTS[severity], 100),
  );
