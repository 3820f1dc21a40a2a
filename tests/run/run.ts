import { gate } from "./gate.ts";
import { runPart } from "./part.ts";
import { perform } from "./perform.ts";
import { GATE_RUNTIME, tests } from "./suite.ts";

/*
 * `bun run test`: everything, or the files and options for `bun test` that are named.
 */

Object.assign(process.env, GATE_RUNTIME);

const words = process.argv.slice(2);
/** Options alone choose no tests. */
const isWhole = words.every((word) => word.startsWith("-"));

await perform(async (ground) => (isWhole ? gate(ground, words) : [await runPart(tests("tests", ...words))]));
