import type { Outcome } from "./program.ts";

/** One vehicle as the answers describe it. */
export interface Entry {
  readonly vin: string;
  /** `null` until its creation is acknowledged. */
  id: number | null;
  existence: "there" | "not there" | "unknown";
  /** The stock numbers it may have: the acknowledged one, and those of later changes without an answer. */
  stockNumbers: Set<string>;
}

/** Records every answer: the acknowledged changes, and answers that should never occur. */
export class Ledger {
  readonly entries: Entry[] = [];
  /** Answers that no fault excuses. */
  readonly wrongs: string[] = [];
  readonly counts = new Map<string, number>();

  /** The number of answers so far. */
  get answers(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Records an answer. Returns whether the change was made. */
  record(what: string, outcome: Outcome, expected: number): "made" | "not made" | "unknown" {
    const key = `${outcome.status} ${outcome.code}`.trim();
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    if (outcome.status === expected) return "made";
    if (outcome.status !== 503) this.wrongs.push(`${what} was answered ${key}: ${JSON.stringify(outcome.body)}`);
    else if (outcome.retryAfter === null) this.wrongs.push(`${what} was answered 503 without Retry-After`);
    return outcome.code === "outcome_unknown" ? "unknown" : "not made";
  }

  /** Records a request that got no answer. */
  recordBroken(what: string, error: unknown): void {
    this.wrongs.push(`${what} had no answer: ${error}`);
  }

  /** Compares the records with the existing vehicles. Returns every difference. */
  differencesFrom(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
    const found = new Map(rows.map((row) => [row.vin, row]));
    const differences: string[] = [];
    for (const { vin, existence, stockNumbers } of this.entries) {
      const row = found.get(vin);
      if (existence === "there" && row === undefined) differences.push(`${vin} was acknowledged and is lost`);
      if (existence === "not there" && row !== undefined) differences.push(`${vin} should not be there`);
      if (row !== undefined && existence !== "unknown" && !stockNumbers.has(String(row.stock_number)))
        differences.push(`${vin} has ${row.stock_number}, not one of ${[...stockNumbers]}`);
    }
    return differences;
  }
}
