import { runPart } from "./part.ts";
import { perform } from "./perform.ts";
import { SMOKE } from "./smoke.ts";
import { BUILD, GATE_RUNTIME, PROGRAM, tests, testsOfProgram } from "./suite.ts";

/*
 * `bun run test`: everything, or the files and options for `bun test` that are named.
 */

Object.assign(process.env, GATE_RUNTIME);

const words = process.argv.slice(2);
/** Options alone choose no tests. */
const isWhole = words.every((word) => word.startsWith("-"));

await perform(async ({ shareDatabases }) => {
  if (!isWhole) return [await runPart(tests("tests", ...words))];
  const built = await runPart(BUILD);
  if (!built.isGreen) return [built];
  process.env.TEST_PROGRAM = PROGRAM;
  await shareDatabases();
  return [
    await runPart(tests("tests", ...words)),
    await runPart(testsOfProgram("tests of the compiled program", ...SMOKE)),
  ];
});
