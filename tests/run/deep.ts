import { type Ended, type Part, runPart } from "./part.ts";
import { perform } from "./perform.ts";
import { BUILD, PROGRAM, script, tests, testsOfProgram } from "./suite.ts";

const USAGE = `bun run test:deep [--seed N] [--every N | --no-mutation]

Everything that the tests can show: all engines, new seeds, large counts, every picture, the whole suite on the compiled
program, the types by the compiler itself, coverage and mutation. Goes on after a part that failed, and fails at the end.

  --seed N       the seed of an earlier run
  --every N      only each Nth mutant
  --no-mutation  no mutants
`;

/** The greatest seed of the properties. */
const SEEDS = 2 ** 31;

interface Options {
  readonly seed: number;
  readonly every: number;
  readonly isMutating: boolean;
}

const optionsOf = (words: readonly string[]): Options | null => {
  const numberAfter = (option: string, otherwise: number): number => {
    const at = words.indexOf(option);
    return at === -1 ? otherwise : Number(words[at + 1]);
  };
  const seed = numberAfter("--seed", Math.floor(Math.random() * SEEDS));
  const every = numberAfter("--every", 1);
  const isKnown = words.every((word) => /^(--seed|--every|--no-mutation|\d+)$/.test(word));
  const isValid = isKnown && Number.isInteger(seed) && Number.isInteger(every) && every > 0;
  return isValid ? { seed, every, isMutating: !words.includes("--no-mutation") } : null;
};

/** A mutant is to die in the gate. */
const mutation = (every: number): Part => ({
  name: "mutation",
  command: script("mutate", "--every", String(every)),
  environment: { TEST_RUN: "gate" },
});

/** The parts after the program is built. */
const partsOf = ({ every, isMutating }: Options): readonly Part[] => [
  tests("all tests, with coverage", "--coverage", "--coverage-reporter=lcov"),
  testsOfProgram("the compiled program", "tests/http", "tests/commands", "tests/portal"),
  { name: "types", command: script("types") },
  { name: "lint", command: script("lint") },
  { name: "unused code", command: script("unused") },
  ...(isMutating ? [mutation(every)] : []),
];

const minutes = (seconds: number): string => `${(seconds / 60).toFixed(1)} min`;

const summaryOf = (ended: readonly Ended[], { seed }: Options): string => {
  const lines = ended.map(({ name, isGreen, counts, wallSeconds, cpuSeconds }) => {
    const { passed, failed, skipped } = counts;
    const took = `${minutes(wallSeconds)}, ${Math.round(cpuSeconds)} CPU seconds`;
    return `${isGreen ? "ok    " : "FAILED"} ${name}: ${passed} passed, ${failed} failed, ${skipped} skipped, ${took}`;
  });
  const all = ended.reduce((total, { wallSeconds }) => total + wallSeconds, 0);
  return `\n=== summary: ${minutes(all)}, seed ${seed} (bun run test:deep --seed ${seed})\n${lines.join("\n")}\n`;
};

const options = optionsOf(process.argv.slice(2));
if (options === null) {
  process.stderr.write(USAGE);
  process.exit(2);
}
Object.assign(process.env, { TEST_RUN: "deep", TEST_SEED: String(options.seed) });
process.stderr.write(`the seed of this run is ${options.seed}\n`);
await perform(async ({ shareDatabases }) => {
  const ended = [await runPart(BUILD)];
  process.env.TEST_PROGRAM = PROGRAM;
  await shareDatabases();
  for (const part of partsOf(options)) ended.push(await runPart(part));
  process.stderr.write(summaryOf(ended, options));
  return ended;
});
