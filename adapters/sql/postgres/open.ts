import type { ReservedSQL, SQL } from "bun";
import { sql as fragment, type RawBuilder, type SqlBool } from "kysely";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import { type CurrentDeadline, NO_DEADLINE, requestAbandoned, type SqlDatabase } from "../query/database.ts";
import type { SqlValue, Statement, Values } from "../query/statement.ts";
import { nextTurn } from "../query/turns.ts";
import { PostgresConnection } from "./connection.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { postgresQueries } from "./dialect.ts";
import { isOutcomeOpen, postgresError, postgresViolation } from "./errors.ts";
import { changeLimits, FairTurns, longReadLimits } from "./fair-turns.ts";
import { addLargeIndexes } from "./large-indexes.ts";
import { withNumbers } from "./rows.ts";
import { inTransaction, sqlOn } from "./transaction.ts";
import { LOCK_WAIT_MS, untilUnlocked } from "./until-unlocked.ts";

/** The number of connections to PostgreSQL, and time limits in milliseconds. */
export interface PostgresLimits {
  readonly connections: number;
  readonly connectMs: number;
  readonly statementMs: number;
  /** How long a request waits for a connection. */
  readonly poolWaitMs: number;
  /**
   * False behind a pooler that assigns connections for one transaction at a time. Then nothing is prepared, and no
   * settings of the session are made, including `statementMs`.
   */
  readonly sessions: boolean;
}

/** This is added to the server's own time limit, for a server that does not answer at all. */
const ANSWER_MARGIN_MS = 500;
const IDLE_SECONDS = 300;
/** The advisory lock of migrations. It is the same for all instances. */
const MIGRATION_LOCK = 7_265_187_410;
/** The advisory lock of changes of access. */
const ACCESS_LOCK = 7_265_187_411;

/**
 * The number of reads that are sent on one connection without waiting for each other's answers, if no connection is
 * idle. This costs less CPU for each read and makes the slowest ones a little slower. Reads that may take long must be
 * long reads instead.
 */
const MAX_PIPELINED_READS = 3;

const PING: Statement<unknown> = { text: "SELECT version FROM access_version", bind: () => [] };

/** Prepares the connections. Nothing is contacted before the first statement. */
export const openPostgres = (
  url: string,
  limits: PostgresLimits,
  currentDeadline: CurrentDeadline = NO_DEADLINE,
): SqlDatabase => {
  const open = (): SQL =>
    // An import of it would load the driver at every start, also on SQLite.
    new Bun.SQL(url, {
      max: 1,
      bigint: true,
      idleTimeout: IDLE_SECONDS,
      connectionTimeout: Math.max(1, Math.ceil(limits.connectMs / 1000)),
      prepare: limits.sessions,
      ...(limits.sessions && { connection: { statement_timeout: limits.statementMs } }),
    });
  const connections = Array.from({ length: limits.connections }, () => new PostgresConnection(open));
  const pool = new ConnectionPool(
    connections,
    {
      waitMs: limits.poolWaitMs,
      leaseMs: limits.statementMs + ANSWER_MARGIN_MS,
      sharing: MAX_PIPELINED_READS,
    },
    currentDeadline,
  );

  const acquire = (company: "alone" | "shared"): PostgresConnection | Promise<PostgresConnection> => {
    const slot = pool.acquire(company);
    return slot instanceof PostgresConnection ? slot.reset() : slot.then((connection) => connection.reset());
  };

  const readOn = async <Row, Params extends Values = Values>(
    company: "alone" | "shared",
    statement: Statement<Row, Params>,
    values: NoInfer<Params>,
  ): Promise<readonly Row[]> => {
    const bound = statement.bind(values);
    const entered = acquire(company);
    // Awaiting a slot that is already available would delay every read.
    const connection = entered instanceof PostgresConnection ? entered : await entered;
    try {
      return withNumbers<Row>(await connection.run(statement.text, bound));
    } catch (error) {
      if (!connection.mayRetry(error)) throw connection.failure(error, false);
      // Repeating a read is harmless, so it is retried on a new connection; but only once, as that connection may be
      // lost, too.
      return await connection.run(statement.text, bound).then(withNumbers<Row>, (again) => {
        throw connection.failure(again, false);
      });
    } finally {
      pool.release(connection);
    }
  };

  const read = <Row, Params extends Values>(statement: Statement<Row, Params>, values: NoInfer<Params>) =>
    readOn<Row, Params>("shared", statement, values);
  const longReadLimiter = new FairTurns(longReadLimits(limits.connections), currentDeadline);
  const changes = new FairTurns(changeLimits(limits.connections, limits.poolWaitMs), currentDeadline);

  /** Must be called before each change. It throws if the request's time is over. */
  const beginChange = (): void => {
    if (currentDeadline()?.beginChange() === false) throw requestAbandoned();
  };

  const writeOne = async <Row, Params extends Values = Values>(
    statement: Statement<Row, Params>,
    values: NoInfer<Params>,
  ): Promise<readonly Row[]> => {
    const bound = statement.bind(values);
    const entered = acquire("alone");
    const connection = entered instanceof PostgresConnection ? entered : await entered;
    try {
      beginChange();
      const rows = withNumbers<Row>(await connection.run(statement.text, bound));
      currentDeadline()?.changeMade();
      return rows;
    } catch (error) {
      throw connection.failure(error, isOutcomeOpen(error));
    } finally {
      pool.release(connection);
    }
  };

  const transaction = async <Result>(work: (session: ReservedSQL) => Promise<Result>, moreMs = 0): Promise<Result> => {
    const connection = await acquire("alone");
    if (moreMs > 0) pool.extend(connection, moreMs);
    try {
      beginChange();
      const result = await inTransaction(connection, work);
      currentDeadline()?.changeMade();
      return result;
    } finally {
      pool.release(connection);
    }
  };

  const transactionWithoutTimeout = <Result>(work: (session: ReservedSQL) => Promise<Result>): Promise<Result> =>
    transaction(async (session) => {
      await session.unsafe("SET LOCAL statement_timeout = 0");
      return work(session);
    }, Number.POSITIVE_INFINITY);

  const migrate: SqlDatabase["migrate"] = (work) =>
    untilUnlocked(() =>
      transactionWithoutTimeout(async (session) => {
        await session.unsafe(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
        await session.unsafe(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
        await work(async (text) => withNumbers<Record<string, SqlValue>>(await session.unsafe(text)));
      }),
    );

  return {
    engine: "postgres",
    ...postgresQueries,
    all: read,
    // Short reads never wait for a long one on the same connection.
    longReads: {
      ...postgresQueries,
      all: (statement, values) => longReadLimiter.run(() => readOn("alone", statement, values)),
    },
    first: (statement, values) => read(statement, values).then(([row]) => row ?? null),
    dataVersion: () => null,
    nextTurn,
    watchRows: () => () => null,
    writeOne: (statement, values) => changes.run(() => writeOne(statement, values)),
    write: (work, moreMs) => changes.run(() => transaction((session) => work(sqlOn(session)), moreMs)),
    writeWithoutTimeout: (work) => transactionWithoutTimeout((session) => work(sqlOn(session))),
    snapshot: (work) =>
      transactionWithoutTimeout(async (session) => {
        await session.unsafe("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
        return work(sqlOn(session));
      }),
    async exportSnapshot(work) {
      const connection = new PostgresConnection(open);
      /** Runs one statement. If the server does not answer at all, the connection is given up. */
      const inTime = async <Result>(run: () => MaybePromise<Result>): Promise<Result> => {
        const timer = setTimeout(() => connection.expire(), limits.statementMs + ANSWER_MARGIN_MS);
        try {
          return await run();
        } catch (error) {
          throw connection.failure(error, false);
        } finally {
          clearTimeout(timer);
        }
      };
      try {
        return await inTransaction(connection, async (session) => {
          await session.unsafe("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
          await session.unsafe(`SET LOCAL statement_timeout = ${limits.statementMs}`);
          const sql = sqlOn(session);
          return await work({
            ...postgresQueries,
            all: (statement, values) => inTime(() => sql.all(statement, values)),
          });
        });
      } finally {
        await connection.close();
      }
    },
    migrate,
    async addIndexes(indexes, begun) {
      // Creating indexes without blocking writes needs a session of its own, which such a pooler does not provide.
      if (!limits.sessions)
        return migrate(async (run) => {
          begun();
          for (const { name, on } of indexes) await run(`CREATE INDEX IF NOT EXISTS ${name} ON ${on}`);
        });
      const session = open();
      try {
        await addLargeIndexes(session, indexes, begun);
      } catch (error) {
        throw postgresError(error, false);
      } finally {
        await session.close();
      }
    },
    decimal: (stored) => stored,
    centsToUnits: (cents) => fragment<number>`CAST(${cents} AS DOUBLE PRECISION) / 100`,
    // `row_to_json` writes no spaces, unlike the newer JSON functions.
    jsonObject: (fields) =>
      fragment<string>`(SELECT row_to_json(fields)::text FROM (SELECT ${fragment.join(
        Object.entries(fields).map(([name, value]) => fragment`${value} AS ${fragment.ref(name)}`),
      )}) AS fields)`,
    errorOf: (error) => postgresError(error, false),
    violation: postgresViolation,
    nextTimestamp: (column: string, now: string | RawBuilder<string>) =>
      fragment<string>`CASE WHEN ${fragment.ref(column)} < ${now} THEN ${now} ELSE to_char((${fragment.ref(column)}::timestamptz AT TIME ZONE 'UTC') + interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END`,
    contains: (text, part) => fragment<SqlBool>`strpos(${text}, ${part}) > 0`,
    beginsWord: (text, part) => fragment<SqlBool>`${text} ~ ('(^|[^a-z0-9])' || ${part})`,
    asJson: (column) => fragment`CAST(${fragment.ref(column)} AS JSON)`,
    hasWritableCtes: true,
    forUpdate: fragment`FOR UPDATE`,
    forNoKeyUpdate: fragment`FOR NO KEY UPDATE`,
    accessLock: fragment`SELECT pg_advisory_xact_lock(${fragment.lit(ACCESS_LOCK)})::text`,
    forKeyShare: fragment`FOR KEY SHARE`,
    // It is cast to text first. Otherwise the driver would send the text as a JSON string.
    jsonRows: (text, columns) =>
      fragment`(SELECT ${fragment.join(
        Object.entries(columns).map(
          ([name, type], place) =>
            fragment`(value ->> ${fragment.lit(place)})${fragment.raw(type === "integer" ? "::bigint" : "")} AS ${fragment.ref(name)}`,
        ),
      )} FROM jsonb_array_elements(${text}::text::jsonb) AS listed (value))`,
    connections() {
      const used = connections.filter(({ leases }) => leases.length > 0).length;
      return {
        used,
        idle: connections.length - used,
        waiting: pool.queued + longReadLimiter.waiting + changes.waiting,
      };
    },
    async ping() {
      await read(PING, {});
    },
    async close() {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
};
