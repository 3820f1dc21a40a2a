import { sql } from "kysely";
import {
  AnsweredElsewhere,
  type KeptAnswer,
  type KeptAnswerRepository,
  type NamedRequest,
  RunsElsewhere,
} from "../../../core/repeats/kept-answer.ts";
import type { Tx } from "../query/database.ts";
import type { OneTransaction } from "../query/one-transaction.ts";
import type { NewRow } from "../query/tables.ts";

/** The number of answers that are removed at once. */
const REMOVED_AT_ONCE = 200;
/** Finding those beyond a share takes a look at all of its holder's, so that more of them go at once. */
const BEYOND_AT_ONCE = 1000;

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

/** What identifies an answer. */
const IDENTITY = ["key_id", "binding", "method", "path", "name"] as const;

/** Kept answers in SQL; see the port for what it guarantees. */
export const makeKeptAnswers = (transactions: OneTransaction): KeptAnswerRepository => {
  const { db } = transactions;

  /** Keeps an answer. One that has expired is replaced, any other one is not. */
  const keep = async (tx: Tx, answer: KeptAnswer, change: Parameters<KeptAnswerRepository["keepWith"]>[0]) => {
    const values = {
      fingerprint: answer.fingerprint,
      status: answer.status,
      headers: JSON.stringify(answer.headers),
      version: answer.version && JSON.stringify(answer.version),
      body: answer.body,
      holder: change.request.holder,
      bytes: answer.bytes,
      expires_at: change.expiresAt,
    };
    const kept = await tx
      .insertInto("kept_answers")
      .values({ ...valuesOf(change.request), ...values } satisfies NewRow<"kept_answers">)
      .onConflict((conflict) =>
        conflict.columns(IDENTITY).doUpdateSet(values).where("kept_answers.expires_at", "<=", change.now),
      )
      .returning("status")
      .executeTakeFirst();
    if (kept === undefined) throw new AnsweredElsewhere("the request was answered meanwhile");
  };

  /** Only on PostgreSQL can another instance be at work. The lock ends with the transaction. */
  const locks = async (tx: Tx, request: NamedRequest): Promise<boolean> => {
    const lock = sql<{ locked: number }>`SELECT
      CAST(pg_try_advisory_xact_lock(CAST(${lockOf(request)} AS BIGINT)) AS INTEGER) AS locked`;
    return (await lock.execute(tx)).rows[0]?.locked === 1;
  };

  return {
    async find(request, now) {
      const row = await db
        .selectFrom("kept_answers")
        .select(["fingerprint", "status", "headers", "version", "body"])
        .where("key_id", "=", request.keyId)
        .where("binding", "=", request.binding)
        .where("method", "=", request.method)
        .where("path", "=", request.path)
        .where("name", "=", request.name)
        .where("expires_at", ">", now)
        .executeTakeFirst();
      if (row === undefined) return null;
      const { headers, version, ...kept } = row;
      return { ...kept, headers: JSON.parse(headers), version: version === null ? null : JSON.parse(version) };
    },

    keepWith: (change, work, keptOf) =>
      transactions.run(work, {
        async before(tx) {
          if (db.engine === "postgres" && !(await locks(tx, change.request)))
            throw new RunsElsewhere("another instance processes the request");
        },
        isKept: (result) => keptOf(result) !== null,
        async after(tx, result) {
          const answer = keptOf(result);
          if (answer !== null) await keep(tx, answer, change);
        },
      }),

    async removeExpired(now) {
      const expired = db
        .selectFrom("kept_answers")
        .select(IDENTITY)
        .where("expires_at", "<=", now)
        .limit(sql.lit(REMOVED_AT_ONCE));
      const removed = await db
        .deleteFrom("kept_answers")
        .where((answer) => answer(answer.refTuple(...IDENTITY), "in", expired.$asTuple(...IDENTITY)))
        .returning("name")
        .execute();
      return removed.length === REMOVED_AT_ONCE;
    },

    async removeBeyond(holder, share) {
      const newestFirst = sql`OVER (ORDER BY expires_at DESC, ${sql.join(IDENTITY.map((name) => sql.ref(name)))}
        ROWS UNBOUNDED PRECEDING)`;
      const counted = db
        .selectFrom("kept_answers")
        .select([...IDENTITY, sql<number>`COUNT(*) ${newestFirst}`.as("place")])
        .select(sql<number>`SUM(bytes) ${newestFirst}`.as("total"))
        .where("holder", "=", holder);
      const beyond = db
        .selectFrom(counted.as("counted"))
        .select(IDENTITY)
        .where((one) => one.or([one("place", ">", share.answers), one("total", ">", share.bytes)]))
        .limit(sql.lit(BEYOND_AT_ONCE));
      const removed = await db
        .deleteFrom("kept_answers")
        .where((answer) => answer(answer.refTuple(...IDENTITY), "in", beyond.$asTuple(...IDENTITY)))
        .returning("name")
        .execute();
      return removed.length === BEYOND_AT_ONCE;
    },
  };
};
