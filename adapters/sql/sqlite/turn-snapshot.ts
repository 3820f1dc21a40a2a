import type BetterSqlite3 from "better-sqlite3";

/**
 * One read transaction for all reads in a turn of the event loop. It saves SQLite's locking for each read. It ends with
 * the turn, so that every request sees what any process wrote before the request came. It also ends with each write of
 * this process, so that a completed write is visible at once.
 */
export class TurnSnapshot {
  private readonly begin: BetterSqlite3.Statement;
  private readonly commit: BetterSqlite3.Statement;
  private isEnding = false;
  /** A copy of the connection's state, which takes longer to ask for. */
  private isOpen = false;

  constructor(private readonly connection: BetterSqlite3.Database) {
    this.begin = connection.prepare("BEGIN");
    this.commit = connection.prepare("COMMIT");
  }

  /** Must be called before each read. */
  enter(): void {
    if (!this.isOpen) {
      if (!this.connection.inTransaction) this.begin.run();
      this.isOpen = true;
    }
    if (this.isEnding) return;
    this.isEnding = true;
    setImmediate(() => {
      this.isEnding = false;
      try {
        this.end();
      } catch {
        // The error is ignored: the next read fails, too, and reports it.
      }
    });
  }

  end(): void {
    this.isOpen = false;
    if (this.connection.open && this.connection.inTransaction) this.commit.run();
  }
}
