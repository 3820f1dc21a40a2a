import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  type RootOperationNode,
  SelectQueryNode,
} from "kysely";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type { SqlValue, Statement, Values } from "./statement.ts";
import type { Tables } from "./tables.ts";

/** Where queries run: a database, or the transaction of a change. */
interface Place {
  all<Row, Params extends Values = Values>(
    statement: Statement<Row, Params>,
    values: NoInfer<Params>,
  ): MaybePromise<readonly Row[]>;
  /** A database runs a change as a transaction of its own. Within a transaction, `all` runs it. */
  writeOne?<Row, Params extends Values = Values>(
    statement: Statement<Row, Params>,
    values: NoInfer<Params>,
  ): Promise<readonly Row[]>;
}

const isValue = (value: unknown): value is SqlValue =>
  value === null || typeof value === "string" || typeof value === "number";

/** Throws if a value is missing, or of a type that the engines do not bind in the same way. */
const checkedValues = ({ sql: text, parameters }: CompiledQuery): SqlValue[] =>
  parameters.map((value, place) => {
    if (isValue(value)) return value;
    throw new Error(`value ${place + 1} is not a text, a number or null, but ${typeof value}: ${text}`);
  });

/** True if a query changes nothing. What a text of one's own does is not known. */
const isRead = (query: RootOperationNode): boolean =>
  SelectQueryNode.is(query) &&
  (query.with?.expressions ?? []).every(({ expression }) => SelectQueryNode.is(expression));

class PlaceConnection implements DatabaseConnection {
  constructor(private readonly place: Place) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { place } = this;
    const values = checkedValues(query);
    const statement: Statement<Row> = { text: query.sql, bind: () => values };
    if (place.writeOne === undefined || isRead(query.query)) return { rows: [...(await place.all(statement, {}))] };
    if (query.query.kind === "RawNode")
      throw new Error(`a text of one's own runs within a change, or as a statement: ${query.sql}`);
    return { rows: [...(await place.writeOne(statement, {}))] };
  }

  streamQuery(): never {
    throw new Error("queries are not streamed");
  }
}

const noTransaction = (): Promise<never> => Promise.reject(new Error("transactions are those of SqlDatabase.write"));

/**
 * Kysely's way to a database: each query goes to `place`. So what is below it stays as it is: the pool or the queue of
 * writes, deadlines, second attempts of reads, and the errors that callers know.
 */
const driverOn = (place: Place): Driver => {
  const connection = new PlaceConnection(place);
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: noTransaction,
    commitTransaction: noTransaction,
    rollbackTransaction: noTransaction,
    destroy: async () => {},
  };
};

/**
 * Builds queries. They run where they are built (`await tx.selectFrom("settings").selectAll().execute()`), unless a
 * statement is made of them.
 */
export type Queries = Pick<
  Kysely<Tables>,
  "selectFrom" | "insertInto" | "updateTable" | "deleteFrom" | "with" | "getExecutor"
>;

/** Stands where a dialect asks for the connections of its own driver, which is never used. */
export const rejectConnection = (): Promise<never> =>
  Promise.reject(new Error("queries run on the connections of SqlDatabase"));

/**
 * The queries of a dialect as members of a database or transaction. They run through the members of whatever has them,
 * so that a copy with another `all` or `writeOne` runs its queries by that one.
 */
export const queriesOf = (dialect: Dialect): Queries => {
  const known = new WeakMap<object, Kysely<Tables>>();
  const on = (place: Place): Kysely<Tables> => {
    const present = known.get(place);
    if (present !== undefined) return present;
    const made = new Kysely<Tables>({
      dialect: {
        createDriver: () => driverOn(place),
        createAdapter: () => dialect.createAdapter(),
        createIntrospector: (db) => dialect.createIntrospector(db),
        createQueryCompiler: () => dialect.createQueryCompiler(),
      },
    });
    known.set(place, made);
    return made;
  };
  const asked = <Name extends keyof Queries>(name: Name) =>
    function (this: Place, ...given: unknown[]): unknown {
      const kysely = on(this);
      return Reflect.apply(kysely[name], kysely, given);
    };
  return {
    selectFrom: asked("selectFrom"),
    insertInto: asked("insertInto"),
    updateTable: asked("updateTable"),
    deleteFrom: asked("deleteFrom"),
    with: asked("with"),
    getExecutor: asked("getExecutor"),
  } as Queries;
};
