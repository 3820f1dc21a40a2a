import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { inGate } from "../support/depth.ts";
import { eventually } from "../support/eventually.ts";
import { HANGING, startHanging } from "./hanging-run.ts";
import { closingLine, countsIn, failuresIn } from "./part.ts";

const WAIT_MS = 60_000;
setDefaultTimeout(WAIT_MS);

describe("a run", () => {
  const ends = [
    ["SIGKILL", null],
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const;
  // Ctrl C is heard as SIGTERM is, with another code.
  for (const [signal, code] of ends.slice(0, inGate(2, 3)))
    test(`that ends by ${signal} leaves no file and no process`, async () => {
      const { child, running, hasFolders } = await startHanging(join(import.meta.dir, "run.ts"), HANGING);
      expect(running()).toEqual([true, true]);
      child.kill(signal);
      await child.exited;
      expect(child.exitCode).toBe(code);
      const isLeft = () => running().includes(true) || hasFolders();
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

describe("what failed", () => {
  test("stands below what was printed about it, once", () => {
    const output = [
      ...["tests/a.test.ts:", "(pass) one [1.00ms]", "error: expected 1", "  at a.test.ts:3", "(fail) two [2.00ms]"],
      ...["(pass) three [1.00ms]", "(fail) four [2.00ms]", "", "2 tests failed:", "(fail) two [2.00ms]"],
    ].join("\n");
    expect(failuresIn(output)).toEqual([
      "error: expected 1\n  at a.test.ts:3\n(fail) two [2.00ms]",
      "(fail) four [2.00ms]",
    ]);
  });
});
