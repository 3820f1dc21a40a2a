import type { Sql, SqlDatabase } from "./database.ts";
import type { Statement } from "./statement.ts";

/** A step of a request that is followed. */
interface TracedStep {
  within<Result>(
    made: {
      readonly name: string;
      readonly isOfDatabase: true;
      readonly attributes: Readonly<Record<string, string>>;
    },
    work: (step: TracedStep) => Result,
  ): Result;
}

/** Knows the step that is under way. */
export interface DatabaseTracer {
  current(): TracedStep | null;
}

const MAX_TEXT = 2000;
const TABLE = /(?:from|into|update) "([a-z_]{1,60})"/;

type Facts = Parameters<TracedStep["within"]>[0];

/** The same database, with each statement recorded as a step of the request that is followed: its text, not its values. */
export const withSpans = (db: SqlDatabase, tracer: DatabaseTracer): SqlDatabase => {
  const system = db.engine === "postgres" ? "postgresql" : db.engine;
  const known = new WeakMap<Statement<unknown>, Facts>();
  const factsOf = (statement: Statement<unknown>): Facts => {
    const kept = known.get(statement);
    if (kept !== undefined) return kept;
    const { text } = statement;
    const operation = (/^\s{0,20}([a-z]{1,20})/i.exec(text)?.[1] ?? "statement").toUpperCase();
    const table = TABLE.exec(text)?.[1];
    const made: Facts = {
      name: table === undefined ? operation : `${operation} ${table}`,
      isOfDatabase: true,
      attributes: {
        "db.system.name": system,
        "db.operation.name": operation,
        ...(table !== undefined && { "db.collection.name": table }),
        "db.query.text": text.slice(0, MAX_TEXT),
      },
    };
    known.set(statement, made);
    return made;
  };
  const transaction: Facts = {
    name: "TRANSACTION",
    isOfDatabase: true,
    attributes: { "db.system.name": system, "db.operation.name": "TRANSACTION" },
  };
  const followed = <Result>(statement: Statement<unknown>, run: () => Result): Result => {
    const step = tracer.current();
    return step === null ? run() : step.within(factsOf(statement), run);
  };
  // The work of a transaction begins when its turn comes, where the request is no longer known.
  const below = <Where extends Sql>(sql: Where, step: TracedStep): Where => ({
    ...sql,
    all: (statement, values) => step.within(factsOf(statement), () => sql.all(statement, values)),
  });
  return {
    ...db,
    all: (statement, values) => followed(statement, () => db.all(statement, values)),
    first: (statement, values) => followed(statement, () => db.first(statement, values)),
    longReads: {
      ...db.longReads,
      all: (statement, values) => followed(statement, () => db.longReads.all(statement, values)),
    },
    writeOne: (statement, values) => followed(statement, () => db.writeOne(statement, values)),
    write(work, moreMs) {
      const step = tracer.current();
      if (step === null) return db.write(work, moreMs);
      return step.within(transaction, (own) => db.write((sql) => work(below(sql, own)), moreMs));
    },
    exportSnapshot(work) {
      const step = tracer.current();
      if (step === null) return db.exportSnapshot(work);
      return db.exportSnapshot((sql) => work(below(sql, step)));
    },
  };
};
