import type BetterSqlite3 from "better-sqlite3";

/**
 * One read transaction for all reads in a turn of the event loop. It saves SQLite's locking for each read. It ends with
 * the turn, so that every request sees what any process wrote before the request came. It also ends with each write of
 * this process, so that a completed write is visible at once.
 */
export class TurnSnapshot {
  private readonly begin: BetterSqlite3.Statement;
  private readonly commit: BetterSqlite3.Statement;
  private readonly version: BetterSqlite3.Statement<unknown[], number>;
  private isEnding = false;
  /** A copy of the connection's state, which takes longer to ask for. */
  private isOpen = false;
  /** The version of the data in the open transaction, or in this turn without one; `null` until somebody asks for it. */
  private knownVersion: number | null = null;

  /** `isShared` says that the connection also makes changes, whose transactions are left alone. */
  constructor(
    private readonly connection: BetterSqlite3.Database,
    private readonly isShared = false,
  ) {
    this.begin = connection.prepare("BEGIN");
    this.commit = connection.prepare("COMMIT");
    this.version = connection.prepare<unknown[], number>("PRAGMA data_version").pluck();
  }

  /** Must be called before each read. Returns false if the connection is in the middle of a change. */
  enter(): boolean {
    if (!this.isOpen) {
      const isInTransaction = this.connection.inTransaction;
      if (isInTransaction && this.isShared) return false;
      if (!isInTransaction) this.begin.run();
      this.isOpen = true;
      this.knownVersion = null;
    }
    this.endWithTurn();
    return true;
  }

  /** A number that differs after every commit by another connection. Must be called after `enter`. */
  dataVersion(): number {
    this.knownVersion ??= this.version.get() ?? 0;
    return this.knownVersion;
  }

  /**
   * The same, without a transaction if none is open: to begin and end one would cost twice as much. `null` if the
   * connection is in the middle of a change. Reads of the same turn see what the version stands for, or more.
   */
  dataVersionOfTurn(): number | null {
    if (this.knownVersion === null) {
      if (!this.isOpen && this.isShared && this.connection.inTransaction) return null;
      this.endWithTurn();
    }
    return this.dataVersion();
  }

  end(): void {
    this.knownVersion = null;
    const isOwn = this.isOpen || !this.isShared;
    this.isOpen = false;
    if (!isOwn) return;
    if (this.connection.open && this.connection.inTransaction) this.commit.run();
  }

  /**
   * Ends what the present callback reads together with the callback. The runtime calls those of `setImmediate` before it
   * takes requests, and one that is asked for then only after these: requests would be given what was read before them.
   */
  endWithCallback(): void {
    process.nextTick(() => this.tryToEnd());
  }

  private endWithTurn(): void {
    if (this.isEnding) return;
    this.isEnding = true;
    setImmediate(() => {
      this.isEnding = false;
      this.tryToEnd();
    });
  }

  private tryToEnd(): void {
    try {
      this.end();
    } catch {
      // The error is ignored: the next read fails, too, and reports it.
    }
  }
}
