import { join } from "node:path";

/** The project's folder. */
const ROOT = join(import.meta.dir, "..");

/**
 * What the compiled program is made of: the program itself, and those of its threads. The threads are found by their
 * paths from the project's folder.
 */
export const ENTRY_POINTS: readonly string[] = [
  "app/main.ts",
  "adapters/sql/sqlite/reading-thread-worker.ts",
  "adapters/sql/sqlite/checkpoint-worker.ts",
].map((file) => join(ROOT, file));
