import type { Kysely, RawBuilder } from "kysely";
import type { Later } from "../../core/later.ts";
import type { Engine } from "../../migrations/migration.ts";
import type { SqlValue, Statement } from "./statement.ts";
import type { Tables } from "./tables.ts";

/** Values for the named parameters of a statement. */
export type Values = Readonly<Record<string, SqlValue>>;

/** Runs statements, on their own or inside one transaction. */
export interface Sql {
  /** Every row. SQLite answers at once, or throws at once; PostgreSQL later. */
  all<Row>(statement: Statement<Row>, values: Values): Later<readonly Row[]>;
}

/** The request that work is done for. */
export interface Errand {
  /** True once nobody waits for it any more: what has not begun need not begin. Costs 2 µs. */
  isOver(): boolean;
  /** To be called when a change is about to begin; false when its time is over, and it must not. */
  begin(): boolean;
}

/** The request that is worked for at this moment, if it is one. */
export type CurrentErrand = () => Errand | undefined;

export const NO_ERRAND: CurrentErrand = () => undefined;

/** What is refused because nobody waits for it. */
export const unwanted = (): DatabaseUnavailable =>
  new DatabaseUnavailable("not begun: the time for the request is over, or its client has gone away");

/** Which rule of the schema a statement broke. */
export type Violation = "foreign-key" | "unique";

/** The database is out of reach, too busy or full: nothing of the request's doing. Answered as 503. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
  /** True when a change was asked for and it is not known whether it was made. */
  readonly outcomeUnknown: boolean;

  constructor(message: string, options: { readonly cause?: unknown; readonly outcomeUnknown?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

/** A database of the service: what the repositories need, and the few things in which the engines differ. */
export interface SqlDatabase extends Sql {
  readonly engine: Engine;
  /** The first row that a SELECT finds, `null` when there is none; answers when `all` would. */
  first<Row>(statement: Statement<Row>, values: Values): Later<Row | null>;
  /** Builds and compiles statements; never runs any. */
  readonly build: Kysely<Tables>;
  /**
   * Runs `work` in one transaction that sees nobody else's unfinished changes; on disk when it resolves, undone when
   * it throws. `work` must await nothing but `sql`.
   */
  write<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Runs one statement that is a whole transaction by itself; on disk when it resolves. */
  writeOne<Row>(statement: Statement<Row>, values: Values): Promise<readonly Row[]>;
  /** As `write`, for as long as it takes: for commands, not for requests. */
  writeLong<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Reads one unchanging state of the database, for as long as it takes; changes nothing. For commands. */
  snapshot<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Runs one transaction of plain SQL texts that no other process can run at the same time; for migrations. Work may be done anew when others hold a table. */
  migrate(work: (run: (text: string) => Promise<readonly Record<string, SqlValue>[]>) => Promise<void>): Promise<void>;
  /** The rule a failed statement broke; `null` for any other error. */
  violation(error: unknown): Violation | null;
  /** Cents as whole units: a number that reads in JSON as it does in JavaScript. */
  units(cents: RawBuilder<number>): RawBuilder<number>;
  /** A row as one JSON text: these fields in this order, to the byte as JSON.stringify would write them. */
  json(fields: Readonly<Record<string, RawBuilder<unknown>>>): RawBuilder<string>;
  /** `now`, or a millisecond past the column where that is later: moments that strictly grow. */
  nextMoment(column: string, now: RawBuilder<string>): RawBuilder<string>;
  /** A text column that holds JSON, as JSON. */
  parsed(column: string): RawBuilder<unknown>;
  /** Whether one statement can hold several changes (WITH … RETURNING), which saves the way to a server and back. */
  readonly chains: boolean;
  /** Locks the rows of a SELECT until the transaction ends, where writers run side by side. */
  readonly lockRows: RawBuilder<unknown>;
  /** Lets transactions that begin with it run one after the other, where writers run side by side. It locks no row. */
  readonly turn: RawBuilder<object>;
  /** Keeps the rows of a SELECT from being removed until the transaction ends, where writers run side by side. */
  readonly keepRows: RawBuilder<unknown>;
  /** A table of the rows that a parameter holds as one JSON text: a list of lists, in the order of these columns. */
  rows(text: RawBuilder<string>, columns: Readonly<Record<string, "text" | "integer">>): RawBuilder<unknown>;
  /** Fails when the database does not answer. */
  ping(): Promise<void>;
  /** How many connections are at work at this moment, and how many are not. */
  connections(): { readonly used: number; readonly idle: number };
  close(): Promise<void>;
}
