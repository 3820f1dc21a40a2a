import { Worker } from "node:worker_threads";

/** What the thread does: it copies a database into a file, or only verifies the file. */
export interface BackupWork {
  /** The database to copy; `null` to verify the file. */
  readonly database: string | null;
  readonly file: string;
}

/** How that went. `fault` is `null` if the file is a complete and intact copy. */
export interface BackupOutcome {
  readonly fault: string | null;
}

/** In the compiled program, the thread's module has the path of its source file. */
const PROGRAM = Bun.isStandaloneExecutable
  ? "./adapters/sql/sqlite/backup-worker.ts"
  : new URL("./backup-worker.ts", import.meta.url);

/**
 * Copies or verifies a database on a thread of its own, as both read the whole file and would block all requests.
 * Returns the fault, or `null`.
 */
export const onBackupThread = (work: BackupWork): Promise<string | null> =>
  new Promise((resolve) => {
    const worker = new Worker(PROGRAM, { workerData: work });
    worker.unref();
    worker.on("message", ({ fault }: BackupOutcome) => resolve(fault));
    worker.on("error", (error) => resolve(error instanceof Error ? error.message : String(error)));
    worker.on("exit", () => resolve("the thread ended early"));
  });
