import type { ReservedSQL } from "bun";
import type { Sql, Values } from "../query/database.ts";
import type { Statement } from "../query/statement.ts";
import type { PostgresConnection } from "./connection.ts";
import { isOutcomeOpen } from "./errors.ts";
import { withNumbers } from "./rows.ts";

/** Statements on one connection. */
export const sqlOn = (session: ReservedSQL): Sql => ({
  all: async <Row>(statement: Statement<Row>, values: Values) =>
    withNumbers<Row>(await session.unsafe(statement.text, statement.bind(values))),
});

/**
 * Runs work in one transaction on one connection: committed when it resolves, rolled back when it rejects. Only a
 * COMMIT without an answer leaves the outcome unknown.
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
    // The server answers a COMMIT with ROLLBACK after a failed statement whose error was ignored.
    if (command === "ROLLBACK") throw new Error("a transaction was committed after one of its statements failed");
    return result;
  } catch (error) {
    // A connection that cannot even roll back is not used again.
    if (!isCommitting) await session?.unsafe("ROLLBACK").catch(() => connection.drop());
    throw connection.failure(error, isCommitting && isOutcomeOpen(error));
  } finally {
    await session?.release();
  }
};
