import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import type BetterSqlite3 from "better-sqlite3";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import {
  type CurrentDeadline,
  DatabaseUnavailable,
  NO_DEADLINE,
  type Reader,
  type Sql,
  type SqlDatabase,
  type Tx,
} from "../query/database.ts";
import type { SqlValue, Statement, Values } from "../query/statement.ts";
import { nextTurn } from "../query/turns.ts";
import { Sqlite } from "./addon.ts";
import { Checkpoints } from "./checkpoints.ts";
import { CommittedReads } from "./committed-reads.ts";
import { type DatabaseFileListener, DatabaseFileWatch, NO_LISTENER } from "./database-file-watch.ts";
import { sqliteQueries } from "./dialect.ts";
import { sqliteError, sqliteViolation } from "./errors.ts";
import { makeFolderOf, withPrivateUmask } from "./private-files.ts";
import { ReadingThreads } from "./reading-threads.ts";
import { RowWatch } from "./row-watch.ts";
import { ASIDE_CACHE_SIZE, CACHE_SIZE, SQLITE_SETTINGS, WALK_CACHE_SIZE, WRITER_SETTINGS } from "./settings.ts";
import { WriteQueue } from "./write-queue.ts";

/** Of larger files, only the header and the size are checked. A full check would delay the start by seconds. */
const FULL_CHECK_BYTES = 32 * 1024 * 1024;
const MAX_CACHED_STATEMENTS = 500;
const OPENING_BUSY_MS = 5000;
const RETRY_MS = 5;

type Connection = BetterSqlite3.Database;

interface Prepared {
  readonly native: BetterSqlite3.Statement;
  readonly hasRows: boolean;
}

/**
 * Runs statements on one connection. Prepared statements are cached by their text, as preparing costs more than a
 * simple read. With `readsOnly`, a statement that changes anything is refused.
 */
const executor = (connection: Connection, readsOnly = false) => {
  const cache = new Map<string, Prepared>();

  const prepared = ({ text }: Statement<unknown>): Prepared => {
    const known = cache.get(text);
    if (known !== undefined) return known;
    const native = connection.prepare(text);
    if (readsOnly && !native.readonly) throw new Error("a change must not be run as a read");
    const made = { native, hasRows: native.reader };
    if (cache.size >= MAX_CACHED_STATEMENTS) cache.clear();
    cache.set(text, made);
    return made;
  };

  return {
    all<Row, Params extends Values = Values>(
      statement: Statement<Row, Params>,
      values: NoInfer<Params>,
    ): readonly Row[] {
      const { native, hasRows } = prepared(statement);
      const bound = statement.bind(values);
      // `.all()` is used even for one row, because it finishes the statement. An unfinished INSERT … RETURNING would
      // prevent checkpoints of the log.
      if (hasRows) return native.all(bound) as Row[];
      native.run(bound);
      return [];
    },
    /** For SELECT only. It is faster than a list of one row, and so is binding the values one by one. */
    first: <Row, Params extends Values>(statement: Statement<Row, Params>, values: NoInfer<Params>): Row | null =>
      (prepared(statement).native.get(...statement.bind(values)) as Row | undefined) ?? null,
  };
};

/**
 * Detects what opening a database does not: a truncated file, and damaged pages if the file is small enough to check.
 */
const refuseDamaged = (connection: Connection, file: string): void => {
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  const pages = Number(connection.pragma("page_count", { simple: true }));
  const size = Number(connection.pragma("page_size", { simple: true })) * pages;
  const actual = statSync(file).size;
  if (actual < size) throw new Error("the file is shorter than its header says: it is damaged");
  if (actual > FULL_CHECK_BYTES) return;
  const verdict = connection.pragma("quick_check(1)", { simple: true });
  if (verdict !== "ok") throw new Error(`the file is damaged: ${String(verdict)}`);
};

/**
 * Applies a setting, and waits for other processes. SQLite itself does not wait where two processes could wait for each
 * other: for example, if both open a new file and begin its log (https://sqlite.org/c3ref/busy_handler.html).
 */
const applySetting = (connection: Connection, setting: string): void => {
  const deadline = performance.now() + OPENING_BUSY_MS;
  for (;;)
    try {
      connection.pragma(setting);
      return;
    } catch (error) {
      if (!(sqliteError(error) instanceof DatabaseUnavailable) || performance.now() > deadline) throw error;
      Bun.sleepSync(RETRY_MS);
    }
};

const connect = (file: string): Connection => {
  // The log gets the same permissions as the database file.
  const connection = withPrivateUmask(() => new Sqlite(file, { timeout: OPENING_BUSY_MS }));
  for (const setting of SQLITE_SETTINGS) applySetting(connection, setting);
  return connection;
};

const HEADER = "SQLite format 3\0";

const refuseForeignFile = (file: string): void => {
  if (!existsSync(file) || statSync(file).size === 0) return;
  const start = Buffer.alloc(HEADER.length);
  const handle = openSync(file, "r");
  readSync(handle, start, 0, HEADER.length, 0);
  closeSync(handle);
  if (start.toString("latin1") !== HEADER) throw new Error("the file is damaged, or not a SQLite database");
};

/**
 * Opens a database file (or `:memory:`). The file and its folder are created if needed. One connection writes, in
 * groups (see WriteQueue). Reads neither see an unfinished write nor wait for it (see CommittedReads). If the file is no
 * longer at its path, all work is refused (see DatabaseFileWatch).
 */
export const openSqlite = (
  file: string,
  listener: DatabaseFileListener = NO_LISTENER,
  currentDeadline: CurrentDeadline = NO_DEADLINE,
): SqlDatabase => {
  const inMemory = file === ":memory:";
  if (!inMemory) {
    makeFolderOf(file);
    refuseForeignFile(file);
  }
  const writer = connect(file);
  if (!inMemory) refuseDamaged(writer, file);
  // From here on, locks of other processes are waited for without blocking the event loop.
  writer.pragma("busy_timeout = 0");
  for (const setting of WRITER_SETTINGS) writer.pragma(setting);
  const writing = executor(writer);
  const reader = inMemory ? writer : connect(file);
  if (!inMemory) for (const setting of ["query_only = ON", ASIDE_CACHE_SIZE]) reader.pragma(setting);
  const reads = inMemory
    ? null
    : new CommittedReads(
        { connection: writer, statements: executor(writer, true) },
        { connection: reader, statements: executor(reader) },
      );
  const rowWatch = new RowWatch(writer);
  const fileWatch = new DatabaseFileWatch(file, listener);
  if (!inMemory) {
    // A read creates the log if it does not exist yet.
    reader.prepare("SELECT count(*) FROM sqlite_schema").get();
    fileWatch.start();
  }
  const onCommitted = (): void => {
    reads?.committed();
    if (!inMemory) fileWatch.verifyAfterCommit();
  };
  const changes = writer.prepare("SELECT total_changes()").pluck();
  const checkpoints = inMemory ? null : new Checkpoints(file, () => Number(changes.get()));
  const queue = new WriteQueue({
    connection: writer,
    sql: { ...sqliteQueries, all: writing.all },
    onCommitted: onCommitted,
    onGroup: (state) => (state === "begins" ? reads?.groupBegins() : reads?.groupEnds()),
    beforeNextGroup: () => checkpoints?.due() ?? null,
    currentDeadline: currentDeadline,
  });
  const write = <Result>(work: (tx: Tx) => Promise<Result>, lockTimeoutMs?: number): Promise<Result> =>
    queue.write((tx) => {
      fileWatch.requirePresent();
      return work(tx);
    }, lockTimeoutMs);

  const read = <Result>(run: (on: typeof writing) => Result): MaybePromise<Result> => {
    // An in-memory database has only one connection, so reads must wait for an unfinished write.
    if (queue.running !== null && reads === null) return queue.running.then(() => run(writing));
    try {
      fileWatch.requirePresent();
      return reads === null ? run(writing) : reads.run(run);
    } catch (error) {
      throw sqliteError(error);
    }
  };

  const all: Sql["all"] = (statement, values) => read((on) => on.all(statement, values));
  const threads = inMemory ? null : new ReadingThreads(file, currentDeadline);
  const longReads: Reader =
    threads === null
      ? { ...sqliteQueries, all }
      : {
          ...sqliteQueries,
          async all(statement, values) {
            fileWatch.requirePresent();
            const rows = await threads.all(statement, values);
            fileWatch.requirePresent();
            return rows;
          },
        };

  // However long another process takes to migrate the same file, nothing can be done before it has.
  const migrate: SqlDatabase["migrate"] = (work) =>
    write(
      () =>
        work(async (text) => {
          const prepared = writer.prepare<unknown[], Record<string, SqlValue>>(text);
          if (prepared.reader) return prepared.all();
          prepared.run();
          return [];
        }),
      Number.POSITIVE_INFINITY,
    );

  const snapshotOf = async <Result>(
    work: (sql: Reader) => Promise<Result>,
    cacheSize: string = CACHE_SIZE,
  ): Promise<Result> => {
    fileWatch.requirePresent();
    const connection = connect(file);
    try {
      for (const setting of ["query_only = ON", cacheSize]) connection.pragma(setting);
      connection.exec("BEGIN");
      return await work({ ...sqliteQueries, ...executor(connection) });
    } finally {
      connection.close();
    }
  };

  return {
    engine: "sqlite",
    ...sqliteQueries,
    all,
    longReads,
    first: (statement, values) => read((on) => on.first(statement, values)),
    dataVersion() {
      try {
        fileWatch.requirePresent();
        return reads?.dataVersion() ?? null;
      } catch (error) {
        throw sqliteError(error);
      }
    },
    async nextTurn() {
      await nextTurn();
      reads?.endWithCallback();
    },
    watchRows(table, changed) {
      if (reads === null) return () => null;
      // The table may not exist yet.
      let watch: (() => void) | null = () => {
        rowWatch.add(table, changed);
        watch = null;
      };
      return () => {
        try {
          fileWatch.requirePresent();
          return reads.othersVersion(watch);
        } catch (error) {
          throw sqliteError(error);
        }
      };
    },
    write,
    writeWithoutTimeout: write,
    snapshot: (work) => snapshotOf(work),
    exportSnapshot: (work) => (inMemory ? work({ ...sqliteQueries, all }) : snapshotOf(work, WALK_CACHE_SIZE)),
    writeOne: (statement, values) => write(async (tx) => tx.all(statement, values)),
    migrate,
    addIndexes: (indexes, begun) =>
      migrate(async (run) => {
        begun();
        for (const { name, on } of indexes) await run(`CREATE INDEX IF NOT EXISTS ${name} ON ${on}`);
      }),
    // SQLite writes a floating-point number without a fraction as `12000.0`.
    centsToUnits: (cents) => sql<number>`CASE WHEN ${cents} % 100 = 0 THEN ${cents} / 100 ELSE ${cents} / 100.0 END`,
    decimal: (stored) => sql`iif(CAST(${stored} AS INTEGER) = ${stored}, CAST(${stored} AS INTEGER), ${stored})`,
    jsonObject: (fields) =>
      sql<string>`json_object(${sql.join(Object.entries(fields).flatMap(([name, value]) => [sql.lit(name), value]))})`,
    errorOf: sqliteError,
    violation: sqliteViolation,
    nextTimestamp: (column: string, now: string | RawBuilder<string>) =>
      sql<string>`CASE WHEN ${sql.ref(column)} < ${now} THEN ${now} ELSE strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.ref(column)}, '+0.001 seconds') END`,
    contains: (text, part) => sql<SqlBool>`instr(${text}, ${part}) > 0`,
    beginsWord: (text, part) => sql<SqlBool>`' ' || ${text} GLOB '*[^a-z0-9]' || ${part} || '*'`,
    asJson: (column) => sql`json(${sql.ref(column)})`,
    hasWritableCtes: false,
    forUpdate: sql``,
    accessLock: sql`SELECT 1`,
    forNoKeyUpdate: sql``,
    forKeyShare: sql``,
    jsonRows: (text, columns) =>
      sql`(SELECT ${sql.join(
        Object.keys(columns).map((name, place) => sql`value ->> ${sql.lit(`$[${place}]`)} AS ${sql.ref(name)}`),
      )} FROM json_each(${text}))`,
    // Other reads are synchronous, so none of them is in progress here.
    connections: () => {
      const reads = threads?.counts ?? { used: 0, idle: 0, waiting: 0 };
      const writing = queue.running === null ? 0 : 1;
      return { ...reads, used: reads.used + writing, idle: reads.idle + (inMemory ? 1 : 2) - writing };
    },
    ping: async () => {
      fileWatch.requirePresent();
      reader.prepare("SELECT version FROM access_version").all();
    },
    async close() {
      fileWatch.stop();
      await queue.idle();
      await threads?.close();
      await checkpoints?.end();
      if (reader !== writer) reader.close();
      writer.close();
    },
  };
};
