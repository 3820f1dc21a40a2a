import { layGround } from "../run/ground.ts";
import { onceOrphaned } from "../run/orphaned.ts";
import type { Area } from "./areas/area.ts";
import { AREAS } from "./areas.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { makeScratch, sourcesIn, type TestRun, textOf } from "./scratch.ts";
import { expectedFate, FATES, type Fate, trialsOf } from "./trials.ts";

const USAGE = `bun run mutate [--list] [--gate] [--every N] [--areas N] [file or folder ...]

Breaks the code that guards, one place at a time, and runs the tests that must notice: those of the gate, and those of
the deep run for what the gate lets live.
Fails on a mutant that lives and is not in tests/mutation/survivors.ts, on one that only the deep run notices and is not
in tests/mutation/deep-only.ts, and on one in these lists that dies earlier.

  --list     only name the mutants
  --gate     do not ask the deep run: what the gate lets live is said to have survived
  --every N  a sample: each Nth mutant
  --areas N  so many areas at a time: 2 if not said
`;

interface Options {
  readonly places: readonly string[];
  readonly isList: boolean;
  readonly isGateAlone: boolean;
  readonly every: number;
  readonly areas: number;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const optionsOf = (words: readonly string[]): Options | null => {
  const numbers = { "--every": 1, "--areas": 2 };
  const places: string[] = [];
  const flags = { "--list": false, "--gate": false };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--every" || word === "--areas") numbers[word] = Number(words[++at]);
    else if (word === "--list" || word === "--gate") flags[word] = true;
    else if (word.startsWith("--")) return null;
    else places.push(word);
  }
  const { "--list": isList, "--gate": isGateAlone } = flags;
  const { "--every": every, "--areas": areas } = numbers;
  return [every, areas].every((number) => Number.isInteger(number) && number > 0)
    ? { places, isList, isGateAlone, every, areas }
    : null;
};

/** The mutants of an area in these places; without places, in all of its files. */
export const mutantsIn = ({ files, operators, within }: Area, places: readonly string[] = []): Mutant[] =>
  files
    .flatMap(sourcesIn)
    .filter((file) => places.length === 0 || places.some((place) => file === place || file.startsWith(`${place}/`)))
    .flatMap((file) => mutantsOf(file, textOf(file), operators, within ?? null));

/** The mutants of an area that are tried. */
interface Chosen {
  readonly area: Area;
  readonly mutants: readonly Mutant[];
  readonly left: number;
}

/** What became of the mutants of an area. */
interface Result extends Chosen {
  readonly counts: Readonly<Record<Fate, number>>;
  readonly seconds: number;
  readonly faults: readonly string[];
}

const countsOf = (fates: readonly Fate[]): Result["counts"] =>
  Object.fromEntries(FATES.map((fate) => [fate, fates.filter((one) => one === fate).length])) as Result["counts"];

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000;

/** Tries the mutants of one area in a copy of its own. */
const tryArea = async (chosen: Chosen, runs: readonly TestRun[]): Promise<Result> => {
  const { area, mutants } = chosen;
  const begunAt = performance.now();
  const trials = trialsOf({ scratch: makeScratch(), area, runs, tell: print });
  const fates: Fate[] = [];
  const faults: string[] = [];
  try {
    for (const mutant of mutants) {
      const startedAt = performance.now();
      const fate = await trials.fateOf(mutant);
      fates.push(fate);
      const expected = expectedFate(mutant);
      const note = expected === "killed" ? "" : fate === expected ? " (listed)" : ` (listed as ${expected})`;
      print(`${fate}${note} ${secondsSince(startedAt).toFixed(1)} s, line ${mutant.line}: ${mutant.name}`);
      if (fate !== expected) faults.push(`${fate} instead of ${expected}: ${mutant.name}`);
    }
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  return { ...chosen, counts: countsOf(fates), seconds: secondsSince(begunAt), faults };
};

const summaryOf = (name: string, counts: Result["counts"], more: string): string =>
  `${name}: ${counts.killed} killed, ${counts.deep} by the deep run only, ${counts.survived} survived, ${counts.broken} broken${more}`;

const list = (chosen: readonly Chosen[]): void => {
  for (const { area, mutants, left } of chosen) {
    print(`${area.name}: ${mutants.length} of ${mutants.length + left} mutants`);
    for (const { line, name } of mutants) print(`  line ${line}: ${name}`);
  }
};

const chosenBy = ({ places, every }: Options): Chosen[] =>
  AREAS.map((area): Chosen => {
    const all = mutantsIn(area, places);
    const mutants = all.filter((_, index) => index % every === 0);
    return { area, mutants, left: all.length - mutants.length };
  }).filter(({ mutants }) => mutants.length > 0);

/** Tries these mutants. Returns how many have another fate than they should. */
const tryAll = async (chosen: readonly Chosen[], { areas, isGateAlone }: Options): Promise<number> => {
  const results: Result[] = [];
  const waiting = [...chosen];
  const takeAreas = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      print(`${next.area.name}: ${next.mutants.length} of ${next.mutants.length + next.left} mutants`);
      results.push(await tryArea(next, isGateAlone ? ["gate"] : ["gate", "deep"]));
    }
  };
  await Promise.all(Array.from({ length: areas }, takeAreas));
  print("");
  for (const { area, counts, seconds } of results) print(summaryOf(area.name, counts, `, ${seconds.toFixed(0)} s`));
  const sum = (fate: Fate): number => results.reduce((total, { counts }) => total + counts[fate], 0);
  const all = Object.fromEntries(FATES.map((fate) => [fate, sum(fate)])) as Result["counts"];
  print(summaryOf("all", all, `, ${chosen.reduce((total, { left }) => total + left, 0)} not run`));
  const faults = results.flatMap((result) => result.faults);
  for (const fault of faults) print(`FAULT ${fault}`);
  return faults.length;
};

/** Tries these mutants on ground that their tests share, and that is gone afterwards. */
const tryOnGround = async (chosen: readonly Chosen[], options: Options): Promise<number> => {
  const ground = layGround();
  onceOrphaned(() => process.exit(1));
  // The deep run has shared its own already.
  if (process.env.TEST_POSTGRES === undefined) await ground.shareDatabases();
  const faults = await tryAll(chosen, options);
  await ground.clear();
  return faults;
};

const run = async (words: readonly string[]): Promise<number> => {
  const options = optionsOf(words);
  if (options === null) {
    print(USAGE);
    return 2;
  }
  const chosen = chosenBy(options);
  if (chosen.length === 0) {
    print("no mutants there: see tests/mutation/areas.ts");
    return 1;
  }
  if (options.isList) {
    list(chosen);
    return 0;
  }
  return (await tryOnGround(chosen, options)) === 0 ? 0 : 1;
};

if (import.meta.main) process.exit(await run(process.argv.slice(2)));
