import { shortened } from "./text.ts";

/** One invalid field of an input: its path (`price`, `hours.monday`) and what is wrong with it. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The maximum number of issues that an error lists. It only counts the others. */
const MAX_ISSUES = 50;
/** The maximum length of a field name in an error. Clients may send names of any length. */
const MAX_NAME = 100;

/** Collects the issues of an input. It keeps the first 50 and counts the others. */
export class Issues {
  private readonly kept: Issue[] = [];
  private count = 0;

  add(path: string, message: string): void {
    this.count++;
    if (this.kept.length < MAX_ISSUES) this.kept.push({ path: shortened(path, MAX_NAME), message });
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
