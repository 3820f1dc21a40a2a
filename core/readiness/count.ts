import { type ReadinessIssue, RULES, type Rule, type Severity } from "./issue.ts";

/** How many vehicles break a rule. */
interface RuleCount {
  readonly rule: Rule;
  readonly severity: Severity;
  readonly field: string | null;
  readonly count: number;
  /** Of the rule in general. */
  readonly message: string;
  readonly fix: string;
}

/** What there is to say of many vehicles. */
export interface ReadinessCounts {
  /** Vehicles without an error, and those with one. */
  readonly ready: number;
  readonly blocked: number;
  /** Vehicles without an error, but with a warning. */
  readonly warned: number;
  /** Errors first, then what most vehicles have. */
  readonly rules: readonly RuleCount[];
}

const order = (one: RuleCount, other: RuleCount): number =>
  one.severity.localeCompare(other.severity) || other.count - one.count || one.rule.localeCompare(other.rule);

/** Counts vehicles by the rules that they break. A vehicle counts once for each rule and field. */
export const countReadiness = () => {
  const rules = new Map<string, { rule: Rule; severity: Severity; field: string | null; count: number }>();
  let [ready, blocked, warned] = [0, 0, 0];
  return {
    /** All issues of one vehicle. */
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
