import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Clock } from "../../../core/clock.ts";
import { type Claim, type JobKind, LEASE_SECONDS } from "../../../core/jobs/job.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

interface ClaimedRow {
  readonly id: number;
  readonly kind: JobKind;
  readonly subject_id: number;
  readonly attempts: number;
}

const values = (clock: Clock) => ({ now: clock.now(), until: clock.after(LEASE_SECONDS) });

/** The maximum number of queues that are considered. They are those that have waited longest. */
const MAX_QUEUES = 1000;
/** The maximum number of jobs that are tried at once. Other processes may claim some of them first. */
const MAX_CLAIMS_TRIED = 8;

/** True for a job without a valid lease, if no other job of its queue is running. */
const IS_FREE: RawBuilder<SqlBool> = sql`(owner IS NULL OR lease_until < ${param("now")})
  AND NOT EXISTS (SELECT 1 FROM jobs AS other WHERE other.kind = free.kind AND other.queue = free.queue
    AND other.id <> free.id AND other.owner IS NOT NULL)`;

/** Remembers when each queue had its last turn in this process. So no queue has to wait for all jobs of another one. */
class QueueTurns {
  private readonly last = new Map<string, number>();
  private begun = 0;

  /**
   * The queues in the order of their last turns, the one that has waited longest first. Equal ones keep their order.
   */
  inOrder<Waiting extends { readonly queue: number }>(kind: JobKind, waiting: readonly Waiting[]): readonly Waiting[] {
    const of = ({ queue }: Waiting): number => this.last.get(`${kind} ${queue}`) ?? 0;
    return waiting.toSorted((one, other) => of(one) - of(other));
  }

  begin(kind: JobKind, queue: number): void {
    const key = `${kind} ${queue}`;
    // It is moved to the end, so that the map is in the order of the turns.
    this.last.delete(key);
    this.last.set(key, ++this.begun);
    const oldest = this.last.size > MAX_QUEUES ? this.last.keys().next().value : undefined;
    if (oldest !== undefined) this.last.delete(oldest);
  }
}

/** Decides which process works on which job. */
export const makeJobs = (db: SqlDatabase, clock: Clock) => {
  const turns = new QueueTurns();
  const waiting = sqlStatement(
    db,
    sql<{ id: number; queue: number }>`SELECT min(id) AS id, queue FROM jobs AS free
      WHERE kind = ${param("kind")} AND ${IS_FREE} GROUP BY queue ORDER BY min(id) LIMIT ${sql.lit(MAX_QUEUES)}`,
  );
  const locked = db.engine === "postgres" ? sql`FOR UPDATE SKIP LOCKED` : sql``;
  const claimed = sqlStatement(
    db,
    sql<ClaimedRow>`UPDATE jobs SET owner = ${param("owner")}, lease_until = ${param("until")}, attempts = attempts + 1
      WHERE id = (SELECT id FROM jobs AS free WHERE id = ${param("id")} AND ${IS_FREE} ${locked}) AND (owner IS NULL OR lease_until < ${param("now")})
      RETURNING id, kind, subject_id, attempts`,
  );
  const released = sqlStatement(
    db,
    sql<object>`UPDATE jobs SET owner = NULL, lease_until = NULL WHERE id = ${param("id")} AND owner = ${param("owner")}`,
  );

  const tryClaim = async (owner: string, id: number): Promise<ClaimedRow | null> => {
    try {
      const [job] = await db.writeOne(claimed, { ...values(clock), owner, id });
      return job ?? null;
    } catch (error) {
      // Another process has claimed a job of the same queue at the same time.
      if (db.violation(error) === "unique") return null;
      throw error;
    }
  };

  return {
    /** Claims a free job of this kind, from the queue whose turn it is; `null` if there is none. */
    async claim(owner: string, kind: JobKind): Promise<Claim | null> {
      const found = turns.inOrder(kind, await db.all(waiting, { now: clock.now(), kind }));
      for (const { id, queue } of found.slice(0, MAX_CLAIMS_TRIED)) {
        const job = await tryClaim(owner, id);
        if (job === null) continue;
        turns.begin(kind, queue);
        return { id: job.id, kind: job.kind, subjectId: job.subject_id, attempts: job.attempts, owner };
      }
      return null;
    },

    /**
     * Gives a job back, so that any process can continue it. Nothing happens if the job is finished, or if another
     * process has it.
     */
    async release({ id, owner }: Claim): Promise<void> {
      await db.writeOne(released, { id, owner });
    },
  };
};

export type Jobs = ReturnType<typeof makeJobs>;

/** Changes jobs within the transactions that change their subjects. */
export const transactionalJobs = (db: SqlDatabase, clock: Clock) => {
  const added = sqlStatement(
    db,
    sql<object>`INSERT INTO jobs (kind, queue, subject_id, created_at)
      VALUES (${param("kind")}, ${param("queue")}, ${param("subject")}, ${param("now")})
      ON CONFLICT (kind, subject_id) DO NOTHING`,
  );
  const renewed = sqlStatement(
    db,
    sql<{ id: number }>`UPDATE jobs SET lease_until = ${param("until")}
      WHERE id = ${param("id")} AND owner = ${param("owner")} RETURNING id`,
  );
  const settled = sqlStatement(
    db,
    sql<object>`UPDATE jobs SET attempts = 1 WHERE id = ${param("id")} AND attempts <> 1`,
  );
  const ended = sqlStatement(
    db,
    sql<object>`DELETE FROM jobs WHERE kind = ${param("kind")} AND subject_id = ${param("subject")}`,
  );

  return {
    /** Adds a job, unless there already is one for the subject. */
    async add(
      tx: Sql,
      job: { readonly kind: JobKind; readonly queue: number; readonly subject: number },
    ): Promise<void> {
      await tx.all(added, { ...job, now: clock.now() });
    },
    /**
     * Renews the lease, so that nobody else claims the job before the transaction ends. Returns false if another
     * process has it.
     */
    async renewLease(tx: Sql, { id, owner }: Claim): Promise<boolean> {
      return (await tx.all(renewed, { id, owner, until: clock.after(LEASE_SECONDS) })).length > 0;
    },
    /** Resets the number of attempts, because the job has made progress. */
    async resetAttempts(tx: Sql, { id }: Claim): Promise<void> {
      await tx.all(settled, { id });
    },
    /** Deletes the job of a subject, whichever process has it. */
    async end(tx: Sql, kind: JobKind, subject: number): Promise<void> {
      await tx.all(ended, { kind, subject });
    },
  };
};
