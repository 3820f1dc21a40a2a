/** One offending field of an input: its path (`price`, `hours.monday`) and its fault. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** An error names this many issues, and gives the number of the others. */
const MAX_ISSUES = 50;
/** Clients may invent field names; longer ones are cut to this many characters. */
const MAX_NAME = 100;

/** A name as an error shows it: at most 100 characters. */
const shortened = (name: string): string => {
  if (name.length <= MAX_NAME) return name;
  const start = name.slice(0, MAX_NAME);
  // Never cut a character of two units in half.
  return `${start.isWellFormed() ? start : start.slice(0, -1)}…`;
};

/** Collects the issues of an input. Keeps the first 50 and counts the others. */
export class Issues {
  private readonly kept: Issue[] = [];
  private count = 0;

  add(path: string, message: string): void {
    this.count++;
    if (this.kept.length < MAX_ISSUES) this.kept.push({ path: shortened(path), message });
  }

  storeAll(issues: readonly Issue[]): void {
    for (const { path, message } of issues) this.add(path, message);
  }

  get list(): readonly Issue[] {
    return this.kept;
  }

  /** The number of issues that are not in `list`. */
  get omitted(): number {
    return this.count - this.kept.length;
  }
}
