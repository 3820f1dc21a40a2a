import { HUNG_MS } from "./hung.ts";

const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;
/** A pause takes this share of the time since the first question: what takes long is not asked for often. */
const PAUSED_SHARE = 0.25;

/**
 * Asks until `wanted` accepts the answer, and returns it. A slow machine only delays it: it fails if the answer is
 * another one for so long that it hangs.
 */
export const eventually = async <Value>(
  ask: () => Value | Promise<Value>,
  wanted: (value: Value) => boolean,
): Promise<Value> => {
  const startedAt = performance.now();
  for (;;) {
    const waitedMs = performance.now() - startedAt;
    const value = await ask();
    if (wanted(value)) return value;
    if (waitedMs > HUNG_MS) throw new Error(`it hangs; the last answer was ${Bun.inspect(value).slice(0, 2000)}`);
    const pauseMs = Math.min(Math.max(waitedMs * PAUSED_SHARE, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    await new Promise((resume) => setTimeout(resume, pauseMs));
  }
};
