/** One offending field of an input: where it is (`price`, `hours.monday`) and what is wrong with it. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** So many issues are named; of the others an error says how many there are. */
const MAX_ISSUES = 50;
/** A client names fields as it likes; of longer names so many characters are shown. */
const MAX_NAME = 100;

/** A name as an error shows it: up to 100 characters, the rest cut off. */
const shown = (name: string): string => {
  if (name.length <= MAX_NAME) return name;
  const start = name.slice(0, MAX_NAME);
  // Never half of a character that takes two units.
  return `${start.isWellFormed() ? start : start.slice(0, -1)}…`;
};

/** Collects what is wrong with an input. It keeps the first 50 issues and counts the others, however many there are. */
export class Issues {
  private readonly kept: Issue[] = [];
  private count = 0;

  add(path: string, message: string): void {
    this.count++;
    if (this.kept.length < MAX_ISSUES) this.kept.push({ path: shown(path), message });
  }

  addAll(issues: readonly Issue[]): void {
    for (const { path, message } of issues) this.add(path, message);
  }

  get list(): readonly Issue[] {
    return this.kept;
  }

  /** How many issues there are besides those in `list`. */
  get omitted(): number {
    return this.count - this.kept.length;
  }
}
