import { type Compilable, type QueryExecutorProvider, type RawBuilder, type SqlBool, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";

/** A value that both engines can bind. */
export type SqlValue = string | number | null;

/** Values for the named parameters of a statement. */
export type Values = Readonly<Record<string, SqlValue>>;

/** Values for parameters of these names. */
export type ValuesOf<Name extends string> = Readonly<Record<Name, SqlValue>>;

/** Marks the place of a named parameter in a compiled statement. */
class NamedParameter {
  constructor(readonly name: string) {}
}

/** A statement that is compiled once. `Row` is the type of its rows, `Params` that of the values that it takes. */
export interface Statement<Row, Params extends Values = Values> {
  readonly text: string;
  /**
   * Returns the values in the order of the placeholders. Throws if a parameter has no value, so that no statement runs
   * with only some of its values.
   */
  bind(values: Params): SqlValue[];
  readonly row?: Row;
}

/** A named parameter. */
export const param = <Value = never>(name: string): RawBuilder<Value> => sql<Value>`${new NamedParameter(name)}`;

/** Named parameters for the columns of the same names, for `values()` and `set()`. */
export const params = <const Name extends string>(names: readonly Name[]): Record<Name, RawBuilder<never>> =>
  Object.fromEntries(names.map((name) => [name, param(name)])) as Record<Name, RawBuilder<never>>;

/**
 * A parameter of a statement whose values are known by name and type: another name does not compile. Where it may be
 * `null`, a comparison with it is not true.
 */
export type Param<Params extends Values> = <Name extends keyof Params & string>(
  name: Name,
) => RawBuilder<Exclude<Params[Name], null>>;

/**
 * A part of a WHERE with the values of its parameters. Parts of the same form have the same SQL text, whatever their
 * values.
 */
export interface Condition {
  readonly form: string;
  readonly where: () => RawBuilder<SqlBool>;
  readonly values: Values;
}

/** Makes a condition. It names only parameters that have a value. */
export const condition = <const Params extends Values>(
  form: string,
  values: Params,
  where: (param: Param<Params>) => RawBuilder<SqlBool>,
): Condition => ({ form, values, where: () => where(param) });

/** The text of a statement. For each placeholder, there is the name of its parameter or a fixed value. */
interface Compiled {
  readonly text: string;
  readonly names: readonly (string | null)[];
  readonly fixed: readonly SqlValue[];
}

const compiled = (query: Compilable): Compiled => {
  const { sql: text, parameters } = query.compile();
  return {
    text,
    names: parameters.map((parameter) => (parameter instanceof NamedParameter ? parameter.name : null)),
    fixed: parameters.map((parameter) => (parameter instanceof NamedParameter ? null : (parameter as SqlValue))),
  };
};

/** The placeholders of PostgreSQL. SQLite's have no numbers. */
const NUMBERED = /\$(\d+)/g;

/** The same statement with one placeholder for each name, where placeholders have numbers. */
const withoutRepeats = ({ text, names, fixed }: Compiled): Compiled => {
  const kept: number[] = [];
  const numbers = names.map((name, place) => {
    const known = name === null ? undefined : kept.findIndex((other) => names[other] === name);
    return known === undefined || known === -1 ? kept.push(place) : known + 1;
  });
  if (kept.length === names.length || !text.includes("$1")) return { text, names, fixed };
  return {
    text: text.replace(NUMBERED, (_, number) => `$${numbers[Number(number) - 1]}`),
    names: kept.map((place) => names[place] ?? null),
    fixed: kept.map((place) => fixed[place] ?? null),
  };
};

/**
 * A query with named parameters. It is compiled when it first runs, as compiling all queries would delay the start. Its
 * parameters are those of `Params`, in the query and where it runs. With `isSentOnce`, PostgreSQL is sent each value
 * once, however often the query names it: then all of its places must have one type.
 */
export const statement = <Params extends Values = Values, Row = unknown>(
  query: (param: Param<Params>) => Compilable<Row>,
  isSentOnce = false,
): Statement<Row, Params> => {
  let made: Compiled | null = null;
  const make = (): Compiled => {
    made ??= isSentOnce ? withoutRepeats(compiled(query(param))) : compiled(query(param));
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
        const value: SqlValue | undefined = values[name];
        if (value === undefined) throw new Error(`no value for parameter ${name}`);
        bound[place] = value;
      }
      return bound;
    },
  };
};

/** A statement written in SQL. */
export const sqlStatement = <Row, Params extends Values = Values>(
  db: QueryExecutorProvider,
  query: RawBuilder<Row> | ((param: Param<Params>) => RawBuilder<Row>),
  isSentOnce = false,
): Statement<Row, Params> =>
  statement(
    (param) => ({ compile: () => (typeof query === "function" ? query(param) : query).compile(db) }),
    isSentOnce,
  );

/**
 * A statement whose text is made from those of others, in their order. Each of them is compiled by itself, so that it can be
 * done in several turns of the event loop, and again for none that is known.
 */
export const combinedStatement = <Row>(
  parts: readonly Statement<unknown>[],
  combine: (texts: readonly string[]) => string,
): Statement<Row> => {
  let placeholders = 0;
  const texts = parts.map(({ text }) => {
    const before = placeholders;
    return text.replace(NUMBERED, (_, number) => {
      placeholders++;
      return `$${Number(number) + before}`;
    });
  });
  return { text: combine(texts), bind: (values) => parts.flatMap((part) => part.bind(values)) };
};

/**
 * A statement in two variants: one for the records of all dealers, and one that is restricted to the dealer in
 * parameter `scope`. The variant is chosen by the scope alone, so that no caller can forget the WHERE.
 */
export const scopedStatement = <Row, Params extends Values = Values>(
  query: (narrowed: boolean, param: Param<Params>) => Compilable<Row>,
): ((scope: DealerScope) => Statement<Row, Params>) => {
  const everybody = statement<Params, Row>((param) => query(false, param));
  const oneDealer = statement<Params, Row>((param) => query(true, param));
  return (scope) => (scope === null ? everybody : oneDealer);
};

const MAX_CACHED_SHAPES = 1000;

/** Caches what is built for a shape of a query. Its size is limited: when it is full, it is emptied. */
export const shapeCache = <Made>(): ((shape: string, make: () => Made) => Made) => {
  const cache = new Map<string, Made>();
  return (shape, make) => {
    const known = cache.get(shape);
    if (known !== undefined) return known;
    const made = make();
    if (cache.size >= MAX_CACHED_SHAPES) cache.clear();
    cache.set(shape, made);
    return made;
  };
};

/** Caches statements by the shape of their query. */
export const statementCache = <Row>(): ((shape: string, query: () => Compilable<Row>) => Statement<Row>) => {
  const cached = shapeCache<Statement<Row>>();
  return (shape, query) => cached(shape, () => statement(query));
};
