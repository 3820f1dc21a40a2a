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
  /** True if it runs beside another part, and what it prints comes at its end, in one piece. */
  readonly isBeside?: true;
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

/** What a part has printed, as plain text; `show` is given each piece as it comes. */
const textOf = async (stream: ReadableStream<Uint8Array>, show: (chunk: Uint8Array) => unknown): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    show(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  return Bun.stripANSI(text);
};

const print = (chunk: Uint8Array | string): boolean => process.stderr.write(chunk);

/** Each ends a part that is running. */
const endings = new Set<() => Promise<void>>();
let isInterrupted = false;

/** What is not to go on after an interruption waits for this: whoever interrupts ends the process. */
const never = new Promise<never>(() => {});

/** Ends the parts that are running, and starts no other. */
export const interrupt = async (): Promise<void> => {
  isInterrupted = true;
  await Promise.all([...endings].map((end) => end()));
};

/** Runs a part, which prints as it goes unless it is beside another. It ends with this process at the latest, with everything it started. */
export const runPart = async ({ name, command, environment = {}, isBeside }: Part): Promise<Ended> => {
  if (isInterrupted) return never;
  const heading = `\n=== ${name}\n`;
  if (!isBeside) print(heading);
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
  endings.add(end);
  const show = isBeside ? () => {} : print;
  const written = Promise.all([child.stdout, child.stderr].map((stream) => textOf(stream, show)));
  const code = await child.exited;
  // Ends what the part has left behind, which could keep its output open.
  await end();
  if (isInterrupted) return never;
  endings.delete(end);
  const output = (await written).join("\n");
  if (isBeside) print(`${heading}${output}`);
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
