import { type ReadinessIssue, RULES, type Rule, type Severity } from "../channels/issue.ts";

/** The number of vehicles that break a rule. */
interface RuleCount {
  readonly rule: Rule;
  readonly severity: Severity;
  readonly field: string | null;
  readonly count: number;
  /** The text of the rule in general, whatever the vehicle. */
  readonly message: string;
  readonly fix: string;
}

/** What was found about many vehicles. */
export interface ReadinessCounts {
  /** The number of vehicles without an error, and of those with one. */
  readonly ready: number;
  readonly blocked: number;
  /** The number of vehicles with a warning but no error. */
  readonly warned: number;
  /** Rules whose violations are errors come first, then those that most vehicles break. */
  readonly rules: readonly RuleCount[];
}

const order = (one: RuleCount, other: RuleCount): number =>
  one.severity.localeCompare(other.severity) || other.count - one.count || one.rule.localeCompare(other.rule);

/** Counts vehicles by the rules that they break. A vehicle counts at most once for each rule and field. */
export const countReadiness = () => {
  const rules = new Map<string, { rule: Rule; severity: Severity; field: string | null; count: number }>();
  let [ready, blocked, warned] = [0, 0, 0];
  return {
    /** Adds all issues of one vehicle. */
    add(issues: readonly Pick<ReadinessIssue, "rule" | "severity" | "field">[]): void {
      const seen = new Set<string>();
      for (const { rule, severity, field } of issues) {
        const key = `${rule} ${severity} ${field}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const counted = rules.get(key);
        if (counted === undefined) rules.set(key, { rule, severity, field, count: 1 });
        else counted.count++;
      }
      if (issues.some(({ severity }) => severity === "error")) blocked++;
      else ready++;
      if (issues.length > 0 && issues.every(({ severity }) => severity === "warning")) warned++;
    },

    counts: (): ReadinessCounts => ({
      ready,
      blocked,
      warned,
      rules: [...rules.values()].map((counted) => ({ ...counted, ...RULES[counted.rule] })).sort(order),
    }),
  };
};
