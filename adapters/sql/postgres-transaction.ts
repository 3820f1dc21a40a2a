import type { ReservedSQL } from "bun";
import type { Sql, Values } from "./database.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { isOutcomeOpen } from "./postgres-errors.ts";
import { pinned } from "./postgres-rows.ts";
import type { Statement } from "./statement.ts";

/** Statements on one connection. */
export const sqlOn = (session: ReservedSQL): Sql => ({
  all: async <Row>(statement: Statement<Row>, values: Values) =>
    pinned<Row>(await session.unsafe(statement.text, statement.bind(values))),
});

/**
 * Runs work in one transaction on one connection: made when it resolves, undone when it throws. Only a COMMIT without
 * an answer leaves it unknown whether it was made.
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
    // That is how the server answers when a statement had failed, and the failure was overlooked.
    if (command === "ROLLBACK") throw new Error("a transaction was committed after one of its statements failed");
    return result;
  } catch (error) {
    // A connection that cannot even be rolled back is in doubt: it is not used again.
    if (!isCommitting) await session?.unsafe("ROLLBACK").catch(() => connection.drop());
    throw connection.failure(error, isCommitting && isOutcomeOpen(error));
  } finally {
    await session?.release();
  }
};
