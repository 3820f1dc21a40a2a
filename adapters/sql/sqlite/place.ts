import { type Stats, statSync } from "node:fs";
import { DatabaseUnavailable } from "../query/database.ts";

/** Receives what happens to the files of an open database. */
export interface PlaceListener {
  /** Called once when a file is no longer at its path; `fault` says which, and what is there instead. */
  lost(fault: string): void;
  /** Called when the same files are back at their paths. */
  regained(): void;
}

/** Identifies a file, whatever its path. */
type Identity = Pick<Stats, "dev" | "ino">;

const LOOK_MS = 250;
/** The database, its log, and the log's index. If any of them is replaced, nobody else sees what is written. */
const COMPANIONS = ["", "-wal", "-shm"] as const;
/** The files that contain committed data. */
const COMMITTED = COMPANIONS.slice(0, 2);

/**
 * Checks that the open database files are still those at their paths. SQLite goes on writing into files that were
 * removed or replaced, where nobody finds the data. So each group of writes is checked before it is acknowledged, and a
 * timer checks for readers. Work resumes when the same files are back; other files need a restart.
 */
export class SqlitePlace {
  /** True while the files at the paths are not the open ones. */
  isLost = false;
  private readonly known = new Map<string, Identity>();
  private timer: Timer | undefined;
  /** Set once the open file itself was emptied: nothing restores it. */
  private isEmptied = false;

  constructor(
    private readonly file: string,
    private readonly listener: PlaceListener,
  ) {}

  /** Call this once the database is open and was read, when all its files exist. */
  start(): void {
    this.look(COMPANIONS);
    this.timer = setInterval(() => this.look(COMPANIONS), LOOK_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Throws if the files are known to be lost. */
  demand(): void {
    if (this.isLost) throw new DatabaseUnavailable("SQLite: the database file is not at its path");
  }

  /** Call this between a commit and its acknowledgement. Throws if nobody would find what was committed. */
  confirm(): void {
    this.look(COMMITTED);
    if (this.isLost)
      throw new DatabaseUnavailable("SQLite: the database file was not at its path after a commit", {
        outcomeUnknown: true,
      });
  }

  private look(companions: readonly string[]): void {
    let fault: string | null = null;
    for (const companion of companions) fault ??= this.faultOf(companion);
    if (fault !== null && !this.isLost) {
      this.isLost = true;
      this.listener.lost(fault);
    }
    // Only a check of all files can tell that all are back.
    if (fault === null && this.isLost && companions === COMPANIONS) {
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
    const known = this.known.get(companion);
    if (found === undefined) return known === undefined ? null : `${path} was removed`;
    if (known === undefined) this.known.set(companion, { dev: found.dev, ino: found.ino });
    else if (known.ino !== found.ino || known.dev !== found.dev) return `${path} was replaced by another file`;
    if (companion === "" && found.size === 0) this.isEmptied = true;
    return companion === "" && this.isEmptied ? `${path} was emptied` : null;
  }
}

/** For a database in memory, or without a listener. */
export const NO_LISTENER: PlaceListener = { lost() {}, regained() {} };
