import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterExit } from "../support/after-exit.ts";
import { eventually } from "../support/eventually.ts";

/** The test that does not end. */
export const HANGING = join(import.meta.dir, "hanging.ts");

const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-of-a-run-"));
afterExit('rm -rf "$1"', folder);

interface Left {
  readonly folders: readonly string[];
  readonly pids: readonly number[];
}

const isRunning = (pid: number): boolean => {
  try {
    // A process that nobody waits for any more is still listed.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

/** Starts a program that runs the test that does not end, and returns once the test has begun. */
export const startHanging = async (...command: readonly string[]) => {
  const file = join(mkdtempSync(join(folder, "run-")), "left.json");
  const child = Bun.spawn([process.execPath, ...command], {
    env: { ...process.env, TEST_LEFT: file },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const text = await eventually(() => (existsSync(file) ? readFileSync(file, "utf8") : ""), Boolean);
  const left = JSON.parse(text) as Left;
  return {
    child,
    /** Which processes of the test are running. */
    running: () => left.pids.map(isRunning),
    /** True if the test's folders are there. */
    hasFolders: () => left.folders.some((one) => existsSync(dirname(one))),
  };
};
