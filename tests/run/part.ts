import { endGroupAfterExit } from "../support/end-group.ts";

/** How many tests ended in which way. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** One part of a run: a command in its own process. */
export interface Part {
  readonly name: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A part that has ended. */
export interface Ended {
  readonly name: string;
  readonly counts: Counts;
  readonly isGreen: boolean;
  /** What failed, each with what was printed about it. */
  readonly failures: readonly string[];
  readonly wallSeconds: number;
  /** Of the part's processes, without a database server that the run shares. */
  readonly cpuSeconds: number;
}

/** What `bun test` and `bun run mutate` begin a line with that names what failed. */
const FAILURE = /^(?:\(fail\)|✗|FAULT) /;
/** Lines that say nothing about the next failure. */
const OTHER = /^(?:\((?:pass|fail|skip|todo)\) |✓)/;
const LINES_OF_A_FAILURE = 60;

/** Each line that names what failed, below the lines that were printed about it. */
export const failuresIn = (output: string): readonly string[] => {
  const failures = new Map<string, string>();
  let about: string[] = [];
  for (const line of output.split("\n")) {
    // `bun test` names the failures of a long run again at its end.
    if (FAILURE.test(line) && !failures.has(line))
      failures.set(line, [...about.slice(-LINES_OF_A_FAILURE), line].join("\n").trim());
    about = OTHER.test(line) ? [] : [...about.slice(-LINES_OF_A_FAILURE), line];
  }
  return [...failures.values()];
};

/** The counts in the closing lines of `bun test`; zeros for another command. */
export const countsIn = (output: string): Counts => {
  const count = (what: string): number =>
    Number([...output.matchAll(new RegExp(`^ *(\\d+) ${what}$`, "gm"))].at(-1)?.[1] ?? 0);
  return { passed: count("pass"), failed: count("fail") + count("errors?"), skipped: count("skip") + count("todo") };
};

/** Prints what comes, and returns it as plain text. */
const passOn = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    process.stderr.write(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  return Bun.stripANSI(text);
};

let endCurrent = async (): Promise<void> => {};
let isInterrupted = false;

/** Ends the part that is running, and starts no other. */
export const interrupt = (): Promise<void> => {
  isInterrupted = true;
  return endCurrent();
};

/** Runs a part, which prints as it goes. It ends with this process at the latest, with everything it started. */
export const runPart = async ({ name, command, environment = {} }: Part): Promise<Ended> => {
  if (isInterrupted) throw new Error("interrupted");
  process.stderr.write(`\n=== ${name}\n`);
  const startedMs = performance.now();
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...(process.stderr.isTTY && { FORCE_COLOR: "1" }), ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    // A group of its own, which is ended as one.
    detached: true,
  });
  const end = endGroupAfterExit(child);
  endCurrent = end;
  const written = Promise.all([child.stdout, child.stderr].map(passOn));
  const code = await child.exited;
  // Ends what the part has left behind, which could keep its output open.
  await end();
  const output = (await written).join("\n");
  const counts = countsIn(output);
  const isGreen = code === 0 && counts.failed === 0;
  return {
    name,
    // A part that broke off has failed, even if no test has.
    counts: isGreen ? counts : { ...counts, failed: Math.max(counts.failed, 1) },
    isGreen,
    failures: failuresIn(output),
    wallSeconds: (performance.now() - startedMs) / 1000,
    cpuSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6,
  };
};

/** All that failed in a run, so that its last lines say why; empty if nothing did. */
export const failuresOf = (all: readonly Pick<Ended, "name" | "failures">[]): string =>
  all.flatMap(({ name, failures }) => failures.map((failure) => `\n=== failed in ${name}\n${failure}\n`)).join("");

/** The closing line of a run. */
export const closingLine = (all: readonly Pick<Ended, "counts">[]): string => {
  const sum = (kind: keyof Counts): number => all.reduce((total, { counts }) => total + counts[kind], 0);
  const skipped = sum("skipped");
  return `${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
};
