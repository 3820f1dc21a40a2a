/**
 * Which run this is. The gate (`bun run test`) proves each promise once, with fixed seeds; the deep run
 * (`bun run test:deep`) has every engine, new seeds and large counts. docs/testing.md says what only the deep run sees.
 */
export const DEEP = process.env.TEST_RUN === "deep";

/** The seed of the properties of this run: always the same in the gate, given by the deep run, which prints it. */
export const SEED = Number(process.env.TEST_SEED ?? 20_261_126);

/** How much of something is tried: a property's runs, the volume of a table. */
export const inGate = <Amount>(gate: Amount, deep: Amount): Amount => (DEEP ? deep : gate);
