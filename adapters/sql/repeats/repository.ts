import { sql } from "kysely";
import {
  AnsweredElsewhere,
  type KeptAnswer,
  type KeptAnswerRepository,
  type NamedRequest,
  RunsElsewhere,
} from "../../../core/repeats/kept-answer.ts";
import type { Sql } from "../query/database.ts";
import type { OneTransaction } from "../query/one-transaction.ts";
import { param, params, sqlStatement, statement } from "../query/statement.ts";
import type { NewRow } from "../query/tables.ts";

/** The number of answers that are removed at once. */
const REMOVED_AT_ONCE = 200;

const valuesOf = ({ keyId, binding, method, path, name }: NamedRequest) => ({
  key_id: keyId,
  binding,
  method,
  path,
  name,
});

/** The number of the lock for a request. Two of 2^64 requests would share one, and then only wait for each other. */
const lockOf = (request: NamedRequest): string =>
  new Bun.CryptoHasher("sha256")
    .update(JSON.stringify(Object.values(valuesOf(request))))
    .digest()
    .readBigInt64BE()
    .toString();

const statementsOf = ({ db }: OneTransaction) => {
  const key = sql`key_id = ${param("key_id")} AND binding = ${param("binding")} AND method = ${param("method")}
    AND path = ${param("path")} AND name = ${param("name")}`;
  return {
    found: sqlStatement(
      db,
      sql<{ fingerprint: string; status: number; headers: string; version: string | null; body: string | null }>`SELECT
        fingerprint, status, headers, version, body FROM kept_answers WHERE ${key} AND expires_at > ${param("now")}`,
    ),
    // An answer that has expired is replaced. Any other one is not.
    kept: statement(() =>
      db.build
        .insertInto("kept_answers")
        .values(
          params([
            ...(["key_id", "binding", "method", "path", "name"] as const),
            ...(["fingerprint", "status", "headers", "version", "body", "expires_at"] as const),
          ]) satisfies NewRow<"kept_answers">,
        )
        .onConflict((conflict) =>
          conflict
            .columns(["key_id", "binding", "method", "path", "name"])
            .doUpdateSet(params(["fingerprint", "status", "headers", "version", "body", "expires_at"]))
            .where("kept_answers.expires_at", "<=", param("now")),
        )
        .returning("status"),
    ),
    // Only on PostgreSQL can another instance be at work. The lock ends with the transaction.
    locked: sqlStatement(
      db,
      sql<{
        locked: number;
      }>`SELECT CAST(pg_try_advisory_xact_lock(CAST(${param("lock")} AS BIGINT)) AS INTEGER) AS locked`,
    ),
    expired: sqlStatement(
      db,
      sql<{ name: string }>`DELETE FROM kept_answers WHERE (key_id, binding, method, path, name) IN (
        SELECT key_id, binding, method, path, name FROM kept_answers WHERE expires_at <= ${param("now")}
        LIMIT ${sql.lit(REMOVED_AT_ONCE)}) RETURNING name`,
    ),
  };
};

/** Kept answers in SQL; see the port for what it guarantees. */
export const makeKeptAnswers = (transactions: OneTransaction): KeptAnswerRepository => {
  const { db } = transactions;
  const statements = statementsOf(transactions);

  const keep = async (tx: Sql, answer: KeptAnswer, change: Parameters<KeptAnswerRepository["keepWith"]>[0]) => {
    const rows = await tx.all(statements.kept, {
      ...valuesOf(change.request),
      fingerprint: answer.fingerprint,
      status: answer.status,
      headers: JSON.stringify(answer.headers),
      version: answer.version && JSON.stringify(answer.version),
      body: answer.body,
      expires_at: change.expiresAt,
      now: change.now,
    });
    if (rows.length === 0) throw new AnsweredElsewhere("the request was answered meanwhile");
  };

  return {
    async find(request, now) {
      const [row] = await db.all(statements.found, { ...valuesOf(request), now });
      if (row === undefined) return null;
      const { headers, version, ...kept } = row;
      return { ...kept, headers: JSON.parse(headers), version: version === null ? null : JSON.parse(version) };
    },

    keepWith: (change, work, keptOf) =>
      transactions.run(work, {
        async before(tx) {
          if (db.engine === "sqlite") return;
          const [row] = await tx.all(statements.locked, { lock: lockOf(change.request) });
          if (row?.locked !== 1) throw new RunsElsewhere("another instance processes the request");
        },
        isKept: (result) => keptOf(result) !== null,
        async after(tx, result) {
          const answer = keptOf(result);
          if (answer !== null) await keep(tx, answer, change);
        },
      }),

    removeExpired: async (now) => (await db.writeOne(statements.expired, { now })).length === REMOVED_AT_ONCE,
  };
};
