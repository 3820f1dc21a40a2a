import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");

/**
 * The compiled program `dist/vehicle-inventory`, made from the present sources: by the run, by whoever asked before, or
 * now.
 */
const built = (): string => {
  const { stderr, success } = Bun.spawnSync([process.execPath, "build.ts", "--if-changed"], { cwd: ROOT });
  if (!success) throw new Error(`the program cannot be built: ${stderr}`);
  return join(ROOT, "dist/vehicle-inventory");
};

/** `TEST_PROGRAM` is set by a run, which has built the program before; `TEST_BINARY` is under test everywhere. */
const { TEST_BINARY, TEST_PROGRAM } = process.env;

/** The command that runs the program as operators do. */
export const PROGRAM: readonly string[] = [TEST_BINARY ?? TEST_PROGRAM ?? built()];
