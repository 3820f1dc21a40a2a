import { type Stats, statSync } from "node:fs";
import { DatabaseUnavailable } from "./database.ts";

/** Hears what becomes of the files of an open database. */
export interface PlaceListener {
  /** Once, when a file is not at its path any more; `fault` says which, and what is there instead. */
  lost(fault: string): void;
  /** The same files are back at their paths. */
  regained(): void;
}

/** What tells a file from any other that comes to stand at its path. */
type Identity = Pick<Stats, "dev" | "ino">;

const LOOK_MS = 250;
/** The database, its log, and the index of its log: with another one of any of them nobody else finds what is written. */
const COMPANIONS = ["", "-wal", "-shm"] as const;
/** Those that hold what was committed. */
const COMMITTED = COMPANIONS.slice(0, 2);

/**
 * Watches that the files which a database has open are those at its path. SQLite goes on writing into files that were
 * removed or replaced, where nobody finds it: what is committed is confirmed here before it is acknowledged, which costs
 * 3 µs for each group of writes, and a timer notices for those who only read. With the same files back at their paths
 * all goes on; other files there need a new start.
 */
export class SqlitePlace {
  /** True while what is at the path is not what is open. */
  isLost = false;
  private readonly known = new Map<string, Identity>();
  private timer: Timer | undefined;
  /** Set once the content is gone from the open file itself: nothing brings that back. */
  private isEmptied = false;

  constructor(
    private readonly file: string,
    private readonly listener: PlaceListener,
  ) {}

  /** To be called once the database is open and was read, when its files are there. */
  start(): void {
    this.look(COMPANIONS);
    this.timer = setInterval(() => this.look(COMPANIONS), LOOK_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Refuses work on files that are known to be lost. */
  demand(): void {
    if (this.isLost) throw new DatabaseUnavailable("SQLite: the database file is not at its path");
  }

  /** To be called between a commit and its acknowledgement: throws when nobody would find what was committed. */
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
    // The index alone tells nothing: whoever looks at fewer files does not say that all are back.
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

/** For a database in memory, or one that nobody watches. */
export const UNHEARD: PlaceListener = { lost() {}, regained() {} };
