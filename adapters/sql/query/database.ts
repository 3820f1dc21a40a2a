import type { RawBuilder, SqlBool } from "kysely";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type { Engine, LargeIndex } from "../../../migrations/migration.ts";
import type { Queries } from "./driver.ts";
import type { SqlValue, Statement, Values } from "./statement.ts";

/** Runs statements. Each is a transaction of its own, or all are part of one transaction. */
export interface Sql {
  /** Returns every row. SQLite answers or throws synchronously, PostgreSQL asynchronously. */
  all<Row, Params extends Values = Values>(
    statement: Statement<Row, Params>,
    values: NoInfer<Params>,
  ): MaybePromise<readonly Row[]>;
  /**
   * Within a change: runs a statement that returns nothing before the commit, once for all that ask for it by the same
   * key, with the values of the first and their number as the parameter `count`. It is missing where each has to be run
   * by itself.
   */
  readonly once?: (key: string, statement: Statement<unknown>, values: Values) => void;
}

/** The transaction of a change: it runs statements, and the queries of Kysely. */
export type Tx = Sql & Queries;

/** Where something is read: it runs statements, and the queries of Kysely. */
export type Reader = Sql & Queries;

/** The columns of a table that is made from a JSON text, with the types of their values. */
type ColumnTypes = Readonly<Record<string, "text" | "integer">>;

/** A row of such a table. */
type JsonRow<Columns extends ColumnTypes> = {
  -readonly [Name in keyof Columns]: Columns[Name] extends "text" ? string : number;
};

/** The time limit of the request that the work is done for. */
export interface Deadline {
  /**
   * The caller who asked for the work, by the name under which their requests are counted. If the caller is bound to a
   * dealer, the name begins with the dealer. Turns are shared out fairly among dealers, and among the callers of each
   * dealer (see FairQueue).
   */
  readonly caller: string;
  /**
   * True if nobody waits for the result any more, so that pending work can be skipped. It takes time: do not call it
   * for each statement.
   */
  isOver(): boolean;
  /**
   * Must be called right before a change begins. If it returns false, the request timed out and must change nothing.
   */
  beginChange(): boolean;
  /** Must be called after a change was made. The request then runs to its end, even after the deadline. */
  changeMade(): void;
}

/** The deadline of the request that is being processed, if there is one. */
export type CurrentDeadline = () => Deadline | undefined;

export const NO_DEADLINE: CurrentDeadline = () => undefined;

/** The error for work that is skipped because nobody waits for its result. */
export const requestAbandoned = (): DatabaseUnavailable =>
  new DatabaseUnavailable("not begun: the time for the request is over, or its client has gone away");

/** The kinds of rules of the schema that a statement can break. */
export type Violation = "foreign-key" | "unique";

/** The database cannot be reached, is too busy, or is full. The request is not at fault. It is answered as 503. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  /** True when it is not known whether the requested change was made. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, options: { readonly cause?: unknown; readonly outcomeUnknown?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

/**
 * A database: what the repositories need from it, and the few things in which the engines differ. A query of Kysely that
 * is built from it is a transaction of its own.
 */
export interface SqlDatabase extends Sql, Queries {
  readonly engine: Engine;
  /** Returns the first row of a SELECT, or `null`. It is synchronous if `all` is. */
  first<Row, Params extends Values = Values>(
    statement: Statement<Row, Params>,
    values: NoInfer<Params>,
  ): MaybePromise<Row | null>;
  /**
   * A number that differs after every commit, whichever process made it. What is read next, in the same turn of the
   * event loop, is of that state. `null` if only a round trip could tell, as on PostgreSQL.
   */
  dataVersion(): number | null;
  /**
   * Resolves after the event loop has done what was waiting, so that other requests can run between the steps of long
   * work. What is read next is read for this work alone: requests see what was committed before they came.
   */
  nextTurn(): Promise<void>;
  /**
   * Calls `changed` with the id of each row of the table that this process changes or deletes, before others see the
   * change. Returns a function that must be called before what was known of a row is used: its number differs after
   * every commit of another process. What is read next, in the same turn of the event loop, is of that state. It
   * returns `null` while nothing may be remembered: on PostgreSQL always, on SQLite during a group of writes.
   */
  watchRows(table: "vehicle_documents", changed: (id: number) => void): () => number | null;
  /**
   * Runs `work` in one transaction, isolated from unfinished changes of others. When the promise resolves, the changes
   * are on disk; if it rejects, they are rolled back. `work` may await nothing but `sql`. With `moreMs` it may take that much
   longer than a statement.
   */
  write<Result>(work: (tx: Tx) => Promise<Result>, moreMs?: number): Promise<Result>;
  /** Runs one statement as a transaction of its own. When the promise resolves, the change is on disk. */
  writeOne<Row, Params extends Values = Values>(
    statement: Statement<Row, Params>,
    values: NoInfer<Params>,
  ): Promise<readonly Row[]>;
  /** Does the same as `write`, without a time limit. It is for commands, not for requests. */
  writeWithoutTimeout<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs `work` on one read-only snapshot, without a time limit. It is for commands. */
  snapshot<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` on one read-only snapshot, on a separate connection. It is for exports. Each statement has the time
   * limit of a request; the whole work has none. On SQLite the statements run on the main thread. An in-memory database
   * has only one connection and therefore no snapshot: each statement sees what is committed when it runs.
   */
  exportSnapshot<Result>(work: (sql: Reader) => Promise<Result>): Promise<Result>;
  /**
   * Runs SQL texts in one transaction, excluding migrations by all other processes. If others hold the lock of a table,
   * `work` is restarted.
   */
  migrate(work: (run: (text: string) => Promise<readonly Record<string, SqlValue>[]>) => Promise<void>): Promise<void>;
  /**
   * Creates the indexes that are missing. On PostgreSQL, unless it is behind a pooler, others can read and change the
   * tables meanwhile. After an interruption, the next call continues. `begun` is called once no other process that
   * creates them is waited for. Throws DatabaseUnavailable if a table stays locked.
   */
  addIndexes(indexes: readonly LargeIndex[], begun: () => void): Promise<void>;
  /** The error of a failed statement, as callers get it: DatabaseUnavailable if the database is not available. */
  errorOf(error: unknown): unknown;
  /** The rule that a failed statement broke; `null` for any other error. */
  violation(error: unknown): Violation | null;
  /** Converts cents to units of the currency, as a number that JSON writes in the same way as JavaScript. */
  centsToUnits(cents: RawBuilder<number>): RawBuilder<number>;
  /** A number that is stored with its fraction, as JSON has it: 77, not 77.0. */
  decimal(stored: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * A row as one JSON text with these fields in this order. It is the same, byte for byte, as JSON.stringify writes it.
   */
  jsonObject(fields: Readonly<Record<string, RawBuilder<unknown>>>): RawBuilder<string>;
  /** `now`, or one millisecond after the column's value if that is later. So the column always increases. */
  nextTimestamp(column: string, now: string | RawBuilder<string>): RawBuilder<string>;
  /** True if a text contains the other one. Neither is a pattern. */
  contains(text: RawBuilder<string>, part: RawBuilder<string>): RawBuilder<SqlBool>;
  /**
   * True if a word of a lower-case text begins with `part`, which has only letters and digits. Letters beyond ASCII
   * count as separators of words.
   */
  beginsWord(text: RawBuilder<string>, part: RawBuilder<string>): RawBuilder<SqlBool>;
  /** A text column that contains JSON, converted to a JSON value. */
  asJson(column: string): RawBuilder<unknown>;
  /** True if one statement can contain several changes (WITH … RETURNING). This saves round trips to the server. */
  readonly hasWritableCtes: boolean;
  /** Locks the rows of a SELECT until the transaction ends. It is empty on engines with only one writer. */
  readonly forUpdate: RawBuilder<unknown>;
  /**
   * The same, except that new records may refer to the rows meanwhile. It is for transactions that do not change the
   * id. Writers of vehicles lock the dealer's counts before they refer to the dealer, so a full lock could deadlock
   * with them.
   */
  readonly forNoKeyUpdate: RawBuilder<unknown>;
  /**
   * Begins a change of access. Such transactions run one after another. It locks no row, and does nothing on engines
   * with only one writer.
   */
  readonly accessLock: RawBuilder<object>;
  /**
   * Prevents that the rows of a SELECT are deleted before the transaction ends. It is empty on engines with only one
   * writer.
   */
  readonly forKeyShare: RawBuilder<unknown>;
  /**
   * A table made from the JSON text of a parameter. The text is an array of rows; each row is an array of values in the
   * order of these columns.
   */
  jsonRows<const Columns extends ColumnTypes>(text: RawBuilder<string>, columns: Columns): RawBuilder<JsonRow<Columns>>;
  /**
   * Runs SELECTs that may take long, so that nothing else waits for them.
   *
   * On SQLite each runs on another thread with its own connection, and sees everything that was committed before it
   * started. As many run at the same time as there are processors. An in-memory database has only one connection and
   * runs them like other reads.
   *
   * On PostgreSQL they may use half of the connections, and one caller a quarter. The statement timeout applies.
   *
   * If no thread or connection is free, they wait, fairly among callers, and fail with DatabaseUnavailable after 2
   * seconds. So a request must run its long reads one after another: on a small machine its second one would have to
   * wait for its first one.
   */
  readonly longReads: Reader;
  /** Rejects if the database does not answer. */
  ping(): Promise<void>;
  /** The numbers of busy connections, of idle connections, and of reads and changes that wait for a connection. */
  connections(): { readonly used: number; readonly idle: number; readonly waiting: number };
  close(): Promise<void>;
}
