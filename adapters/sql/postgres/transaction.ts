import type { ReservedSQL } from "bun";
import type { Tx } from "../query/database.ts";
import type { Statement, Values } from "../query/statement.ts";
import type { PostgresConnection } from "./connection.ts";
import { postgresQueries } from "./dialect.ts";
import { isOutcomeOpen } from "./errors.ts";
import { withNumbers } from "./rows.ts";

/** Runs statements on one connection. */
export const sqlOn = (session: ReservedSQL): Tx => ({
  ...postgresQueries,
  all: async <Row, Params extends Values = Values>(statement: Statement<Row, Params>, values: NoInfer<Params>) =>
    withNumbers<Row>(await session.unsafe(statement.text, statement.bind(values))),
});

/**
 * Runs work in one transaction on one connection. The transaction is committed if the work resolves, and rolled back if
 * it rejects. The outcome is unknown only if a COMMIT gets no answer.
 */
export const inTransaction = async <Result>(
  connection: PostgresConnection,
  work: (session: ReservedSQL) => Promise<Result>,
): Promise<Result> => {
  let session: ReservedSQL | undefined;
  let isCommitting = false;
  try {
    session = await connection.reserve();
    await session.unsafe("BEGIN");
    const result = await work(session);
    isCommitting = true;
    const { command } = await session.unsafe("COMMIT");
    // If a statement failed and its error was ignored, the server answers COMMIT with ROLLBACK.
    if (command === "ROLLBACK") throw new Error("a transaction was committed after one of its statements failed");
    return result;
  } catch (error) {
    // A connection that cannot even roll back must not be used again.
    if (!isCommitting) await session?.unsafe("ROLLBACK").catch(() => connection.drop());
    throw connection.failure(error, isCommitting && isOutcomeOpen(error));
  } finally {
    await session?.release();
  }
};
