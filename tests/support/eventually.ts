const PAUSE_MS = 5;

/**
 * Asks until `wanted` accepts the answer, and returns it. Fails only if an answer requested after `withinMs` is still
 * not the wanted one, so a slow machine only delays it.
 */
export const eventually = async <Value>(
  ask: () => Value | Promise<Value>,
  wanted: (value: Value) => boolean,
  withinMs: number,
): Promise<Value> => {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const askedAt = performance.now();
    const value = await ask();
    if (wanted(value)) return value;
    if (askedAt > deadline)
      throw new Error(`not within ${withinMs} ms; the last answer was ${Bun.inspect(value).slice(0, 2000)}`);
    await new Promise((resume) => setTimeout(resume, PAUSE_MS));
  }
};
