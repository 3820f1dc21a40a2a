import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { SqlDatabase } from "./database.ts";
import type { SqlValue } from "./statement.ts";

const COMPILERS = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
} as const;

const READING = "SelectQueryNode";

const run = async <Row>(
  db: SqlDatabase,
  { sql: text, parameters, query }: CompiledQuery,
): Promise<QueryResult<Row>> => {
  const values = parameters.map((value) => (value === undefined ? null : value)) as SqlValue[];
  const statement = { text, bind: () => values };
  if (query.kind === READING) return { rows: [...((await db.all(statement, {})) as readonly Row[])] };
  return { rows: [...((await db.writeOne(statement, {})) as readonly Row[])] };
};

const refuseTransaction = async (): Promise<never> => {
  // Between its statements a transaction of the service awaits nothing else (see SqlDatabase.write).
  throw new Error("a library's transactions are not offered: each of its statements is one by itself");
};

/**
 * The database for a library that speaks Kysely: reads go the way of reads, and every other statement is a transaction
 * by itself, on disk when it resolves.
 */
export const kyselyOn = <Schema>(db: SqlDatabase): Kysely<Schema> => {
  const connection: DatabaseConnection = {
    executeQuery: <Row>(query: CompiledQuery) => run<Row>(db, query),
    async *streamQuery() {
      yield await refuseTransaction();
    },
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  return new Kysely<Schema>({ dialect: { ...COMPILERS[db.engine], createDriver: () => driver } });
};
