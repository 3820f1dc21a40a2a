/**
 * After this time a test hangs. It is the only limit of time that tests have, and says nothing about how fast anything
 * is. `bun run mutate` knows how long the tests take without a mutant, and sets a lower one.
 */
export const HUNG_MS = Number(process.env.TEST_HUNG_MS ?? 280_000);

/** The limit of a whole test: what waits inside it says first what it waits for. */
export const TEST_LIMIT_MS = HUNG_MS + 20_000;
