import { type Ground, layGround } from "./ground.ts";
import { onceOrphaned } from "./orphaned.ts";
import { closingLine, type Ended, failuresOf, interrupt } from "./part.ts";

/** The exit codes of a run that a signal has ended. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const NOT_BEGUN = {
  name: "the run",
  failures: [],
  counts: { passed: 0, failed: 1, skipped: 0 },
  isGreen: false,
} as const;

/**
 * Does the parts of a run on fresh ground, prints what failed and the closing line, and ends this process: with 0 if all is green.
 * Nothing is left, whatever happens.
 */
export const perform = async (parts: (ground: Ground) => Promise<readonly Ended[]>): Promise<never> => {
  const ground = layGround();
  const stop = async (code: number): Promise<never> => {
    await interrupt();
    await ground.clear();
    return process.exit(code);
  };
  for (const [signal, code] of Object.entries(SIGNALS)) process.once(signal, () => stop(code));
  onceOrphaned(() => void stop(SIGNALS.SIGTERM));
  const ended = await parts(ground).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return [NOT_BEGUN];
  });
  await ground.clear();
  process.stdout.write(`${failuresOf(ended)}\n${closingLine(ended)}\n`);
  return process.exit(ended.every(({ isGreen }) => isGreen) ? 0 : 1);
};
