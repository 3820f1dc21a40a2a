import { join } from "node:path";
import type { Part } from "./part.ts";

const ROOT = join(import.meta.dir, "../..");

/** The compiled program. */
export const PROGRAM = join(ROOT, "dist/vehicle-inventory");

/** Only a test that hangs takes so long. */
const HANGS_AFTER_MS = 300_000;
/** Files at a time, by processes, and tests at a time in a file that lets them. */
const WORKERS = 4;
/** Beside all other tests. */
const WORKERS_BESIDE = 1;
const TESTS_AT_A_TIME = 4;

/**
 * How the gate runs tests: without the last of the runtime's compilers, whose work short tests never earn back. It was a
 * fifth of their CPU seconds. Memory that is free is kept, as giving it back and taking it again was a twelfth; a worker
 * had 0.2 GB more with it. The deep run has both.
 */
export const GATE_RUNTIME: Readonly<Record<string, string>> = {
  BUN_JSC_useFTLJIT: "0",
  MIMALLOC_PURGE_DELAY: "-1",
};

const bunTest = (workers: number, words: readonly string[]): string[] => [
  ...[process.execPath, "test", `--timeout=${HANGS_AFTER_MS}`, `--parallel=${workers}`, "--no-isolate"],
  ...[`--max-concurrency=${TESTS_AT_A_TIME}`, `--timings=${join(ROOT, "tests/timings.json")}`],
  ...words,
];

/** Tests of the sources; `words` are further words for `bun test`, such as files. */
export const tests = (name: string, ...words: readonly string[]): Part => ({ name, command: bunTest(WORKERS, words) });

const OF_PROGRAM = { TEST_BINARY: PROGRAM };

/** Tests that have the compiled program in place of the sources. */
export const testsOfProgram = (name: string, ...words: readonly string[]): Part => ({
  name,
  command: bunTest(WORKERS, words),
  environment: OF_PROGRAM,
});

/** The same, beside other tests. */
export const testsOfProgramBeside = (name: string, ...words: readonly string[]): Part => ({
  name,
  command: bunTest(WORKERS_BESIDE, words),
  environment: OF_PROGRAM,
});

/** A script of the project, with these words. */
export const script = (name: string, ...words: readonly string[]): readonly string[] => [
  process.execPath,
  "run",
  name,
  ...words,
];

/** Makes the program, unless it was made from the present sources. */
export const BUILD: Part = { name: "the program", command: [process.execPath, join(ROOT, "build.ts"), "--if-changed"] };
