import type { Updateable } from "kysely";
import type { Actor } from "../../../core/access/principal.ts";
import { SERVICE } from "../../../core/access/principal.ts";
import { RANK_OF_SERVICE } from "../../../core/access/rules/only-higher-rank-reactivates.ts";
import type { Clock, Timers } from "../../../core/clock.ts";
import { type Claim, LEASE_SECONDS, LeaseLost } from "../../../core/jobs/job.ts";
import type { Sealing } from "../../../core/sealing.ts";
import { MAX_RUNS } from "../../../core/sources/source.ts";
import type { OpenSource, SourceWork } from "../../../core/sources/source-repository.ts";
import { currentPrincipalOf } from "../access/current-principals.ts";
import { auditTrail } from "../audit/trail.ts";
import { transactionalJobs } from "../jobs/jobs.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Tables } from "../query/tables.ts";
import { importOutcomes } from "./import-outcomes.ts";
import { contextOfCredentials, SOURCE_COLUMNS, storedOf } from "./stored.ts";

/** The lease is renewed three times before it would end. */
const LEASE_RENEWAL_MS = (LEASE_SECONDS * 1000) / 3;

const CREDENTIALS_LOST = "The credentials were sealed with a key that is gone; send them again";

/** Fields of the actor of background work that is done on somebody's behalf. */
const inBackground = { via: "service", address: null, requestId: null } as const satisfies Partial<Actor>;

/** The work of fetching a source, in SQL; see the port for what it guarantees. */
export const makeSourceWork = (
  db: SqlDatabase,
  { clock, sealing }: { readonly clock: Clock & Timers; readonly sealing: () => Promise<Pick<Sealing, "open">> },
): SourceWork => {
  const jobs = transactionalJobs(clock);
  const audit = auditTrail(db);
  const importEnded = importOutcomes(db, clock);
  /**
   * Reads and locks the source. Requesting a run and removing a source also lock it before its job, so that they cannot
   * deadlock.
   */
  const found = (tx: Tx, id: number) =>
    tx
      .selectFrom("import_sources")
      .select([...SOURCE_COLUMNS, "auth", "missing_lately", "actor_key_id", "actor_user_id"])
      .where("id", "=", id)
      .modifyEnd(db.forUpdate)
      .executeTakeFirst();

  const setColumns = (
    tx: Tx,
    { id, dealer }: { readonly id: number; readonly dealer: number },
    columns: Updateable<Tables["import_sources"]>,
  ) => tx.updateTable("import_sources").set(columns).where("id", "=", id).where("dealer_id", "=", dealer).execute();

  /** True if this process still has the job, and the source was not switched off since it was opened. */
  const isWanted = (claim: Claim, { active, dealerId: dealer }: OpenSource): Promise<boolean> =>
    db.write(async (tx) => {
      if (!(await jobs.renewLease(tx, claim))) return false;
      const row = await tx
        .selectFrom("import_sources")
        .select("active")
        .where("id", "=", claim.subjectId)
        .where("dealer_id", "=", dealer)
        .executeTakeFirst();
      return row !== undefined && (row.active === 1 || !active);
    });

  const requireLease = async (tx: Tx, claim: Claim): Promise<void> => {
    if (!(await jobs.renewLease(tx, claim))) throw new LeaseLost(`source ${claim.subjectId} is another process's`);
  };

  return {
    async open(claim) {
      const { open } = await sealing();
      return db.write(async (tx) => {
        const row = await found(tx, claim.subjectId);
        if (!(await jobs.renewLease(tx, claim))) return null;
        if (row === undefined) {
          await jobs.end(tx, "source", claim.subjectId);
          return null;
        }
        const maker = await currentPrincipalOf(tx, { keyId: row.actor_key_id, userId: row.actor_user_id }, clock.now());
        const opened = row.auth === null ? "null" : open(row.auth, contextOfCredentials(row.id));
        return {
          ...storedOf(row),
          problem: opened === null ? CREDENTIALS_LOST : null,
          credentials: opened === null ? null : JSON.parse(opened),
          maker: maker === null ? null : { ...maker, ...inBackground },
          hasMissing: row.missing_lately !== null && row.missing_lately !== "[]",
        };
      });
    },

    async whileRenewingLease(claim, seen, work) {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const endTimer = clock.every(LEASE_RENEWAL_MS, () =>
        // A failure is ignored: if the database does not answer, finishing the work fails, too.
        isWanted(claim, seen).then(
          (isStill) => isStill || end(),
          () => {},
        ),
      );
      try {
        return await work(ended);
      } finally {
        endTimer();
      }
    },

    renewLease: (claim) => db.write((tx) => requireLease(tx, claim)),

    finish: (claim, seen, { run, etag, failures, failingSince, retryAt, event }) =>
      db.write(async (tx) => {
        const id = claim.subjectId;
        const row = await found(tx, id);
        await requireLease(tx, claim);
        await jobs.end(tx, "source", id);
        if (row === undefined) return null;
        const { dealer_id: dealer } = row;
        const runs = JSON.stringify([run, ...storedOf(row).runs].slice(0, MAX_RUNS));
        await setColumns(tx, { id, dealer }, { runs });
        const { status, problem, import_id } = run;
        if (row.updated_at === seen.updatedAt) {
          await setColumns(tx, { id, dealer }, { etag, failures, failing_since: failingSince });
          const isOff = event === "source.switched-off";
          const isSooner = retryAt !== null && row.next_at !== null && retryAt < row.next_at;
          if (isOff || isSooner)
            await setColumns(
              tx,
              { id, dealer },
              {
                active: isOff ? 0 : row.active,
                ended_by: isOff ? RANK_OF_SERVICE : row.ended_by,
                next_at: isOff ? null : retryAt,
              },
            );
          if (event !== null)
            await audit(tx, {
              at: run.at,
              by:
                event === "source.imported" && seen.maker !== null
                  ? { ...seen.maker, importId: import_id ?? 0 }
                  : SERVICE,
              action: event,
              resourceId: id,
              dealerId: dealer,
              before: null,
              after: event === "source.imported" ? { name: row.name, import_id } : { name: row.name, status, problem },
            });
          if (event !== null && problem !== null) return { id, dealerId: dealer, problem };
        }
        // A short import may already have ended.
        return import_id === null ? null : importEnded(tx, { sourceId: id, importId: import_id, dealerId: dealer });
      }),
  };
};
