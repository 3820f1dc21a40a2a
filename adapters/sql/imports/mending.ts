import type { Clock } from "../../../core/clock.ts";
import { fetchesPhotos } from "../../../core/imports/import.ts";
import type { MendingStep, RowMending } from "../../../core/imports/import-repository.ts";
import { currentPrincipalOf } from "../access/current-principals.ts";
import { transactionalJobs } from "../jobs/jobs.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { VehicleWords } from "../search/vehicle-words.ts";
import { rowResults } from "./row-results.ts";
import { rowSteps } from "./row-steps.ts";
import { importIn } from "./statements.ts";
import { QUEUE_OF_MANY_DEALERS, type StoredResult, storedOf, storedProgress } from "./stored.ts";
import { waitingPhotos } from "./waiting-photos.ts";

/** Mends failed rows, in SQL; see the port for what it guarantees. */
export const makeRowMending = (
  db: SqlDatabase,
  { clock, ...parts }: { readonly clock: Clock; readonly words: VehicleWords; readonly pause: () => Promise<void> },
): RowMending => {
  const steps = rowSteps(db, parts);
  const storeRows = rowResults(db, parts.pause);
  const photos = waitingPhotos(db, parts.pause);
  const jobs = transactionalJobs(clock);

  const failedRows = async (tx: Tx, id: number, rows: readonly number[]): ReturnType<MendingStep["failedRows"]> => {
    const found = await tx
      .selectFrom("import_rows")
      .select(["place", "result", "cells"])
      .where("import_id", "=", id)
      .where("outcome", "=", "failed")
      .where("place", "in", [...rows])
      .execute();
    return new Map(
      found.map(({ place, result, cells }) => {
        const { line, errors } = JSON.parse(result) as StoredResult;
        const bytes = Buffer.byteLength(result) + Buffer.byteLength(cells ?? "");
        return [place, { line, errors, bytes, cells: cells === null ? [] : JSON.parse(cells) }];
      }),
    );
  };

  return {
    within: ({ id, scope }, work) =>
      db.write(async (tx) => {
        const row = await importIn(tx, { id, scope }).modifyEnd(db.forUpdate).executeTakeFirst();
        if (row === undefined) return null;
        return steps.join().within(tx, (rowStep) => {
          const current = storedOf(row);
          const step: MendingStep = {
            ...rowStep,
            current,
            importer: () => currentPrincipalOf(tx, current.by, clock.now()),
            async fetchLater(waiting) {
              if (!fetchesPhotos(current.state) || waiting.length === 0) return;
              await photos.inStep(tx, current).fetchLater(waiting);
              const queue = current.dealerId ?? QUEUE_OF_MANY_DEALERS;
              await jobs.add(tx, { kind: "import-photos", queue, subject: id });
            },
            failedRows: (rows) => failedRows(tx, id, rows),
            storeRows: (rows) => storeRows(tx, id, rows),
            async progressed(progress) {
              await tx
                .updateTable("imports")
                .set({ progress: storedProgress(progress) })
                .where("id", "=", id)
                .execute();
            },
          };
          return work(step);
        });
      }),
  };
};
