import { AREAS, type Area } from "./areas.ts";
import { broken, type Mutant, mutantsOf } from "./mutants.ts";
import { makeScratch, type Scratch, sourcesIn, textOf } from "./scratch.ts";
import { SURVIVORS } from "./survivors.ts";

const USAGE = `bun run mutate [--list] [--every N] [file or folder ...]

Breaks the code that guards, one place at a time, and runs the tests that must notice.
Fails on a mutant that lives and is not in tests/mutation/survivors.ts, and on one there that no longer lives.

  --list     only name the mutants
  --every N  a sample: each Nth mutant
`;

interface Options {
  readonly places: readonly string[];
  readonly isList: boolean;
  readonly every: number;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const optionsOf = (words: readonly string[]): Options | null => {
  const at = words.indexOf("--every");
  const every = at === -1 ? 1 : Number(words[at + 1]);
  const places = words.filter((word, index) => !word.startsWith("--") && (at === -1 || index !== at + 1));
  const isKnown = words.every((word) => !word.startsWith("--") || word === "--list" || word === "--every");
  return isKnown && Number.isInteger(every) && every > 0 ? { places, isList: words.includes("--list"), every } : null;
};

/** The mutants of an area in these places; without places, in all of its files. */
export const mutantsIn = ({ files, operators, within }: Area, places: readonly string[] = []): Mutant[] =>
  files
    .flatMap(sourcesIn)
    .filter((file) => places.length === 0 || places.some((place) => file === place || file.startsWith(`${place}/`)))
    .flatMap((file) => mutantsOf(file, textOf(file), operators, within ?? null));

/** `broken`: no test ran to its end, so none noticed anything. */
type MutantResult = "killed" | "survived" | "broken";
const RESULTS = { failed: "killed", broke: "broken" } as const;

/** A run of tests, and how long it may take. */
interface Trial {
  readonly tests: readonly string[];
  readonly longestMs: number;
}
/** A run that takes so many times as long as without a mutant, and longer than two minutes, hangs. */
const HANGS_AFTER = 10;
const LEAST_LIMIT_MS = 2 * 60_000;

/** The runs of an area's tests; the first one that fails without any mutant, if there is one. */
const trialsOf = async (scratch: Scratch, area: Area): Promise<readonly Trial[] | { readonly failed: string }> => {
  const trials: Trial[] = [];
  for (const tests of area.tests) {
    const startedAt = performance.now();
    if ((await scratch.try(tests)) !== "passed") return { failed: tests.join(" ") };
    const longestMs = Math.max(LEAST_LIMIT_MS, HANGS_AFTER * (performance.now() - startedAt));
    trials.push({ tests, longestMs });
  }
  return trials;
};

const resultOfMutant = async (scratch: Scratch, trials: readonly Trial[], mutant: Mutant): Promise<MutantResult> => {
  const text = scratch.read(mutant.file);
  scratch.write(mutant.file, broken(text, mutant));
  try {
    for (const { tests, longestMs } of trials) {
      const ending = await scratch.try(tests, longestMs);
      if (ending !== "passed") return RESULTS[ending];
    }
    return "survived";
  } finally {
    scratch.write(mutant.file, text);
  }
};

/** Tries the mutants of one area. Returns the errors: unlisted mutants that survive, and listed ones that die. */
const tryArea = async (
  scratch: Scratch,
  area: Area,
  mutants: readonly Mutant[],
  counts: Record<MutantResult, number>,
) => {
  const trials = await trialsOf(scratch, area);
  if ("failed" in trials) return [`the tests of ${area.name} fail without any mutant: ${trials.failed}`];
  const faults: string[] = [];
  for (const mutant of mutants) {
    const startedAt = performance.now();
    const fate = await resultOfMutant(scratch, trials, mutant);
    counts[fate]++;
    const reason = SURVIVORS[mutant.name];
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    print(`${fate}${reason === undefined ? "" : " (listed)"} ${seconds} s, line ${mutant.line}: ${mutant.name}`);
    if (fate === "broken" || (fate === "survived") !== (reason !== undefined)) faults.push(`${fate}: ${mutant.name}`);
  }
  return faults;
};

const run = async ({ places, isList, every }: Options): Promise<number> => {
  const scratch = isList ? null : makeScratch();
  const chosen = AREAS.map((area) => ({ area, all: mutantsIn(area, places) })).filter(({ all }) => all.length > 0);
  const counts: Record<MutantResult, number> = { killed: 0, survived: 0, broken: 0 };
  const faults: string[] = [];
  let left = 0;
  for (const { area, all } of chosen) {
    const mutants = all.filter((_, index) => index % every === 0);
    left += all.length - mutants.length;
    print(`${area.name}: ${mutants.length} of ${all.length} mutants`);
    if (scratch === null) for (const { line, name } of mutants) print(`  line ${line}: ${name}`);
    else faults.push(...(await tryArea(scratch, area, mutants, counts)));
  }
  if (chosen.length === 0) faults.push("no mutants there: see tests/mutation/areas.ts");
  if (scratch !== null)
    print(`${counts.killed} killed, ${counts.survived} survived, ${counts.broken} broken, ${left} not run`);
  for (const fault of faults) print(`FAULT ${fault}`);
  return faults.length === 0 ? 0 : 1;
};

if (import.meta.main) {
  const options = optionsOf(process.argv.slice(2));
  if (options === null) print(USAGE);
  process.exit(options === null ? 2 : await run(options));
}
