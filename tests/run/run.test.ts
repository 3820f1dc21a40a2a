import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { closingLine, countsIn } from "./part.ts";

const WAIT_MS = 60_000;
setDefaultTimeout(WAIT_MS);

const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-of-a-run-"));
afterAll(() => rmSync(folder, { recursive: true }));

const isRunning = (pid: number): boolean => {
  try {
    // A process that nobody waits for any more is still listed.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

interface Left {
  readonly folders: readonly string[];
  readonly pids: readonly number[];
}

/** A run of a test that does not end, once the test has begun. */
const hangingRun = async () => {
  const left = join(mkdtempSync(join(folder, "run-")), "left.json");
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "run.ts"), join(import.meta.dir, "hanging.ts")], {
    env: { ...process.env, TEST_LEFT: left },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const text = await eventually(() => (existsSync(left) ? readFileSync(left, "utf8") : ""), Boolean);
  return { child, left: JSON.parse(text) as Left };
};

describe("a run", () => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGKILL", null],
  ] as const)
    test(`that ends by ${signal} leaves no file and no process`, async () => {
      const { child, left } = await hangingRun();
      expect(left.pids.map(isRunning)).toEqual([true, true]);
      child.kill(signal);
      await child.exited;
      expect(child.exitCode).toBe(code);
      const isLeft = () => left.pids.some(isRunning) || left.folders.some((one) => existsSync(dirname(one)));
      // Nobody can wait for what cleans up after a process that was killed.
      if (signal === "SIGKILL") await eventually(isLeft, (is) => !is);
      expect(isLeft()).toBe(false);
    });
});

describe("the closing line", () => {
  const ended = (output: string) => ({ counts: countsIn(output) });

  test("adds up what the parts have said", () => {
    const parts = [
      ended("(pass) one\n\n 1200 pass\n 0 fail\n 9 expect() calls\nRan 1200 tests across 3 files. [1.00s]\n"),
      ended("\n 30 pass\n 1 skip\n 2 fail\n 1 error\n 9 expect() calls\n"),
      ended("Checked 900 files in 2 s. No fixes applied.\n"),
    ];
    expect(closingLine(parts)).toBe("1230 passed, 3 failed, 1 skipped");
  });

  test("names no skipped tests if there are none", () => {
    expect(closingLine([ended(" 7 pass\n 0 fail\n")])).toBe("7 passed, 0 failed");
  });
});
