import { HUNG_MS } from "./hung.ts";

const PAUSE_MS = 5;

/**
 * Asks until `wanted` accepts the answer, and returns it. A slow machine only delays it: it fails if the answer is
 * another one for so long that it hangs.
 */
export const eventually = async <Value>(
  ask: () => Value | Promise<Value>,
  wanted: (value: Value) => boolean,
): Promise<Value> => {
  const deadline = performance.now() + HUNG_MS;
  for (;;) {
    const askedAt = performance.now();
    const value = await ask();
    if (wanted(value)) return value;
    if (askedAt > deadline) throw new Error(`it hangs; the last answer was ${Bun.inspect(value).slice(0, 2000)}`);
    await new Promise((resume) => setTimeout(resume, PAUSE_MS));
  }
};
