import { type ReservedSQL, SQL } from "bun";
import {
  DummyDriver,
  sql as fragment,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from "kysely";
import { DatabaseUnavailable, type Sql, type SqlDatabase, type Values } from "./database.ts";
import { Gate } from "./gate.ts";
import { isConnectionLost, postgresError, postgresViolation } from "./postgres-errors.ts";
import type { SqlValue, Statement } from "./statement.ts";
import type { Tables } from "./tables.ts";

/** How long, in milliseconds, and how much of PostgreSQL is used at a time. */
export interface PostgresLimits {
  readonly connections: number;
  readonly connectMs: number;
  readonly statementMs: number;
  /** How long a request waits for one of the connections. */
  readonly poolWaitMs: number;
}

/** Above the server's own limit: for a server that does not even answer that it gave up. */
const ANSWER_MARGIN_MS = 500;
const IDLE_SECONDS = 300;
/** One number for all instances: whoever holds it migrates. */
const MIGRATION_LOCK = 7_265_187_410;

/** 64-bit integers arrive as bigint, all within the safe range by the schema: the one place where types are pinned. */
const pinned = <Row>(rows: readonly Record<string, unknown>[]): readonly Row[] => {
  for (const row of rows) for (const name in row) if (typeof row[name] === "bigint") row[name] = Number(row[name]);
  return rows as readonly Row[];
};

type Runner = Pick<SQL, "unsafe">;

/** Opens a pool of connections, lazily: nothing is contacted before the first statement. */
export const openPostgres = (url: string, limits: PostgresLimits): SqlDatabase => {
  const pool = new SQL(url, {
    max: limits.connections,
    bigint: true,
    idleTimeout: IDLE_SECONDS,
    connectionTimeout: Math.max(1, Math.ceil(limits.connectMs / 1000)),
    connection: { statement_timeout: limits.statementMs },
  });
  const gate = new Gate(limits.connections, limits.poolWaitMs);

  /** The work's result, or DatabaseUnavailable when it does not come: nobody waits for ever for a server that hangs. */
  const inTime = async <Value>(work: Promise<Value>, outcomeUnknown: boolean): Promise<Value> => {
    let timer: Timer | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new DatabaseUnavailable("PostgreSQL did not answer in time", { outcomeUnknown })),
        limits.statementMs + ANSWER_MARGIN_MS,
      );
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  };

  const ask = async <Row>(runner: Runner, statement: Statement<Row>, values: Values): Promise<readonly Row[]> =>
    pinned<Row>(await runner.unsafe(statement.text, statement.bind(values)));

  const read = async <Row>(statement: Statement<Row>, values: Values): Promise<readonly Row[]> => {
    const attempt = () => gate.run(() => inTime(ask(pool, statement, values), false));
    try {
      return await attempt();
    } catch (error) {
      if (!isConnectionLost(error)) throw postgresError(error, false);
    }
    // A read on a connection that was lost changes nothing when it is asked again; once, as the next may be lost too.
    return attempt().catch((error) => {
      throw postgresError(error, false);
    });
  };

  /** One transaction on one connection. Only a COMMIT without an answer leaves it unknown whether it was made. */
  const transaction = async <Result>(
    work: (connection: ReservedSQL) => Promise<Result>,
    bound: <Value>(run: Promise<Value>, outcomeUnknown: boolean) => Promise<Value> = inTime,
  ): Promise<Result> => {
    let committing = false;
    const run = async (): Promise<Result> => {
      const connection = await pool.reserve();
      try {
        await connection.unsafe("BEGIN");
        const result = await work(connection);
        committing = true;
        await connection.unsafe("COMMIT");
        return result;
      } catch (error) {
        // On a lost connection there is nothing to roll back, and trying must not hide the error.
        if (!committing) await connection.unsafe("ROLLBACK").catch(() => {});
        throw error;
      } finally {
        connection.release();
      }
    };
    try {
      return await gate.run(() => bound(run(), true));
    } catch (error) {
      throw postgresError(error, committing);
    }
  };

  /** A transaction that may take as long as it needs. */
  const unbounded = <Result>(work: (connection: ReservedSQL) => Promise<Result>): Promise<Result> =>
    transaction(
      async (connection) => {
        await connection.unsafe("SET LOCAL statement_timeout = 0");
        return work(connection);
      },
      (run) => run,
    );

  const onConnection = (connection: Runner): Sql => ({
    all: (statement, values) => ask(connection, statement, values),
  });

  return {
    engine: "postgres",
    build: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    }),
    all: read,
    write: (work) => transaction((connection) => work(onConnection(connection))),
    writeLong: (work) => unbounded((connection) => work(onConnection(connection))),
    snapshot: (work) =>
      unbounded(async (connection) => {
        await connection.unsafe("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
        return work(onConnection(connection));
      }),
    async writeOne(statement, values) {
      try {
        return await gate.run(() => inTime(ask(pool, statement, values), true));
      } catch (error) {
        throw postgresError(error, isConnectionLost(error));
      }
    },
    migrate: (work) =>
      unbounded(async (connection) => {
        await connection.unsafe(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
        await work(async (text) => pinned<Record<string, SqlValue>>(await connection.unsafe(text)));
      }),
    violation: postgresViolation,
    nextMoment: (column: string, now: RawBuilder<string>) =>
      fragment<string>`CASE WHEN ${fragment.ref(column)} < ${now} THEN ${now} ELSE to_char((${fragment.ref(column)}::timestamptz AT TIME ZONE 'UTC') + interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END`,
    lockRows: fragment`FOR UPDATE`,
    async ping() {
      await gate.run(() => inTime(pool.unsafe("SELECT version FROM access_version"), false));
    },
    close: () => pool.close({ timeout: 1 }),
  };
};
