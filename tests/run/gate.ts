import type { Ground } from "./ground.ts";
import { type Ended, type Part, runPart } from "./part.ts";
import { SMOKE } from "./smoke.ts";
import { BUILD, PROGRAM, tests, testsOfProgramBeside } from "./suite.ts";

/** Parts one after the other, beside those that are running; what they print comes when each has ended. */
const beside = async (parts: readonly Part[]): Promise<readonly Ended[]> => {
  const ended: Ended[] = [];
  for (const part of parts) ended.push(await runPart({ ...part, isBeside: true }));
  return ended;
};

/**
 * The gate's parts: the program is built, then the tests run, with the program's own beside them, so that no processor
 * waits for the last file. `checks` need no program, and run beside all of it. `words` are further ones for `bun test`.
 */
export const gate = async (
  { shareDatabases }: Ground,
  words: readonly string[],
  checks: readonly Part[] = [],
): Promise<readonly Ended[]> => {
  const checked = beside(checks);
  const built = await runPart(BUILD);
  if (!built.isGreen) return [built, ...(await checked)];
  process.env.TEST_PROGRAM = PROGRAM;
  await shareDatabases();
  const ofProgram = beside([testsOfProgramBeside("tests of the compiled program", ...SMOKE)]);
  const tested = await runPart(tests("tests", ...words));
  return [tested, ...(await ofProgram), ...(await checked)];
};
