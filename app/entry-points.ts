import { join } from "node:path";

/** The project's folder. */
const ROOT = join(import.meta.dir, "..");

/**
 * The entry points of the compiled program: its main module, and the modules of its threads. Threads are found by the
 * paths of their modules, relative to the project's folder.
 */
export const ENTRY_POINTS: readonly string[] = [
  "app/main.ts",
  "adapters/sql/sqlite/reading-thread-worker.ts",
  "adapters/sql/sqlite/checkpoint-worker.ts",
  "adapters/sql/sqlite/backup-worker.ts",
  "adapters/workbooks/worker.ts",
].map((file) => join(ROOT, file));
