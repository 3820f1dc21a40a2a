import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Clock } from "../../../core/clock.ts";
import { type Claim, type JobKind, LEASE_SECONDS } from "../../../core/jobs/job.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

interface Claimed {
  readonly id: number;
  readonly kind: JobKind;
  readonly subject_id: number;
  readonly attempts: number;
}

const values = (clock: Clock) => ({ now: clock.now(), until: clock.after(LEASE_SECONDS) });

/** So many queues are looked at, those that wait longest. */
const MOST_QUEUES = 1000;
/** So many jobs are tried before others are left to the next look: other processes may be quicker. */
const MOST_TRIED = 8;

/** True for a job that nobody has, or has any more, while no other job of its queue is under way. */
const IS_FREE: RawBuilder<SqlBool> = sql`(owner IS NULL OR lease_until < ${param("now")})
  AND NOT EXISTS (SELECT 1 FROM jobs AS other WHERE other.kind = free.kind AND other.queue = free.queue
    AND other.id <> free.id AND other.owner IS NOT NULL)`;

/** The order in which queues had their last turns in this process, so that none waits behind another's many jobs. */
class Turns {
  private readonly last = new Map<string, number>();
  private begun = 0;

  /** The queues, those first whose last turn is longest ago; the others as they came. */
  inOrder<Waiting extends { readonly queue: number }>(kind: JobKind, waiting: readonly Waiting[]): readonly Waiting[] {
    const of = ({ queue }: Waiting): number => this.last.get(`${kind} ${queue}`) ?? 0;
    return waiting.toSorted((one, other) => of(one) - of(other));
  }

  begin(kind: JobKind, queue: number): void {
    const key = `${kind} ${queue}`;
    // Put behind all others: the map is in the order of the turns.
    this.last.delete(key);
    this.last.set(key, ++this.begun);
    const oldest = this.last.size > MOST_QUEUES ? this.last.keys().next().value : undefined;
    if (oldest !== undefined) this.last.delete(oldest);
  }
}

/** Which process works on what. */
export const makeJobs = (db: SqlDatabase, clock: Clock) => {
  const turns = new Turns();
  const waiting = sqlStatement(
    db,
    sql<{ id: number; queue: number }>`SELECT min(id) AS id, queue FROM jobs AS free
      WHERE kind = ${param("kind")} AND ${IS_FREE} GROUP BY queue ORDER BY min(id) LIMIT ${sql.lit(MOST_QUEUES)}`,
  );
  const locked = db.engine === "postgres" ? sql`FOR UPDATE SKIP LOCKED` : sql``;
  const claimed = sqlStatement(
    db,
    sql<Claimed>`UPDATE jobs SET owner = ${param("owner")}, lease_until = ${param("until")}, attempts = attempts + 1
      WHERE id = (SELECT id FROM jobs AS free WHERE id = ${param("id")} AND ${IS_FREE} ${locked}) AND (owner IS NULL OR lease_until < ${param("now")})
      RETURNING id, kind, subject_id, attempts`,
  );
  const released = sqlStatement(
    db,
    sql<object>`UPDATE jobs SET owner = NULL, lease_until = NULL WHERE id = ${param("id")} AND owner = ${param("owner")}`,
  );

  const taken = async (owner: string, id: number): Promise<Claimed | null> => {
    try {
      const [job] = await db.writeOne(claimed, { ...values(clock), owner, id });
      return job ?? null;
    } catch (error) {
      // Another process took a job of the same queue at the same time.
      if (db.violation(error) === "unique") return null;
      throw error;
    }
  };

  return {
    /** Takes a job of a kind that is free for this process, of the queue whose turn it is; `null` if there is none. */
    async claim(owner: string, kind: JobKind): Promise<Claim | null> {
      const found = turns.inOrder(kind, await db.all(waiting, { now: clock.now(), kind }));
      for (const { id, queue } of found.slice(0, MOST_TRIED)) {
        const job = await taken(owner, id);
        if (job === null) continue;
        turns.begin(kind, queue);
        return { id: job.id, kind: job.kind, subjectId: job.subject_id, attempts: job.attempts, owner };
      }
      return null;
    },

    /** Gives a job back, for any process to go on with it. One that is done or another process's stays what it is. */
    async release({ id, owner }: Claim): Promise<void> {
      await db.writeOne(released, { id, owner });
    },
  };
};

export type Jobs = ReturnType<typeof makeJobs>;

/** Jobs within the transactions of what they are about. */
export const jobsWithin = (db: SqlDatabase, clock: Clock) => {
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
    /** Adds a job, unless there is one for the subject. */
    async add(
      tx: Sql,
      job: { readonly kind: JobKind; readonly queue: number; readonly subject: number },
    ): Promise<void> {
      await tx.all(added, { ...job, now: clock.now() });
    },
    /** Renews the lease, so that nobody else takes the job before the transaction ends; false if somebody has it. */
    async hold(tx: Sql, { id, owner }: Claim): Promise<boolean> {
      return (await tx.all(renewed, { id, owner, until: clock.after(LEASE_SECONDS) })).length > 0;
    },
    /** The job got on: attempts are counted anew. */
    async settle(tx: Sql, { id }: Claim): Promise<void> {
      await tx.all(settled, { id });
    },
    /** The job of a subject is done, whoever has it. */
    async end(tx: Sql, kind: JobKind, subject: number): Promise<void> {
      await tx.all(ended, { kind, subject });
    },
  };
};
