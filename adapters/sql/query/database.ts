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
   * what waits for its turn is shared out fairly among dealers, and among the callers of each (see FairLine).
   */
  readonly askedBy: string;
  /**
   * True once nobody waits for the result, so that pending work can be skipped. Not free: do not call it for every
   * statement.
   */
  isOver(): boolean;
  /** Call this right before a change begins. False: the request's time is over, and the change must not begin. */
  begin(): boolean;
  /** Call this when a change was made: what else belongs to the request is made, too, however late it is. */
  made(): void;
}

/** The deadline of the request that is being processed, if there is one. */
export type CurrentDeadline = () => Deadline | undefined;

export const NO_DEADLINE: CurrentDeadline = () => undefined;

/** The error for work that is refused because nobody waits for it any more. */
export const requestAbandoned = (): DatabaseUnavailable =>
  new DatabaseUnavailable("not begun: the time for the request is over, or its client has gone away");

/** Which rule of the schema a statement broke. */
export type Violation = "foreign-key" | "unique";

/** The database is out of reach, too busy or full; the request is not at fault. Answered as 503. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  /** True when a change was asked for and it is not known whether it was made. */
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
  writeLong<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Runs `work` on one read-only snapshot, without a time limit: for commands. */
  snapshot<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` on one read-only snapshot, on a connection of its own beside the others: for exports. Each statement has
   * the limit of requests, all together have none. On SQLite the statements run on the thread of the requests. In memory
   * there is one connection only, so that there is no snapshot: each statement sees what is committed by then.
   */
  snapshotBeside<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * Runs SQL texts in one transaction, excluding migrations of all other processes. `work` is restarted when others
   * hold a table.
   */
  migrate(work: (run: (text: string) => Promise<readonly Record<string, SqlValue>[]>) => Promise<void>): Promise<void>;
  /**
   * Makes the indexes that are not there; on PostgreSQL, unless it is behind a pooler, while others read and change the
   * tables. Where that was interrupted, the next call goes on. Throws DatabaseUnavailable if others hold a table too long.
   */
  addIndexes(indexes: readonly LargeIndex[]): Promise<void>;
  /** The rule a failed statement broke; `null` for any other error. */
  violation(error: unknown): Violation | null;
  /** Cents as currency units: a number that JSON prints as JavaScript does. */
  units(cents: RawBuilder<number>): RawBuilder<number>;
  /** A row as one JSON text: these fields in this order, to the byte as JSON.stringify would write them. */
  json(fields: Readonly<Record<string, RawBuilder<unknown>>>): RawBuilder<string>;
  /** `now`, or one millisecond after the column's value if that is later, so that the column strictly grows. */
  nextMoment(column: string, now: RawBuilder<string>): RawBuilder<string>;
  /** True if a text has a part anywhere, to the letter: neither has patterns. */
  contains(text: RawBuilder<string>, part: RawBuilder<string>): RawBuilder<SqlBool>;
  /**
   * True if a word of a text in lower case begins with a part, which must have letters and digits alone. Letters beyond
   * ASCII in the text separate words, too.
   */
  beginsWord(text: RawBuilder<string>, part: RawBuilder<string>): RawBuilder<SqlBool>;
  /** A text column that holds JSON, as JSON. */
  parsed(column: string): RawBuilder<unknown>;
  /** True if one statement can contain several changes (WITH … RETURNING), which saves round trips. */
  readonly chains: boolean;
  /** Locks the rows of a SELECT until the transaction ends; empty on engines with one writer. */
  readonly lockRows: RawBuilder<unknown>;
  /**
   * The same for rows whose number stays: records may refer to them meanwhile. Whoever writes a vehicle has its dealer's
   * counts before it refers to the dealer.
   */
  readonly changeRows: RawBuilder<unknown>;
  /** Serializes the transactions that begin with it, without locking a row; a no-op on engines with one writer. */
  readonly turn: RawBuilder<object>;
  /** Prevents the rows of a SELECT from being deleted until the transaction ends; empty on engines with one writer. */
  readonly keepRows: RawBuilder<unknown>;
  /** A table of the rows in a parameter's JSON text: a list of lists, in the order of these columns. */
  rows(text: RawBuilder<string>, columns: Readonly<Record<string, "text" | "integer">>): RawBuilder<unknown>;
  /**
   * Runs SELECTs that may take long, so that nothing else waits for them. On SQLite on another thread, with a
   * connection of its own: it sees all that was committed before it begins. At most as many run at once as there are
   * processors; in memory there is one connection only, so that they run like others. On PostgreSQL, within the limit
   * for statements, half of the connections are for them, and a quarter for those of one caller. The others wait,
   * fairly among callers, and get DatabaseUnavailable after 2 seconds.
   */
  readonly aside: Sql;
  /** Fails when the database does not answer. */
  ping(): Promise<void>;
  /** How many connections are busy, how many are idle, and how many reads and changes wait for one. */
  connections(): { readonly used: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}
