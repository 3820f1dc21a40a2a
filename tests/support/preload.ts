import { configureGlobal } from "fast-check";
import { DEEP, SEED } from "./depth.ts";

/** Before every test file: properties draw from this run's seed, so that the gate always tries the same. */
configureGlobal({ seed: SEED });

/*
 * The gate freezes nothing. Kysely freezes each part of every query, which was up to a third of the CPU seconds of
 * tests/contracts. Only writing to what is frozen could tell the difference, and the deep run freezes.
 */
if (!DEEP) Object.freeze = (value: unknown): never => value as never;
