import { sql, type Updateable } from "kysely";
import type { Clock } from "../../../core/clock.ts";
import { fetchesPhotos, isResting } from "../../../core/imports/import.ts";
import type {
  ImportStep,
  ImportWork,
  ProcessedRow,
  RowStep,
  StoredImport,
} from "../../../core/imports/import-repository.ts";
import { FILE_RETENTION_SECONDS } from "../../../core/imports/retention.ts";
import { type Claim, LeaseLost } from "../../../core/jobs/job.ts";
import type { FailingSource } from "../../../core/sources/source-repository.ts";
import { currentPrincipalOf } from "../access/current-principals.ts";
import { auditTrail } from "../audit/trail.ts";
import { transactionalJobs } from "../jobs/jobs.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { isOneOf } from "../query/slices.ts";
import type { Tables } from "../query/tables.ts";
import type { VehicleWords } from "../search/vehicle-words.ts";
import { importOutcomes } from "../sources/import-outcomes.ts";
import { ownersOfSources, statusesOfBases } from "./bases.ts";
import { fileBytes } from "./file-pieces.ts";
import { formerKeysOf } from "./former-keys.ts";
import { missingVehicles } from "./missing-vehicles.ts";
import { rowResults } from "./row-results.ts";
import { rowSteps } from "./row-steps.ts";
import { IMPORT_COLUMNS, QUEUE_OF_MANY_DEALERS, storedOf, storedProgress } from "./stored.ts";
import { waitingPhotos } from "./waiting-photos.ts";

const DONE_ROWS_PER_READ = 500;

/** The work of an import, in SQL; see the port for what it guarantees. */
export const makeImportWork = (
  db: SqlDatabase,
  {
    clock,
    warnOfSource = () => {},
    ...parts
  }: {
    readonly clock: Clock;
    readonly words: VehicleWords;
    readonly pause: () => Promise<void>;
    /** Is called for a source that keeps failing. */
    readonly warnOfSource?: (source: FailingSource) => void;
  },
): ImportWork => {
  const jobs = transactionalJobs(clock);
  const steps = rowSteps(db, parts);
  const storeRows = rowResults(db, parts.pause);
  const audit = auditTrail(db);
  const missing = missingVehicles(db);
  const statusesOf = statusesOfBases(db);
  const fieldOwners = ownersOfSources(db);
  const photos = waitingPhotos(db, parts.pause);
  const formerKeys = formerKeysOf(db);
  const recordOutcome = importOutcomes(db, clock);
  /** The steps of each job, by the job's id. Statements are compiled only once for each import. */
  const stepsByJob = new Map<number, ReturnType<typeof steps.join>>();

  /** Cancelling, deleting and running all lock the import before its job, so that they cannot deadlock. */
  const locked = (tx: Tx, id: number) =>
    tx.selectFrom("imports").select(IMPORT_COLUMNS).where("id", "=", id).modifyEnd(db.forUpdate).executeTakeFirst();

  const setColumns = (tx: Tx, id: number, columns: Updateable<Tables["imports"]>) =>
    tx.updateTable("imports").set(columns).where("id", "=", id).execute();

  /** Runs a transaction if this process still has the job. */
  const withLease = <Result>(claim: Claim, work: (tx: Tx, present: StoredImport) => Promise<Result>): Promise<Result> =>
    db.write(async (tx) => {
      const row = await locked(tx, claim.subjectId);
      if (!(await jobs.renewLease(tx, claim))) throw new LeaseLost(`import ${claim.subjectId} is another process's`);
      if (row === undefined) throw new LeaseLost(`import ${claim.subjectId} is gone`);
      return work(tx, storedOf(row));
    });

  const stepIn = (
    tx: Tx,
    claim: Claim,
    { rows, present }: { readonly rows: RowStep; readonly present: StoredImport },
  ) => {
    const { id } = present;
    let isEnded = false;
    let failing: FailingSource | null = null;
    const step: ImportStep = {
      ...rows,
      ...missing.inStep(tx, present),
      ...statusesOf(tx, present),
      ...photos.inStep(tx, present),
      current: present,
      importer: () => currentPrincipalOf(tx, present.by, clock.now()),
      async vehiclesOf(dealer, ids) {
        const found = await tx
          .selectFrom("vehicles")
          .select("id")
          .where("dealer_id", "=", dealer)
          .where(isOneOf(db, ids))
          .orderBy("id")
          .modifyEnd(db.forUpdate)
          .execute();
        return steps.documentsOf(tx, found);
      },
      storeRows: (rows) => storeRows(tx, id, rows),
      async become(next) {
        if (next.state === "running") {
          await setColumns(tx, id, { progress: storedProgress(next.progress) });
          return jobs.resetAttempts(tx, claim);
        }
        const { state, progress = present.progress, error } = next;
        const now = clock.now();
        await setColumns(tx, id, {
          state,
          stops: 0,
          finished_at: now,
          progress: storedProgress(progress),
          error: error === undefined ? null : JSON.stringify(error),
          file_until: isResting(state) ? clock.after(FILE_RETENTION_SECONDS) : null,
        });
        await jobs.end(tx, "import", id);
        if (fetchesPhotos(state) && present.images.waiting > 0)
          await jobs.add(tx, { kind: "import-photos", queue: present.dealerId ?? QUEUE_OF_MANY_DEALERS, subject: id });
        await audit(tx, {
          at: now,
          by: { ...present.by, importId: id },
          action: "import.ended",
          resourceId: id,
          dealerId: present.dealerId,
          before: null,
          after: { state, ...progress.counts },
          recordName: present.file.name,
        });
        const { sourceId, dealerId } = present;
        if (sourceId !== null && dealerId !== null)
          failing = await recordOutcome(tx, { sourceId, importId: id, dealerId });
        isEnded = true;
      },
    };
    return { step, came: () => ({ isEnded, failing }) };
  };

  return {
    async open(claim) {
      return db.write(async (tx) => {
        await locked(tx, claim.subjectId);
        if (!(await jobs.renewLease(tx, claim))) return null;
        const row = await tx
          .updateTable("imports")
          .set((eb) => ({ state: "running", started_at: eb.fn.coalesce("started_at", sql.val(clock.now())) }))
          .where("id", "=", claim.subjectId)
          .where("state", "in", ["queued", "running"])
          .returning(IMPORT_COLUMNS)
          .executeTakeFirst();
        if (row !== undefined) return storedOf(row);
        await jobs.end(tx, "import", claim.subjectId);
        return null;
      });
    },

    async *processedRows(id, done) {
      for (let after = 0; ; ) {
        const rows: readonly (ProcessedRow & { readonly place: number })[] = await db
          .selectFrom("import_rows")
          .select(["place", "outcome", "dealer_id", "vehicle_id", "vin", "stock_number"])
          .where("import_id", "=", id)
          .where("place", ">", after)
          .where("place", "<=", done)
          .orderBy("place")
          .limit(sql.lit(DONE_ROWS_PER_READ))
          .execute();
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows;
        after = last.place;
      }
    },

    missing: missing.of,

    fieldOwners,

    formerKeys,

    bytesFrom: fileBytes(db),

    async step(claim, work) {
      const ownSteps = stepsByJob.get(claim.id) ?? steps.join();
      // It is removed first, because it remembers what it has stored. That would be wrong if the step is not committed.
      stepsByJob.delete(claim.id);
      const { result, isEnded, failing } = await withLease(claim, (tx, present) =>
        ownSteps.within(tx, async (rows) => {
          const { step, came } = stepIn(tx, claim, { rows, present });
          return { result: await work(step), ...came() };
        }),
      );
      if (!isEnded) stepsByJob.set(claim.id, ownSteps);
      if (failing !== null) warnOfSource(failing);
      return result;
    },
  };
};
