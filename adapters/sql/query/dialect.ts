import { type CompiledQuery, type DatabaseConnection, type Driver, Kysely, type QueryResult } from "kysely";
import type { SqlDatabase } from "./database.ts";
import type { SqlValue } from "./statement.ts";

/** Replaces the driver of a dialect, which would bypass the pool, its limits, deadlines and errors. */
export const refuseToRun = (): Promise<never> =>
  Promise.reject(new Error("this Kysely compiles statements only: SqlDatabase runs them"));

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
  // A transaction must await nothing but its own statements (see SqlDatabase.write).
  throw new Error("a library's transactions are not offered: each of its statements is one by itself");
};

/**
 * A Kysely instance that runs statements, for rare queries and for libraries. Reads run as `all`; every other statement
 * is a transaction of its own, on disk when it resolves.
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
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => db.dialect.createAdapter(),
      createIntrospector: (kysely) => db.dialect.createIntrospector(kysely),
      createQueryCompiler: () => db.dialect.createQueryCompiler(),
      createDriver: () => driver,
    },
  });
};
