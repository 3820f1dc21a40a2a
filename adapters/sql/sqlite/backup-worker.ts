import { parentPort, workerData } from "node:worker_threads";
import { backUp } from "./backup.ts";
import type { BackupOutcome, BackupWork } from "./backup-thread.ts";
import { faultOf } from "./inspection.ts";

const work = workerData as BackupWork;

const outcome = (): BackupOutcome => {
  try {
    if (work.database !== null) backUp(work.database, work.file);
    return { fault: work.database === null ? faultOf(work.file) : null };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
};

parentPort?.postMessage(outcome());
