import { type Stats, statSync } from "node:fs";
import { DatabaseUnavailable } from "../query/database.ts";

/** Is told when the files of an open database are lost, and when they are back. */
export interface DatabaseFileListener {
  /** Is called once if a file is no longer at its path. `fault` names the file, and says what is there instead. */
  lost(fault: string): void;
  /** Is called when the same files are back at their paths. */
  regained(): void;
}

/** Identifies a file, whatever its path. */
type Identity = Pick<Stats, "dev" | "ino">;

const CHECK_MS = 250;
/**
 * The suffixes of the database, its log, and the index of the log. If one of these files is replaced, other programs do
 * not see what this one writes.
 */
const SUFFIXES = ["", "-wal", "-shm"] as const;
/** The suffixes of the files that contain committed data. */
const COMMITTED_SUFFIXES = SUFFIXES.slice(0, 2);

/**
 * Checks that the open files of a database are still the ones at their paths. SQLite would continue writing to files
 * that were removed or replaced, and the data would be lost. So every group of writes is checked before it is
 * acknowledged, and a timer checks for reads. Work continues when the same files are back. With other files, a restart
 * is needed.
 */
export class DatabaseFileWatch {
  /** True while the files at the paths are not the ones that are open. */
  isLost = false;
  private readonly openFiles = new Map<string, Identity>();
  private timer: Timer | undefined;
  /** True if the open file itself was emptied. This cannot be undone. */
  private isEmptied = false;

  constructor(
    private readonly file: string,
    private readonly listener: DatabaseFileListener,
  ) {}

  /** Must be called once the database is open and was read, as all its files exist then. */
  start(): void {
    this.check(SUFFIXES);
    this.timer = setInterval(() => this.check(SUFFIXES), CHECK_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Throws if the files are known to be lost. */
  requirePresent(): void {
    if (this.isLost) throw new DatabaseUnavailable("SQLite: the database file is not at its path");
  }

  /**
   * Must be called between a commit and its acknowledgement. Throws if the committed data cannot be found at the paths.
   */
  verifyAfterCommit(): void {
    this.check(COMMITTED_SUFFIXES);
    if (this.isLost)
      throw new DatabaseUnavailable("SQLite: the database file was not at its path after a commit", {
        outcomeUnknown: true,
      });
  }

  private check(companions: readonly string[]): void {
    let fault: string | null = null;
    for (const companion of companions) fault ??= this.faultOf(companion);
    if (fault !== null && !this.isLost) {
      this.isLost = true;
      this.listener.lost(fault);
    }
    // Only a check of all files can show that all of them are back.
    if (fault === null && this.isLost && companions === SUFFIXES) {
      this.isLost = false;
      this.listener.regained();
    }
  }

  private faultOf(companion: string): string | null {
    const path = `${this.file}${companion}`;
    let found: Stats | undefined;
    try {
      found = statSync(path, { throwIfNoEntry: false });
    } catch (error) {
      return `${path} cannot be looked at: ${error instanceof Error ? error.message : String(error)}`;
    }
    const known = this.openFiles.get(companion);
    if (found === undefined) return known === undefined ? null : `${path} was removed`;
    if (known === undefined) this.openFiles.set(companion, { dev: found.dev, ino: found.ino });
    else if (known.ino !== found.ino || known.dev !== found.dev) return `${path} was replaced by another file`;
    if (companion === "" && found.size === 0) this.isEmptied = true;
    return companion === "" && this.isEmptied ? `${path} was emptied` : null;
  }
}

/** Ignores all calls. It is for an in-memory database, or for callers without a listener. */
export const NO_LISTENER: DatabaseFileListener = { lost() {}, regained() {} };
