import type BetterSqlite3 from "better-sqlite3";
import { TurnSnapshot } from "./turn-snapshot.ts";

/** A connection, and what runs statements on it. */
interface Place<Statements> {
  readonly connection: BetterSqlite3.Database;
  readonly statements: Statements;
}

/**
 * Reads of what is committed. Between two groups of writes they run on the connection that writes: it still has the
 * pages in memory, while any other connection has to read them again after every commit. During a group, they run on a
 * connection of their own, so that they see nothing unfinished.
 */
export class CommittedReads<Statements> {
  private readonly own: TurnSnapshot;
  private readonly aside: TurnSnapshot;
  private isWriting = false;
  private groups = 0;
  /** What `version` stands for. */
  private seen = { groups: 0, data: 0 };
  private version = 0;

  constructor(
    private readonly writer: Place<Statements>,
    private readonly reader: Place<Statements>,
  ) {
    this.own = new TurnSnapshot(writer.connection, true);
    this.aside = new TurnSnapshot(reader.connection);
  }

  run<Result>(read: (statements: Statements) => Result): Result {
    try {
      if (this.entersOwn()) return read(this.writer.statements);
    } catch {
      // The connection that writes does not wait for the locks of other processes; the other one does. It begins anew, so
      // that it sees at least what the version stands for that was asked for before.
      this.aside.end();
    }
    this.aside.enter();
    return read(this.reader.statements);
  }

  /** A number that differs after every commit of any process; `null` during a group of writes. */
  dataVersion(): number | null {
    if (!this.entersOwn()) return null;
    const { groups } = this;
    const data = this.own.dataVersion();
    // The connection does not count its own commits.
    if (groups !== this.seen.groups || data !== this.seen.data) {
      this.seen = { groups, data };
      this.version++;
    }
    return this.version;
  }

  /**
   * A number that differs after every commit of another process; `null` during a group of writes. Before it is asked for
   * the first time, `prepare` is called outside of all transactions.
   */
  othersVersion(prepare: (() => void) | null): number | null {
    if (this.isWriting) return null;
    if (prepare !== null) {
      this.own.end();
      prepare();
    }
    return this.own.dataVersionOfTurn();
  }

  /** Must be called right before a group of writes begins. */
  groupBegins(): void {
    this.isWriting = true;
    this.groups++;
    try {
      this.own.end();
    } catch {
      // The group itself ends what is left of a transaction.
    }
  }

  /** Must be called after a commit. Later reads of the same turn see it. */
  committed(): void {
    this.aside.end();
  }

  /** Must be called after a group of writes, whatever became of it. What its callers read next is read for them alone. */
  groupEnds(): void {
    this.isWriting = false;
    this.own.endWithCallback();
  }

  /** Must be called in a callback of `setImmediate` that reads. What it reads is read for it alone. */
  endWithCallback(): void {
    this.own.endWithCallback();
    this.aside.endWithCallback();
  }

  private entersOwn(): boolean {
    return !this.isWriting && this.own.enter();
  }
}
