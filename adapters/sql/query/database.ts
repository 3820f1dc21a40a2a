import type { Dialect, Kysely, RawBuilder, SqlBool } from "kysely";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type { Engine, LargeIndex } from "../../../migrations/migration.ts";
import type { SqlValue, Statement } from "./statement.ts";
import type { Tables } from "./tables.ts";

/** Values for the named parameters of a statement. */
export type Values = Readonly<Record<string, SqlValue>>;

/** Runs statements, on their own or inside one transaction. */
export interface Sql {
  /** Returns every row. SQLite answers or throws synchronously, PostgreSQL asynchronously. */
  all<Row>(statement: Statement<Row>, values: Values): MaybePromise<readonly Row[]>;
}

/** The time limit of the request that the work is done for. */
export interface Deadline {
  /**
   * Who asked for the work, as requests are counted for their limit, with the dealer before it if it is bound to one:
   * what waits for its turn is shared out fairly among dealers, and among the callers of each (see FairQueue).
   */
  readonly caller: string;
  /** True once nobody waits for the result: skip pending work. It costs time: do not call it per statement. */
  isOver(): boolean;
  /** Call this right before a change begins. If it returns false, the request timed out and must change nothing. */
  beginChange(): boolean;
  /** Call this after a change is made: the rest of the request then runs to its end, even after the deadline. */
  changeMade(): void;
}

/** The deadline of the request that is being processed, if there is one. */
export type CurrentDeadline = () => Deadline | undefined;

export const NO_DEADLINE: CurrentDeadline = () => undefined;

/** The error for work that is skipped because nobody waits for its result any more. */
export const requestAbandoned = (): DatabaseUnavailable =>
  new DatabaseUnavailable("not begun: the time for the request is over, or its client has gone away");

/** Which rule of the schema a statement broke. */
export type Violation = "foreign-key" | "unique";

/** The database is out of reach, too busy or full; the request is not at fault. Answered as 503. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  /** True when it is not known whether the requested change was made. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, options: { readonly cause?: unknown; readonly outcomeUnknown?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

/** A database: what the repositories need, and the few things in which the engines differ. */
export interface SqlDatabase extends Sql {
  readonly engine: Engine;
  /** Returns the first row of a SELECT, or `null`; synchronous where `all` is. */
  first<Row>(statement: Statement<Row>, values: Values): MaybePromise<Row | null>;
  /** How Kysely compiles statements for this engine. */
  readonly dialect: Dialect;
  /** Builds and compiles statements; it cannot run them. */
  readonly build: Kysely<Tables>;
  /**
   * Runs `work` in one transaction, isolated from unfinished changes of others. The changes are on disk when the
   * promise resolves and are rolled back when it rejects. `work` must await nothing but `sql`.
   */
  write<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Runs one statement as a transaction of its own; the change is on disk when the promise resolves. */
  writeOne<Row>(statement: Statement<Row>, values: Values): Promise<readonly Row[]>;
  /** Like `write`, without a time limit: for commands, not for requests. */
  writeWithoutTimeout<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Runs `work` on one read-only snapshot, without a time limit: for commands. */
  snapshot<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` on one read-only snapshot, on a separate connection: for exports. Each statement has the time limit of
   * a request; the whole work has none. On SQLite the statements run on the main thread. An in-memory database has one
   * connection and therefore no snapshot: each statement sees what is committed when it runs.
   */
  exportSnapshot<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * Runs SQL texts in one transaction, excluding migrations of all other processes. `work` is restarted when others
   * hold a table.
   */
  migrate(work: (run: (text: string) => Promise<readonly Record<string, SqlValue>[]>) => Promise<void>): Promise<void>;
  /**
   * Creates the indexes that are missing. On PostgreSQL, unless it is behind a pooler, others can read and change the
   * tables meanwhile. The next call continues an interrupted one. Throws DatabaseUnavailable if a table stays locked.
   */
  addIndexes(indexes: readonly LargeIndex[]): Promise<void>;
  /** The rule a failed statement broke; `null` for any other error. */
  violation(error: unknown): Violation | null;
  /** Cents as currency units: a number that JSON prints as JavaScript does. */
  centsToUnits(cents: RawBuilder<number>): RawBuilder<number>;
  /** A row as one JSON text: these fields in this order, byte for byte as JSON.stringify writes them. */
  jsonObject(fields: Readonly<Record<string, RawBuilder<unknown>>>): RawBuilder<string>;
  /** `now`, or one millisecond after the column's value if that is later, so that the column strictly grows. */
  nextTimestamp(column: string, now: RawBuilder<string>): RawBuilder<string>;
  /** True if a text contains a part literally; neither is a pattern. */
  contains(text: RawBuilder<string>, part: RawBuilder<string>): RawBuilder<SqlBool>;
  /**
   * True if a word of a lower-case text begins with a part of letters and digits only. Letters beyond ASCII count as
   * word separators.
   */
  beginsWord(text: RawBuilder<string>, part: RawBuilder<string>): RawBuilder<SqlBool>;
  /** A text column that contains JSON, as a JSON value. */
  asJson(column: string): RawBuilder<unknown>;
  /** True if one statement can contain several changes (WITH … RETURNING), which saves round trips to the server. */
  readonly hasWritableCtes: boolean;
  /** Locks the rows of a SELECT until the transaction ends; empty on engines with one writer. */
  readonly forUpdate: RawBuilder<unknown>;
  /**
   * The same for rows whose id does not change: new records may refer to them meanwhile. Writers of vehicles lock the
   * dealer's counts before they refer to the dealer, so a full lock could deadlock with them.
   */
  readonly forNoKeyUpdate: RawBuilder<unknown>;
  /** Begins a change of access: such transactions run one after another. Locks no row; a no-op with one writer. */
  readonly accessLock: RawBuilder<object>;
  /** Prevents the rows of a SELECT from being deleted until the transaction ends; empty on engines with one writer. */
  readonly forKeyShare: RawBuilder<unknown>;
  /** A table from a parameter's JSON text: an array of rows, each an array of values in the order of these columns. */
  jsonRows(text: RawBuilder<string>, columns: Readonly<Record<string, "text" | "integer">>): RawBuilder<unknown>;
  /**
   * Runs SELECTs that may take long, so that nothing else waits for them. On SQLite each runs on another thread with
   * its own connection, and sees everything committed before it starts; as many run at once as there are processors. An
   * in-memory database has one connection and runs them like other reads. On PostgreSQL they get half of the
   * connections, and one caller a quarter; the statement timeout applies. Others wait, fairly among callers, and get
   * DatabaseUnavailable after 2 seconds. So a request begins one after another: on a small machine its second one would
   * wait for its own first one.
   */
  readonly longReads: Sql;
  /** Fails when the database does not answer. */
  ping(): Promise<void>;
  /** How many connections are busy, how many are idle, and how many reads and changes wait for one. */
  connections(): { readonly used: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}
