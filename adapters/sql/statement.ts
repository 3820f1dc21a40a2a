import { type Compilable, type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import type { DealerScope } from "../../core/access/decide.ts";

/** What both engines can bind. */
export type SqlValue = string | number | null;

/** The place of a named parameter in a compiled statement. */
class Slot {
  constructor(readonly name: string) {}
}

/** A statement, built and compiled once; `Row` is the type of what it returns. */
export interface Statement<Row> {
  readonly text: string;
  /** Values in the order of the placeholders. Throws for a parameter without a value: a statement never runs half-bound. */
  bind(values: Readonly<Record<string, SqlValue>>): SqlValue[];
  readonly row?: Row;
}

/** A named parameter. */
export const param = <Value = never>(name: string): RawBuilder<Value> => sql<Value>`${new Slot(name)}`;

/** Named parameters for columns of the same names, for `values()` and `set()`. */
export const params = <const Name extends string>(names: readonly Name[]): Record<Name, RawBuilder<never>> =>
  Object.fromEntries(names.map((name) => [name, param(name)])) as Record<Name, RawBuilder<never>>;

/** The text of a statement and what goes in its places: a named parameter, or a fixed value. */
interface Compiled {
  readonly text: string;
  readonly names: readonly (string | null)[];
  readonly fixed: readonly SqlValue[];
}

const compiled = (query: Compilable): Compiled => {
  const { sql: text, parameters } = query.compile();
  return {
    text,
    names: parameters.map((parameter) => (parameter instanceof Slot ? parameter.name : null)),
    fixed: parameters.map((parameter) => (parameter instanceof Slot ? null : (parameter as SqlValue))),
  };
};

/**
 * A query with named parameters. It is built and compiled when it first runs: doing that for all of them at the start
 * would make it longer by a third.
 */
export const statement = <Row>(query: () => Compilable<Row>): Statement<Row> => {
  let made: Compiled | null = null;
  const make = (): Compiled => {
    made ??= compiled(query());
    return made;
  };
  return {
    get text() {
      return make().text;
    },
    bind(values) {
      const { names, fixed } = make();
      const bound = fixed.slice();
      for (let place = 0; place < names.length; place++) {
        const name = names[place];
        if (name === null || name === undefined) continue;
        const value = values[name];
        if (value === undefined) throw new Error(`no value for parameter ${name}`);
        bound[place] = value;
      }
      return bound;
    },
  };
};

/** A statement whose query is written out in SQL. */
export const sqlStatement = <Row>(
  { build }: { readonly build: QueryExecutorProvider },
  query: RawBuilder<Row>,
): Statement<Row> => statement(() => ({ compile: () => query.compile(build) }));

/**
 * A statement in two forms: for everybody's records, and narrowed to one dealer by parameter `scope`.
 * Which one runs is decided by the scope alone, so that no caller can forget the WHERE.
 */
export const scopedStatement = <Row>(
  query: (narrowed: boolean) => Compilable<Row>,
): ((scope: DealerScope) => Statement<Row>) => {
  const everybody = statement(() => query(false));
  const oneDealer = statement(() => query(true));
  return (scope) => (scope === null ? everybody : oneDealer);
};

const KEPT_SHAPES = 1000;

/** Keeps what is made for a shape, so that each is built and compiled once; bounded, and started afresh when full. */
export const shapeCache = <Made>(): ((shape: string, make: () => Made) => Made) => {
  const kept = new Map<string, Made>();
  return (shape, make) => {
    const known = kept.get(shape);
    if (known !== undefined) return known;
    const made = make();
    if (kept.size >= KEPT_SHAPES) kept.clear();
    kept.set(shape, made);
    return made;
  };
};

/** Keeps statements by shape. */
export const statementCache = <Row>(): ((shape: string, query: () => Compilable<Row>) => Statement<Row>) => {
  const kept = shapeCache<Statement<Row>>();
  return (shape, query) => kept(shape, () => statement(query));
};
