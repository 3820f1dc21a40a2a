import type BetterSqlite3 from "better-sqlite3";

/**
 * One read transaction for all reads of a turn of the event loop, which saves SQLite's locking for each read. It ends
 * with the turn, so that every request sees what any process wrote before it came; and with each write of this process,
 * so that a completed write is visible at once.
 */
export class TurnSnapshot {
  private readonly begin: BetterSqlite3.Statement;
  private readonly commit: BetterSqlite3.Statement;
  private isEnding = false;
  /** Mirrors the connection's own state, which is slower to ask for. */
  private isOpen = false;

  constructor(private readonly connection: BetterSqlite3.Database) {
    this.begin = connection.prepare("BEGIN");
    this.commit = connection.prepare("COMMIT");
  }

  /** Call this before each read. */
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
        // Ignored: the next read fails too, and reports the error.
      }
    });
  }

  end(): void {
    this.isOpen = false;
    if (this.connection.open && this.connection.inTransaction) this.commit.run();
  }
}
