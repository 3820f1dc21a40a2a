import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterExit } from "../support/after-exit.ts";
import { scratchFolder } from "../support/scratch-folder.ts";

/** What the tests of a run stand on: folders, and databases that all workers share. */
export interface Ground {
  /** Starts one PostgreSQL, and migrates the databases that the workers copy. */
  shareDatabases(): Promise<void>;
  /** Takes everything away. It is gone after this process in any case, whatever ends it. */
  clear(): Promise<void>;
}

// What still writes into the folders may keep them for a moment.
const REMOVE = 'for moment in $(seq 300); do rm -rf "$@" 2>/dev/null && break; sleep 0.1; done';

/** Makes the folders of a run, which everything that this process starts writes into. */
export const layGround = (): Ground => {
  const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-run-"));
  const scratch = scratchFolder("vehicle-inventory-run-");
  // PostgreSQL may run as another user.
  for (const one of [folder, scratch]) chmodSync(one, 0o755);
  const removeFolders = afterExit(REMOVE, folder, scratch);
  Object.assign(process.env, { TMPDIR: folder, TEST_SCRATCH: scratch });
  let endServer = async (): Promise<void> => {};
  return {
    async shareDatabases() {
      const { makeData } = await import("../support/postgres-programs.ts");
      process.env.TEST_POSTGRES_DATA = await makeData(mkdtempSync(join(scratch, "vehicle-inventory-postgres-data-")));
      // The engines read the environment when they are loaded, and use the server that is there.
      const { startServer } = await import("../support/postgres.ts");
      const server = await startServer();
      endServer = server.end;
      process.env.TEST_POSTGRES = server.address;
      const { ENGINES } = await import("../support/engines.ts");
      const [sqlite, postgresql] = ENGINES;
      process.env.TEST_SQLITE_ORIGINAL = await sqlite.original();
      process.env.TEST_POSTGRES_ORIGINAL = await postgresql.original();
    },
    async clear() {
      await endServer();
      await removeFolders();
    },
  };
};
