import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Clock, Timestamp } from "../../../core/clock.ts";
import { type Claim, type JobKind, LEASE_SECONDS } from "../../../core/jobs/job.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { NewRow } from "../query/tables.ts";

/** The maximum number of queues that are considered. They are those that have waited longest. */
const MAX_QUEUES = 1000;
/** The maximum number of jobs that are tried at once. Other processes may claim some of them first. */
const MAX_CLAIMS_TRIED = 8;

/** True for a job without a valid lease. */
const isUnheld = (now: Timestamp): RawBuilder<SqlBool> => sql`(owner IS NULL OR lease_until < ${now})`;

/** True for a job without a valid lease, if no other job of its queue is running. */
const isFree = (now: Timestamp): RawBuilder<SqlBool> => sql`${isUnheld(now)}
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
  const waiting = (kind: JobKind) =>
    db
      .selectFrom("jobs as free")
      .select((free) => ["queue", free.fn.min("id").as("id")])
      .where("kind", "=", kind)
      .where(isFree(clock.now()))
      .groupBy("queue")
      .orderBy((free) => free.fn.min("id"))
      .limit(sql.lit(MAX_QUEUES))
      .execute();

  const tryClaim = async (owner: string, id: number) => {
    const now = clock.now();
    const free = db.selectFrom("jobs as free").select("id").where("id", "=", id).where(isFree(now));
    try {
      const job = await db
        .updateTable("jobs")
        .set((job) => ({ owner, lease_until: clock.after(LEASE_SECONDS), attempts: job("attempts", "+", sql.lit(1)) }))
        .where("id", "=", db.engine === "postgres" ? free.forUpdate().skipLocked() : free)
        .where(isUnheld(now))
        .returning(["id", "kind", "subject_id", "attempts"])
        .executeTakeFirst();
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
      const found = turns.inOrder(kind, await waiting(kind));
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
      await db
        .updateTable("jobs")
        .set({ owner: null, lease_until: null })
        .where("id", "=", id)
        .where("owner", "=", owner)
        .execute();
    },
  };
};

export type Jobs = ReturnType<typeof makeJobs>;

/** Changes jobs within the transactions that change their subjects. */
export const transactionalJobs = (clock: Clock) => ({
  /** Adds a job, unless there already is one for the subject. */
  async add(
    tx: Tx,
    { kind, queue, subject }: { readonly kind: JobKind; readonly queue: number; readonly subject: number },
  ): Promise<void> {
    const free = { owner: null, lease_until: null, attempts: 0 };
    await tx
      .insertInto("jobs")
      .values({ kind, queue, subject_id: subject, created_at: clock.now(), ...free } satisfies NewRow<"jobs">)
      .onConflict((conflict) => conflict.columns(["kind", "subject_id"]).doNothing())
      .execute();
  },
  /**
   * Renews the lease, so that nobody else claims the job before the transaction ends. Returns false if another
   * process has it.
   */
  async renewLease(tx: Tx, { id, owner }: Claim): Promise<boolean> {
    const renewed = await tx
      .updateTable("jobs")
      .set({ lease_until: clock.after(LEASE_SECONDS) })
      .where("id", "=", id)
      .where("owner", "=", owner)
      .returning("id")
      .execute();
    return renewed.length > 0;
  },
  /** Resets the number of attempts, because the job has made progress. */
  async resetAttempts(tx: Tx, { id }: Claim): Promise<void> {
    await tx.updateTable("jobs").set({ attempts: 1 }).where("id", "=", id).where("attempts", "!=", 1).execute();
  },
  /** Deletes the job of a subject, whichever process has it. */
  async end(tx: Tx, kind: JobKind, subject: number): Promise<void> {
    await tx.deleteFrom("jobs").where("kind", "=", kind).where("subject_id", "=", subject).execute();
  },
});
