import recheck from "recheck/package.json";
import type { Pattern } from "./sources.ts";

// The analysis in JavaScript is the same everywhere, and faster than starting a program for each pattern.
process.env.RECHECK_BACKEND = "pure";
const { checkSync } = await import("recheck");

/**
 * The other checker tries random texts, so its results vary. It is not used for patterns that this one does not
 * support, such as lookaheads. Without a time limit a verdict does not depend on the machine.
 */
const ANALYSIS = { checker: "automaton", timeout: null } as const;

/** What a verdict depends on besides the pattern. */
export const ANALYSER = `recheck ${recheck.version} ${JSON.stringify(ANALYSIS)}`;

const HARMLESS = new Set(["constant", "linear", "safe"]);
export const isHarmless = (growth: string): boolean => HARMLESS.has(growth);

const analysed = (source: string, flags: string): string => {
  const result = checkSync(source, flags.replace(/[vd]/g, ""), ANALYSIS);
  return result.status === "unknown" ? `unknown: ${result.error.kind}` : (result.complexity?.type ?? result.status);
};

/**
 * How the matching steps grow with the text in the worst case, by analysis of the pattern. Bounded repetitions are
 * first treated as unbounded: those take at least as many steps, and are analysed at once.
 */
export const growthOf = ({ source, flags }: Pick<Pattern, "source" | "flags">): string => {
  const wider = analysed(
    source.replace(/(?<!\\[pP])\{(\d+)(?:,\d*)?\}/g, (_, least) => (least === "0" ? "*" : "+")),
    flags,
  );
  return isHarmless(wider) ? wider : analysed(source, flags);
};
