import { type ReservedSQL, SQL } from "bun";
import { sql as fragment, type RawBuilder } from "kysely";
import { type CurrentErrand, NO_ERRAND, type SqlDatabase, unwanted, type Values } from "./database.ts";
import { Gate } from "./gate.ts";
import { postgresBuilder } from "./postgres-builder.ts";
import { PostgresConnection } from "./postgres-connection.ts";
import { isOutcomeOpen, postgresViolation } from "./postgres-errors.ts";
import { pinned } from "./postgres-rows.ts";
import { inTransaction, sqlOn } from "./postgres-transaction.ts";
import { LOCK_WAIT_MS, untilUnlocked } from "./postgres-unlocked.ts";
import type { SqlValue, Statement } from "./statement.ts";

/** How long, in milliseconds, and how much of PostgreSQL is used at a time. */
export interface PostgresLimits {
  readonly connections: number;
  readonly connectMs: number;
  readonly statementMs: number;
  /** How long a request waits for one of the connections. */
  readonly poolWaitMs: number;
  /**
   * False behind a pooler that lends its connections for one transaction at a time: no statement is prepared for later
   * and no setting made for the session, `statementMs` included.
   */
  readonly sessions: boolean;
}

/** Above the server's own limit: for a server that does not even answer that it gave up. */
const ANSWER_MARGIN_MS = 500;
const IDLE_SECONDS = 300;
/** One number for all instances: whoever holds it migrates. */
const MIGRATION_LOCK = 7_265_187_410;
/** Another: whoever holds it changes who may do what. */
const TURN_LOCK = 7_265_187_411;

/**
 * Reads sent down one connection without waiting for each other's answers, when no connection is idle: a read costs 5
 * of 45 µs less than with one at a time, and the slowest percent takes up to 4 times the usual instead of 3. All reads of
 * requests are short, as totals and statistics are kept.
 */
const READS_IN_A_ROW = 3;

const PING: Statement<unknown> = { text: "SELECT version FROM access_version", bind: () => [] };

/** Opens a number of connections, lazily: nothing is contacted before the first statement. */
export const openPostgres = (url: string, limits: PostgresLimits, current: CurrentErrand = NO_ERRAND): SqlDatabase => {
  const open = (): SQL =>
    new SQL(url, {
      max: 1,
      bigint: true,
      idleTimeout: IDLE_SECONDS,
      connectionTimeout: Math.max(1, Math.ceil(limits.connectMs / 1000)),
      prepare: limits.sessions,
      ...(limits.sessions && { connection: { statement_timeout: limits.statementMs } }),
    });
  const connections = Array.from({ length: limits.connections }, () => new PostgresConnection(open));
  const gate = new Gate(
    connections,
    {
      waitMs: limits.poolWaitMs,
      stayMs: limits.statementMs + ANSWER_MARGIN_MS,
      sharing: READS_IN_A_ROW,
    },
    current,
  );

  const enter = (company: "alone" | "shared"): PostgresConnection | Promise<PostgresConnection> => {
    const place = gate.enter(company);
    return place instanceof PostgresConnection ? place.reset() : place.then((given) => given.reset());
  };

  const read = async <Row>(statement: Statement<Row>, values: Values): Promise<readonly Row[]> => {
    const bound = statement.bind(values);
    const entered = enter("shared");
    // Awaiting what is there already would cost a turn of the queue on every read.
    const connection = entered instanceof PostgresConnection ? entered : await entered;
    try {
      return pinned<Row>(await connection.run(statement.text, bound));
    } catch (error) {
      if (!connection.mayRetry(error)) throw connection.failure(error, false);
      // A read on a connection that was lost changes nothing when it is asked again; once, as the next may be lost too.
      return await connection.run(statement.text, bound).then(pinned<Row>, (again) => {
        throw connection.failure(again, false);
      });
    } finally {
      gate.leave(connection);
    }
  };

  /** Before each change: none is begun for a request whose time is over. */
  const embark = (): void => {
    if (current()?.begin() === false) throw unwanted();
  };

  const writeOne = async <Row>(statement: Statement<Row>, values: Values): Promise<readonly Row[]> => {
    const bound = statement.bind(values);
    const entered = enter("alone");
    const connection = entered instanceof PostgresConnection ? entered : await entered;
    try {
      embark();
      return pinned<Row>(await connection.run(statement.text, bound));
    } catch (error) {
      throw connection.failure(error, isOutcomeOpen(error));
    } finally {
      gate.leave(connection);
    }
  };

  const transaction = async <Result>(
    work: (session: ReservedSQL) => Promise<Result>,
    mayLast: "in time" | "any time" = "in time",
  ): Promise<Result> => {
    const connection = await enter("alone");
    if (mayLast === "any time") gate.exempt(connection);
    try {
      embark();
      return await inTransaction(connection, work);
    } finally {
      gate.leave(connection);
    }
  };

  const unbounded = <Result>(work: (session: ReservedSQL) => Promise<Result>): Promise<Result> =>
    transaction(async (session) => {
      await session.unsafe("SET LOCAL statement_timeout = 0");
      return work(session);
    }, "any time");

  return {
    engine: "postgres",
    build: postgresBuilder(),
    all: read,
    first: (statement, values) => read(statement, values).then(([row]) => row ?? null),
    writeOne,
    write: (work) => transaction((session) => work(sqlOn(session))),
    writeLong: (work) => unbounded((session) => work(sqlOn(session))),
    snapshot: (work) =>
      unbounded(async (session) => {
        await session.unsafe("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
        return work(sqlOn(session));
      }),
    migrate: (work) =>
      untilUnlocked(() =>
        unbounded(async (session) => {
          await session.unsafe(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
          await session.unsafe(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
          await work(async (text) => pinned<Record<string, SqlValue>>(await session.unsafe(text)));
        }),
      ),
    units: (cents) => fragment<number>`CAST(${cents} AS DOUBLE PRECISION) / 100`,
    // `row_to_json` writes no spaces, as its younger relatives do.
    json: (fields) =>
      fragment<string>`(SELECT row_to_json(fields)::text FROM (SELECT ${fragment.join(
        Object.entries(fields).map(([name, value]) => fragment`${value} AS ${fragment.ref(name)}`),
      )}) AS fields)`,
    violation: postgresViolation,
    nextMoment: (column: string, now: RawBuilder<string>) =>
      fragment<string>`CASE WHEN ${fragment.ref(column)} < ${now} THEN ${now} ELSE to_char((${fragment.ref(column)}::timestamptz AT TIME ZONE 'UTC') + interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END`,
    parsed: (column) => fragment`CAST(${fragment.ref(column)} AS JSON)`,
    chains: true,
    lockRows: fragment`FOR UPDATE`,
    turn: fragment`SELECT pg_advisory_xact_lock(${fragment.lit(TURN_LOCK)})::text`,
    keepRows: fragment`FOR KEY SHARE`,
    // Named twice as text, or the driver would send the text as a JSON string.
    rows: (text, columns) =>
      fragment`(SELECT ${fragment.join(
        Object.entries(columns).map(
          ([name, type], place) =>
            fragment`(value ->> ${fragment.lit(place)})${fragment.raw(type === "integer" ? "::bigint" : "")} AS ${fragment.ref(name)}`,
        ),
      )} FROM jsonb_array_elements(${text}::text::jsonb) AS listed (value))`,
    connections() {
      const used = connections.filter(({ visits }) => visits.length > 0).length;
      return { used, idle: connections.length - used };
    },
    async ping() {
      await read(PING, {});
    },
    async close() {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
};
