import type { Area } from "./areas.ts";
import { DEEP_ONLY } from "./deep-only.ts";
import { broken, type Mutant } from "./mutants.ts";
import type { Scratch, TestRun } from "./scratch.ts";
import { SURVIVORS } from "./survivors.ts";

/**
 * What became of a mutant. `deep`: only the deep run noticed it. `broken`: no test ran to its end, so none noticed
 * anything.
 */
export const FATES = ["killed", "deep", "survived", "broken"] as const;
export type Fate = (typeof FATES)[number];

/** The fate that a mutant must have. */
export const expectedFate = ({ name }: Mutant): Fate =>
  SURVIVORS[name] !== undefined ? "survived" : DEEP_ONLY[name] !== undefined ? "deep" : "killed";

/** A run of tests, and how long it may take. */
interface Trial {
  readonly tests: readonly string[];
  readonly longestMs: number;
}
/** A run that takes so many times as long as without a mutant, and longer than five minutes, hangs. */
const HANGS_AFTER = 10;
const LEAST_LIMIT_MS = 5 * 60_000;

/** The tests of an area. Throws if one of them fails without any mutant. */
export const trialsOf = (scratch: Scratch, area: Area) => {
  const known = new Map<TestRun, readonly Trial[]>();

  const trialsIn = async (run: TestRun): Promise<readonly Trial[]> => {
    const trials: Trial[] = [];
    for (const tests of area.tests) {
      const startedAt = performance.now();
      if ((await scratch.try({ tests, run })) !== "passed")
        throw new Error(`the tests of ${area.name} fail in the ${run} run without any mutant: ${tests.join(" ")}`);
      const longestMs = Math.max(LEAST_LIMIT_MS, HANGS_AFTER * (performance.now() - startedAt));
      trials.push({ tests, longestMs });
    }
    known.set(run, trials);
    return trials;
  };

  const endingIn = async (run: TestRun, mutant: Mutant) => {
    const trials = known.get(run) ?? (await trialsIn(run));
    const text = scratch.read(mutant.file);
    scratch.write(mutant.file, broken(text, mutant));
    try {
      for (const trial of trials) {
        const ending = await scratch.try({ ...trial, run });
        if (ending !== "passed") return ending;
      }
      return "passed";
    } finally {
      scratch.write(mutant.file, text);
    }
  };

  return {
    /** Breaks the copy, and sees which run of the tests notices. The deep run is not asked about a listed survivor. */
    async fateOf(mutant: Mutant): Promise<Fate> {
      for (const run of ["gate", "deep"] as const) {
        if (run === "deep" && expectedFate(mutant) === "survived") continue;
        const ending = await endingIn(run, mutant);
        if (ending === "broke") return "broken";
        if (ending === "failed") return run === "gate" ? "killed" : "deep";
      }
      return "survived";
    },
  };
};
