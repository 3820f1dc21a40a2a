import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { GATE_RUNTIME } from "../run/suite.ts";
import { afterExit } from "../support/after-exit.ts";
import { endGroupAfterExit } from "../support/end-group.ts";
import { dropDatabasesOf } from "../support/postgres.ts";

const ROOT = join(import.meta.dir, "../..");
/** Compiled from the whole sources: broken ones need their own. */
const COMPILED = /^TEST_(PROGRAM|BINARY)$/;
/** The longest that any run of tests may take. */
const LONGEST_MS = 10 * 60_000;

const listed = (): string[] => {
  const { stdout } = Bun.spawnSync(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
  });
  return stdout.toString().split("\0").filter(Boolean);
};

let known: readonly string[] | undefined;
/** Every file of the project that git knows or would add. */
const projectFiles = (): readonly string[] => {
  known ??= listed();
  return known;
};

/** The text of a file of the project. */
export const textOf = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** The project's programs and components, without tests. */
export const sourcesIn = (place: string): string[] =>
  projectFiles().filter((file) => /\.tsx?$/.test(file) && (file === place || file.startsWith(`${place}/`)));

/** How a run of tests ended. */
interface Tried {
  /** False, too, if the code could not even be loaded. */
  readonly isGreen: boolean;
  /** True if it was ended because it took longer than it may. */
  readonly isEndedEarly: boolean;
  /** The time of the test that took longest. */
  readonly longestTestMs: number;
}

/** Which of the two runs of the tests; see tests/support/depth.ts. */
export type TestRun = "gate" | "deep";

/** How long tests may take; longer ones hang. */
export interface Limits {
  readonly allMs: number;
  /** For one answer within a test. */
  readonly waitMs: number;
}

/** Tests, the run that they are part of, and how long they may take. */
interface Attempt {
  readonly tests: readonly string[];
  readonly run: TestRun;
  readonly limits?: Limits;
}

/** The time of a test, at the end of the line that names it. */
const TIMES = /^\(pass\).* \[([\d.]+)ms\]$/gm;

/** A copy of the project in which files are broken; deleted when the process ends. */
export interface Scratch {
  /** What the copy has, whatever becomes of the project meanwhile. */
  read(file: string): string;
  write(file: string, text: string): void;
  /** Runs tests in the copy until one fails. What takes longer than it may hangs, which counts as a failure. */
  try(attempt: Attempt): Promise<Tried>;
}

export const makeScratch = (): Scratch => {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !COMPILED.test(name)));
  const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-mutation-"));
  afterExit('rm -rf "$1"', folder);
  for (const file of projectFiles()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return {
    read: (file) => readFileSync(join(folder, file), "utf8"),
    write: (file, text) => writeFileSync(join(folder, file), text),
    async try({ tests, run, limits }) {
      const child = Bun.spawn([process.execPath, "test", "--bail", "--timeout", "300000", ...tests], {
        cwd: folder,
        env: { ...environment, ...GATE_RUNTIME, TEST_RUN: run, ...(limits && { TEST_HUNG_MS: String(limits.waitMs) }) },
        stdin: "ignore",
        stdout: "ignore",
        stderr: "pipe",
        timeout: Math.min(limits?.allMs ?? LONGEST_MS, LONGEST_MS),
        killSignal: "SIGKILL",
        // A group of its own: no part of it goes on when the tests or this process have ended.
        detached: true,
      });
      const end = endGroupAfterExit(child);
      const written = new Response(child.stderr).text();
      const code = await child.exited;
      await end();
      if (environment.TEST_POSTGRES !== undefined) await dropDatabasesOf(child, environment.TEST_POSTGRES);
      const times = [...(await written).matchAll(TIMES)].map(([, ms]) => Number(ms));
      const isEndedEarly = child.signalCode === "SIGKILL";
      return { isGreen: code === 0, isEndedEarly, longestTestMs: Math.max(0, ...times) };
    },
  };
};
