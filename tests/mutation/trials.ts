import type { Area } from "./areas/area.ts";
import { DEEP_ONLY } from "./deep-only.ts";
import { broken, type Mutant } from "./mutants.ts";
import type { Limits, Scratch, TestRun } from "./scratch.ts";
import { SURVIVORS } from "./survivors.ts";

/**
 * What became of a mutant. `deep`: only the deep run noticed it. `broken`: it is no program, so that its death would say
 * nothing about the tests.
 */
export const FATES = ["killed", "deep", "survived", "broken"] as const;
export type Fate = (typeof FATES)[number];

/** The fate that a mutant must have. */
export const expectedFate = ({ name }: Mutant): Fate =>
  SURVIVORS[name] !== undefined ? "survived" : DEEP_ONLY[name] !== undefined ? "deep" : "killed";

/** What takes so many times as long as without a mutant hangs, if it also takes longer than the least limit. */
const HANGS_AFTER = 10;
const LEAST_LIMITS: Limits = { allMs: 60_000, waitMs: 30_000 };

const isProgram = (file: string, text: string): boolean => {
  try {
    new Bun.Transpiler({ loader: file.endsWith("x") ? "tsx" : "ts" }).transformSync(text);
    return true;
  } catch {
    return false;
  }
};

/** An area in its copy of the project, and the runs of its tests that are asked. */
interface Trial {
  readonly scratch: Scratch;
  readonly area: Area;
  readonly runs: readonly TestRun[];
  /** Is told what takes long, and what was ended for that: beside other work it may be no fault of the mutant. */
  readonly tell: (words: string) => void;
}

/** The tests of an area. Throws if one of them fails without any mutant. */
export const trialsOf = ({ scratch, area, runs, tell }: Trial) => {
  const known = new Map<string, Limits>();

  /** How long a run of tests may take. It is tried without any mutant before the first that meets it. */
  const limitsOf = async (run: TestRun, tests: readonly string[]): Promise<Limits> => {
    const name = [run, ...tests].join(" ");
    const found = known.get(name);
    if (found !== undefined) return found;
    const startedAt = performance.now();
    const { isGreen, longestTestMs } = await scratch.try({ tests, run });
    if (!isGreen) throw new Error(`the tests of ${area.name} fail without any mutant, in this run: ${name}`);
    const limits = {
      allMs: Math.max(LEAST_LIMITS.allMs, Math.ceil(HANGS_AFTER * (performance.now() - startedAt))),
      waitMs: Math.max(LEAST_LIMITS.waitMs, Math.ceil(HANGS_AFTER * longestTestMs)),
    };
    known.set(name, limits);
    tell(`${area.name}: without a mutant ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${name}`);
    return limits;
  };

  const isNoticedIn = async (run: TestRun, mutant: Mutant): Promise<boolean> => {
    const text = scratch.read(mutant.file);
    for (const tests of area.tests) {
      const limits = await limitsOf(run, tests);
      scratch.write(mutant.file, broken(text, mutant));
      try {
        const { isGreen, isEndedEarly } = await scratch.try({ tests, run, limits });
        if (isEndedEarly) tell(`ended after ${limits.allMs / 1000} s, which counts as noticed: ${mutant.name}`);
        if (!isGreen) return true;
      } finally {
        scratch.write(mutant.file, text);
      }
    }
    return false;
  };

  return {
    /** Breaks the copy, and sees which run of the tests notices. The deep run is not asked about a listed survivor. */
    async fateOf(mutant: Mutant): Promise<Fate> {
      if (!isProgram(mutant.file, broken(scratch.read(mutant.file), mutant))) return "broken";
      if (await isNoticedIn("gate", mutant)) return "killed";
      if (!runs.includes("deep") || expectedFate(mutant) === "survived") return "survived";
      return (await isNoticedIn("deep", mutant)) ? "deep" : "survived";
    },
  };
};
