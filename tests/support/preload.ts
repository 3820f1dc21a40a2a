import { configureGlobal } from "fast-check";
import { SEED } from "./depth.ts";

/** Before every test file: properties draw from this run's seed, so that the gate always tries the same. */
configureGlobal({ seed: SEED });
